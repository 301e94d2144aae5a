// How far a converted motion is from its source, as independent players show it.
//
//   ODORI_PLAYERS=folder node measure.mjs SOURCE.bvh MODEL.pmx|pmd [odori options]
//
// Converts with ODORI (default build/odori), plays the VMD with babylon-mmd and three.js, IK on and
// off, and prints one line of JSON: directions of limbs against the source (degrees), the largest
// way between IK on and IK off (MMD units), soles under the floor (units), slide in contact (cm a
// frame, source scaled and output). The source is evaluated here, by the rules of BVH and not by
// odori's reader; which joint drives which bone, heading, scale and floor come from odori's report.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';

const players = process.env.ODORI_PLAYERS, odori = process.env.ODORI ?? 'build/odori';
const [source, model, ...options] = process.argv.slice(2);
if (!players || !model) {
  console.error('usage: ODORI_PLAYERS=folder node measure.mjs SOURCE.bvh MODEL [odori options]');
  process.exit(2);
}
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'measure-'));
process.on('exit', () => fs.rmSync(scratch, { recursive: true }));

// ---- vectors and quaternions (x y z w) ----
const sub = (a, b) => a.map((x, i) => x - b[i]);
const dot = (a, b) => a.reduce((s, x, i) => s + x * b[i], 0);
const norm = (a) => Math.hypot(...a);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const mul = (a, b) => [a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
  a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]];
const turn = (q, v) => { const t = cross(q.slice(0, 3), v).map((x) => 2 * x); return v.map((x, i) => x + q[3] * t[i] + cross(q.slice(0, 3), t)[i]); };
const about = (axis, degrees) => { const h = degrees * Math.PI / 360; return [...axis.map((x) => x * Math.sin(h)), Math.cos(h)]; };
const slerp = (a, b, t) => {
  let c = dot(a, b);
  if (c < 0) { b = b.map((x) => -x); c = -c; }
  const h = Math.acos(Math.min(c, 1)), s = Math.sin(h);
  const r = s < 1e-6 ? a.map((x, i) => x + (b[i] - x) * t) : a.map((x, i) => (Math.sin((1 - t) * h) * x + Math.sin(t * h) * b[i]) / s);
  return r.map((x) => x / norm(r));
};
const angle = (a, b) => Math.atan2(norm(cross(a, b)), dot(a, b)) * 180 / Math.PI;

// ---- the source ----
function readBvh(file) {
  const lines = fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const joints = [], stack = [];
  let i = 0, channels = 0, leaf = false;
  for (; !/^\s*MOTION/i.test(lines[i]); i++) {
    const words = lines[i].trim().split(/\s+/), key = words[0].toUpperCase();
    if (key === 'ROOT' || key === 'JOINT') { joints.push({ name: lines[i].trim().replace(/^\S+\s+/, ''), parent: stack.at(-1) ?? -1, channels: [], first: 0, offset: [0, 0, 0] }); leaf = false; }
    else if (key === 'END') leaf = true;
    else if (key === '{') stack.push(leaf ? -2 : joints.length - 1);
    else if (key === '}') { leaf = false; stack.pop(); }
    else if (key === 'OFFSET' && stack.at(-1) >= 0) joints[stack.at(-1)].offset = words.slice(1, 4).map(Number);
    else if (key === 'CHANNELS') { const j = joints[stack.at(-1)]; j.channels = words.slice(2); j.first = channels; channels += j.channels.length; }
  }
  const numbers = [];
  let fps = 30;
  for (i++; i < lines.length; i++) {
    const time = lines[i].match(/Frame Time:\s*(\S+)/i);
    if (time) { fps = 1 / +time[1]; continue; }
    if (/Frames:/i.test(lines[i]) || !lines[i].trim()) continue;
    for (const w of lines[i].trim().split(/\s+/)) numbers.push(+w);
  }
  for (const common of [24, 25, 30, 48, 50, 60, 90, 100, 120, 240]) if (Math.abs(fps / common - 1) < 1e-3) fps = common;
  return { joints, fps, channels, numbers, frames: Math.floor(numbers.length / channels) };
}
const axes = { X: [1, 0, 0], Y: [0, 1, 0], Z: [0, 0, 1] };
function locals(bvh, frame) {
  return bvh.joints.map((j) => {
    const t = [...j.offset];
    let q = [0, 0, 0, 1];
    j.channels.forEach((c, k) => {
      const value = bvh.numbers[frame * bvh.channels + j.first + k], axis = c[0].toUpperCase();
      if (/position/i.test(c)) t['XYZ'.indexOf(axis)] = value;
      else q = mul(q, about(axes[axis], value));
    });
    return { q, t };
  });
}
// World positions at 30 fps frame k, in MMD's axes (z mirrored), upright and turned to the front.
function sourcePose(bvh, k, offset, toFront) {
  const at = Math.min((k / 30 + offset) * bvh.fps, bvh.frames - 1), f = Math.floor(at + 1e-3), t = at - f > 1e-3 ? at - f : 0;
  const a = locals(bvh, f), b = t ? locals(bvh, Math.min(f + 1, bvh.frames - 1)) : a, world = [];
  bvh.joints.forEach((j, n) => {
    const q = t ? slerp(a[n].q, b[n].q, t) : a[n].q, p = t ? a[n].t.map((x, i) => x + (b[n].t[i] - x) * t) : a[n].t;
    const up = world[j.parent];
    world.push(up ? { q: mul(up.q, q), t: turn(up.q, p).map((x, i) => x + up.t[i]) } : { q, t: p });
  });
  return world.map((w) => toFront([w.t[0], w.t[1], -w.t[2]]));
}

// ---- convert and play ----
const vmd = path.join(scratch, 'out.vmd'), reportFile = path.join(scratch, 'report.json');
execFileSync(odori, ['convert', source, '-t', model, '-o', vmd, '-q', '-f', '--report', reportFile, ...options], { stdio: 'inherit' });
const report = JSON.parse(fs.readFileSync(reportFile)).files[0];
const bvh = readBvh(source);
const role = new Map(report.bones.filter((b) => b.use !== 'translation' && b.role).map((b) => [b.role, b]));
const joint = (name) => bvh.joints.findIndex((j) => j.name === name);
const frames = Array.from({ length: report.frames }, (_, i) => i);
const sides = ['左', '右'];
const wanted = sides.flatMap((s) => ['腕', 'ひじ', '手首', '中指１', '足', 'ひざ', '足首', '足先EX', 'つま先', '足D', 'ひざD', '足首D'].map((n) => s + n));
const targetName = (r) => role.get(r)?.target ?? r;
function play(player, ik) {
  const out = path.join(scratch, 'play.json');
  execFileSync('node', [path.join(players, `eval-${player}.mjs`), model, vmd, '--frames', 'all', '--ik', ik, '--bezier', 'exact', '--digits', '7',
    '--bones', wanted.map(targetName).join(','), '--out', out], { stdio: ['ignore', 'ignore', 'pipe'], maxBuffer: 1 << 28 });
  const { frames: played, skeleton } = JSON.parse(fs.readFileSync(out));
  return { skeleton, frames: played.map((f) => { const m = new Map(); for (const b of f.bones) if (!m.has(b.name)) m.set(b.name, b); return m; }) };
}
const plays = {};
for (const player of ['babylon', 'three']) for (const ik of ['on', 'off']) plays[player + ik] = play(player, ik);

// ---- figures ----
const rest = report.rest;
const upright = { y: (v) => v, '-y': ([x, y, z]) => [x, -y, -z], z: ([x, y, z]) => [x, -z, y], '-z': ([x, y, z]) => [x, z, -y] }[rest.up] ?? ((v) => v);
const yaw = about([0, 1, 0], options.includes('--keep-heading') ? 0 : rest.heading);
const toFront = (v) => turn(yaw, upright(v));
const offset = report.dropped / bvh.fps;
const poses = frames.map((k) => sourcePose(bvh, k, offset, toFront));
const percentile = (values, p) => values.length ? +[...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * p))].toFixed(3) : null;
const limbs = { upper_arm: ['腕', 'ひじ'], forearm: ['ひじ', '手首'], hand: ['手首', '中指１'], thigh: ['足', 'ひざ'], shin: ['ひざ', '足首'] };
const result = { source: path.basename(source), model: path.basename(model), mapping: report.mapping, frames: report.frames, keys: report.keys, directions: {}, ik_on_off: {} };
for (const [limb, [a, b]] of Object.entries(limbs)) {
  for (const player of ['babylonon', 'threeon']) {
    const errors = [];
    for (const s of sides) {
      const from = role.get(s + a), to = role.get(s + b);
      if (!from || !to) continue;
      const i = joint(from.source), k = joint(to.source);
      if (i < 0 || k < 0) continue;
      plays[player].frames.forEach((f, n) => {
        const p = f.get(targetName(s + a)), q = f.get(targetName(s + b));
        if (p && q) errors.push(angle(sub(q.position, p.position), sub(poses[n][k], poses[n][i])));
      });
    }
    (result.directions[limb] ??= {})[player.slice(0, -2)] = errors.length ? [percentile(errors, 0.5), percentile(errors, 0.95), percentile(errors, 1)] : null;
  }
}
for (const player of ['babylon', 'three']) {
  let most = 0;
  plays[player + 'on'].frames.forEach((f, n) => { for (const [name, b] of f) most = Math.max(most, norm(sub(b.position, plays[player + 'off'].frames[n].get(name).position))); });
  result.ik_on_off[player] = +most.toExponential(2);
}
// Soles: heel under the ankle, ball under 足先EX (else つま先), both on the floor at rest and turned with the foot.
const skeleton = new Map(plays.babylonon.skeleton.map((b) => [b.name, b.rest]));
const weight = (cm) => Math.max(0, Math.min(1, 2 - 2 ** (cm / 3)));
let under = 0, slide = 0, slideSource = 0, count = 0;
for (const s of sides) {
  const ankle = targetName(s + '足首'), ballName = [targetName(s + '足先EX'), s + 'つま先'].find((n) => skeleton.has(n));
  const a = skeleton.get(ankle), b = skeleton.get(ballName);
  if (!a || !b) continue;
  const heel = [0, -a[1], 0.4 * a[1]], ball = [b[0] - a[0], -a[1], b[2] - a[2]];
  const at = (n, v) => { const w = plays.babylonon.frames[n].get(ankle); return turn(w.rotation, v).map((x, i) => x + w.position[i]); };
  const toe = joint((role.get(s + '足先EX') ?? role.get(s + 'つま先') ?? {}).source), source = toe >= 0 ? toe : joint(role.get(s + '足首').source);
  const floor = toe >= 0 ? report.ground : poses.map((p) => p[source][1]).sort((x, y) => x - y)[Math.floor(poses.length / 50)];
  for (let n = 0; n < frames.length; n++) {
    under = Math.max(under, -at(n, heel)[1], -at(n, ball)[1]);
    if (!n) continue;
    const w = 8 * weight(8 * report.scale * (poses[n][source][1] - floor));
    const joints = toe >= 0 ? b && [b[0] - a[0], b[1] - a[1], b[2] - a[2]] : [0, 0, 0];
    const p = at(n, joints), q = at(n - 1, joints);
    slide += w * Math.hypot(p[0] - q[0], p[2] - q[2]);
    slideSource += w * report.scale * Math.hypot(poses[n][source][0] - poses[n - 1][source][0], poses[n][source][2] - poses[n - 1][source][2]);
    count++;
  }
}
result.sole_under = +under.toFixed(3);
result.slide = count ? +(slide / count).toFixed(3) : 0;
result.slide_source = count ? +(slideSource / count).toFixed(3) : 0;
console.log(JSON.stringify(result));
