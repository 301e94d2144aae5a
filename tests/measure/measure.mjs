// How far a converted motion is from its source, as independent players show it.
//
//   ODORI_PLAYERS=folder node measure.mjs [--vmd FILE] [--frames N] SOURCE.bvh MODEL.pmx|MODEL.pmd|standard [odori options]
//
// Converts with ODORI (default build/odori), plays the VMD with babylon-mmd and three.js, IK on and off, and
// prints one line of JSON (table.mjs makes a table of many). `standard` is the built-in model, which the players
// see as a PMX made of ODORI_STANDARD, a JSON table of its bones. --vmd measures that file instead of the
// conversion's output; --frames N plays only the first N frames.
//
// The source is evaluated by bvh.mjs, not by odori's reader. Which joint drives which bone, the rest pose, the
// heading, the scale and the floor come from odori's report. Figures, each with the place of the worst:
//   directions  degrees between limbs of the target and of the source: p50, p95, max
//   turns       degrees between the turns of trunk and feet since the rest pose, which have no rest to correct
//   ik_on_off   the longest way of any bone of the body between IK on and IK off, MMD units
//   followers   the longest way between a leg's bone and the one that follows it (足D, ひざD, 足首D)
//   under       how far a point of a sole is under the floor, MMD units; above: how high the lowest point of a
//               sole is while the source's foot stands; pitch and roll:
//               degrees of that foot with its heel or its outer edge up, p5, p50, p95
//   slide       cm a frame in contact, of the output and of the scaled source
//   jerk        largest second difference of a joint beyond 1.5 times the source's, MMD units
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { poseAt, readBvh, zeroPose } from './bvh.mjs';
import { about, add, angle, between, degrees, inverse, mul, norm, percentile, rotate, sub } from './maths.mjs';

const players = path.resolve(process.env.ODORI_PLAYERS ?? '.'), odori = process.env.ODORI ?? 'build/odori';
const words = process.argv.slice(2), own = {};
while (words[0]?.startsWith('--')) own[words.shift().slice(2)] = words.shift();
const [source, modelName, ...options] = words;
if (!process.env.ODORI_PLAYERS || !modelName) {
  console.error('usage: ODORI_PLAYERS=folder node measure.mjs [--vmd FILE] [--frames N] SOURCE.bvh MODEL [odori options]');
  process.exit(2);
}
const { parseModel, writePmx } = await import(path.join(players, 'lib/pmx.mjs'));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'measure-'));
process.on('exit', () => fs.rmSync(scratch, { recursive: true }));

function standardModel() {
  const rows = JSON.parse(fs.readFileSync(process.env.ODORI_STANDARD)), index = (name) => rows.findIndex((row) => row.ja === name);
  const radians = (limit) => limit?.map((x) => x * Math.PI / 180);
  const bones = rows.map((row) => ({
    name: row.ja, nameEn: row.en, position: row.pos, parent: row.parent ? index(row.parent) : -1, transformOrder: row.order,
    flag: row.flags & ~0x0801, append: row.append ? { parent: index(row.append.bone), ratio: row.append.ratio } : undefined,
    axisLimit: row.fixed ?? undefined,
    ik: row.ik ? { target: index(row.ik.target), iterations: row.ik.loop, limitAngle: row.ik.limit,
      links: row.ik.links.map((link) => ({ bone: index(link.bone), min: radians(link.min), max: radians(link.max) })) } : undefined }));
  const file = path.join(scratch, 'standard.pmx');
  fs.writeFileSync(file, writePmx({ name: 'standard', bones }));
  return file;
}
const model = modelName === 'standard' ? standardModel() : modelName;
const parsed = parseModel(fs.readFileSync(model));

// ---- convert and play ----
const reportFile = path.join(scratch, 'report.json'), converted = path.join(scratch, 'out.vmd'), vmd = own.vmd ?? converted;
execFileSync(odori, ['convert', source, ...(modelName === 'standard' ? [] : ['-t', model]), '-o', converted, '-q', '-f',
  '--report', reportFile, ...options], { stdio: ['ignore', 'inherit', 'pipe'] });
const report = JSON.parse(fs.readFileSync(reportFile)).files[0];
const count = Math.min(report.frames, +(own.frames ?? Infinity));
function play(player, ik, motion = vmd, last = count - 1) {
  const out = path.join(scratch, 'play.json');
  execFileSync('node', [path.join(players, `eval-${player}.mjs`), model, motion, '--frames', `0-${last}`, '--ik', ik,
    '--bezier', 'exact', '--out', out], { stdio: ['ignore', 'ignore', 'pipe'] });
  return JSON.parse(fs.readFileSync(out)).frames.map((frame) => frame.bones);
}
// A player that does not even show the rest pose of the bones that matter says nothing (babylon-mmd where a bone
// comes before its parent).
const matter = new Set([...report.mapping.bones.map((row) => row.target), '左足ＩＫ', '右足ＩＫ']);
const showsRest = (player) => play(player, 'off', 'none', 0)[0].every((b, i) =>
  !matter.has(b.name) || norm(sub(b.position, parsed.bones[i].position)) < 1e-3);
const names = ['babylon', 'three'].filter(showsRest);
if (!names.length) throw new Error(`no player shows the rest pose of ${model}`);
const on = Object.fromEntries(names.map((name) => [name, play(name, 'on')]));

// ---- the source, upright and turned to the front ----
const bvh = readBvh(source), rest = report.rest;
const uprights = { y: [0, 0, 0, 1], '-y': about([1, 0, 0], 180), z: about([1, 0, 0], 90), '-z': about([1, 0, 0], -90),
  x: about([0, 0, 1], 90), '-x': about([0, 0, 1], -90) };
const front = mul(about([0, 1, 0], options.includes('--keep-heading') ? 0 : rest.heading), uprights[rest.up]);
const turned = (pose) => pose.map(({ q, t }) => ({ q: mul(front, q), t: rotate(front, t) }));
const option = (name, otherwise) => (options.includes(name) ? +options[options.indexOf(name) + 1] : otherwise);
const start = option('--start', 0) * bvh.fps + report.dropped, step = option('--speed', 1) * bvh.fps / 30;
const poses = Array.from({ length: count }, (_, k) => turned(poseAt(bvh, start + k * step)));
const restPose = turned(rest.bind === 'frame' ? poseAt(bvh, rest.frame) : zeroPose(bvh));

// ---- who is who ----
const sides = ['左', '右'], rows = report.mapping.bones.filter((row) => row.use !== 'translation' && row.role);
const joint = (role) => bvh.joints.findIndex((j) => j.name === rows.find((row) => row.role === role)?.source);
const named = (role) => rows.find((row) => row.role === role)?.target ?? role;
const bone = (role) => parsed.bones.findIndex((b) => b.name === named(role));
const onBoth = (role) => joint(role) >= 0 && bone(role) >= 0;
const round = (x, digits = 3) => (Number.isFinite(x) ? +x.toFixed(digits) : null);

// Keeps the worst value and where it was.
class Worst {
  value = 0;
  at = null;
  see(value, at) {
    if (value > this.value || Number.isNaN(value)) [this.value, this.at] = [value, at];
  }
  figure(digits = 3) { return [Number.isNaN(this.value) ? 'NaN' : round(this.value, digits), this.at]; }
}
function spread(samples) {
  if (!samples.length) return null;
  const values = samples.map((s) => s.value), worst = samples.reduce((a, b) => (b.value > a.value ? b : a));
  return [round(percentile(values, 0.5)), round(percentile(values, 0.95)), round(worst.value), worst.at];
}

const middle = (values) => (values.length ? [0.05, 0.5, 0.95].map((p) => round(percentile(values, p), 1)) : null);

// ---- directions and turns ----
const limbs = { upper_arm: [['腕', 'ひじ']], forearm: [['ひじ', '手首']], hand: [['手首', '中指１']],
  fingers: ['人指', '中指', '薬指', '小指'].flatMap((f) => [[`${f}１`, `${f}２`], [`${f}２`, `${f}３`]]),
  thigh: [['足', 'ひざ']], shin: [['ひざ', '足首']] };
function directions(played) {
  return Object.fromEntries(Object.entries(limbs).map(([limb, pairs]) => {
    const samples = [];
    for (const side of sides) for (const [a, b] of pairs) {
      if (!onBoth(side + a) || !onBoth(side + b)) continue;
      const [i, k, m, n] = [joint(side + a), joint(side + b), bone(side + a), bone(side + b)];
      played.forEach((bones, f) => samples.push({ at: `${side}${a}@${f}`,
        value: angle(sub(bones[n].position, bones[m].position), sub(poses[f][k].t, poses[f][i].t)) }));
    }
    return [limb, spread(samples)];
  }));
}
const chest = ['上半身3', '上半身2', '上半身'], top = chest.find((role) => joint(role) >= 0), topBone = chest.find((role) => bone(role) >= 0);
function turns(played) {
  const parts = { pelvis: [['下半身', '下半身']], chest: [[top, topBone]], head: [['頭', '頭']], foot: sides.map((s) => [s + '足首', s + '足首']) };
  return Object.fromEntries(Object.entries(parts).map(([part, pairs]) => {
    const samples = [];
    for (const [from, to] of pairs) {
      if (!from || !to || joint(from) < 0 || bone(to) < 0) continue;
      const [j, b] = [joint(from), bone(to)], back = inverse(restPose[j].q);
      played.forEach((bones, f) => samples.push({ at: `${to}@${f}`, value: between(mul(poses[f][j].q, back), bones[b].rotation) }));
    }
    return [part, spread(samples)];
  }));
}

// ---- IK on and off, bones that follow ----
// Bones that other IK than the legs' moves (hair, ties): no motion of ours says where they are.
function foreign() {
  const found = new Set(), legs = new Set(sides.flatMap((s) => [bone(s + '足'), bone(s + 'ひざ'), bone(s + '足首')]));
  for (const b of parsed.bones) {
    const links = b.ik?.links.map((link) => link.bone ?? link) ?? [];
    if (b.ik && !links.some((link) => legs.has(link))) [b.ik.target, ...links].forEach((link) => found.add(link));
  }
  let before;
  do {
    before = found.size;
    parsed.bones.forEach((b, i) => { if (found.has(b.parent) || found.has(b.append?.parent)) found.add(i); });
  } while (found.size > before);
  return found;
}
const skipped = foreign();
function onOff(name) {
  const off = play(name, 'off'), worst = new Worst();
  on[name].forEach((bones, f) => bones.forEach((b, i) => {
    if (!skipped.has(i)) worst.see(norm(sub(b.position, off[f][i].position)), `${b.name}@${f}`);
  }));
  return worst.figure(6);
}
function followers(played) {
  const worst = new Worst();
  for (const side of sides) for (const role of ['足', 'ひざ', '足首']) {
    const [a, b] = [bone(side + role), bone(`${side}${role}D`)];
    if (a >= 0 && b >= 0) played.forEach((bones, f) => worst.see(norm(sub(bones[a].position, bones[b].position)), `${side}${role}D@${f}`));
  }
  return worst.figure(6);
}

// ---- soles ----
const weight = (cm) => Math.max(0, Math.min(1, 2 - 2 ** (cm / 3)));
const place = (i) => parsed.bones[i].position;
// Points of a sole, on the floor at rest: heel and ball turn with the foot, the tip with the toes.
function sole(side) {
  const ankle = bone(side + '足首'), toes = bone(side + '足先EX'), tip = parsed.bones.findIndex((b) => b.name === side + 'つま先');
  const a = place(ankle), ball = toes >= 0 ? place(toes) : tip >= 0 ? place(tip) : [a[0], 0, a[2] - 1.3 * a[1]];
  const points = [{ name: 'heel', bone: ankle, offset: [0, -a[1], 0.4 * a[1]] }, { name: 'ball', bone: ankle, offset: [ball[0] - a[0], -a[1], ball[2] - a[2]] }];
  if (toes >= 0 && tip >= 0) points.push({ name: 'tip', bone: toes, offset: [place(tip)[0] - ball[0], -ball[1], place(tip)[2] - ball[2]] });
  return { points, joint: { bone: ankle, offset: sub(ball, a) } };
}
const at = (bones, point) => add(bones[point.bone].position, rotate(bones[point.bone].rotation, point.offset));
const flat = (a, b) => Math.hypot(a[0] - b[0], a[2] - b[2]);
function soles(played) {
  const under = new Worst(), above = [], pitch = [], roll = [];
  let slide = 0, slideSource = 0, frames = 0;
  for (const side of sides) {
    if (bone(side + '足首') < 0 || joint(side + '足首') < 0) continue;
    const { points, joint: ball } = sole(side), toe = ['足先EX', 'つま先', '足首'].map((role) => joint(side + role)).find((j) => j >= 0);
    const floor = joint(side + '足先EX') >= 0 || joint(side + 'つま先') >= 0 ? report.ground : percentile(poses.map((p) => p[toe].t[1]), 0.02);
    played.forEach((bones, f) => {
      const heights = points.map((point) => at(bones, point)[1]);
      heights.forEach((h, i) => under.see(-h, `${side}${points[i].name}@${f}`));
      const share = weight(8 * report.scale * (poses[f][toe].t[1] - floor));
      if (share > 0.9) {
        above.push({ value: Math.min(...heights), at: `${side}@${f}` });
        const q = bones[points[0].bone].rotation, out = side === '左' ? 1 : -1;
        pitch.push(Math.asin(rotate(q, [0, 0, 1])[1]) * degrees);
        roll.push(Math.asin(rotate(q, [out, 0, 0])[1]) * degrees);
      }
      if (!f) return;
      slide += 8 * share * flat(at(bones, ball), at(played[f - 1], ball));
      slideSource += 8 * share * report.scale * flat(poses[f][toe].t, poses[f - 1][toe].t);
      frames++;
    });
  }
  return { under: under.figure(), above: spread(above), pitch: middle(pitch), roll: middle(roll), slide: round(slide / frames), slide_source: round(slideSource / frames) };
}

// ---- pops ----
function jerk(played) {
  const worst = new Worst(), second = (a, b, c) => norm(a.map((x, i) => x - 2 * b[i] + c[i]));
  for (const role of ['下半身', '頭', ...sides.flatMap((s) => ['ひざ', '足首', 'ひじ', '手首'].map((r) => s + r))]) {
    const [j, b] = [joint(role), bone(role)];
    if (j < 0 || b < 0) continue;
    const source = poses.map((p, f) => (f && f < count - 1 ? report.scale * second(poses[f - 1][j].t, p[j].t, poses[f + 1][j].t) : 0));
    for (let f = 1; f < count - 1; f++) {
      const ours = second(played[f - 1][b].position, played[f][b].position, played[f + 1][b].position);
      worst.see(ours - 1.5 * Math.max(source[f - 1], source[f], source[f + 1]), `${role}@${f}`);
    }
  }
  return worst.figure();
}

const first = on[names[0]], label = (file) => path.basename(file);
console.log(JSON.stringify({
  source: label(source), model: label(modelName), options: options.join(' '), mapping: report.mapping.name, bind: rest.bind === 'frame' ? `frame ${rest.frame}` : rest.bind,
  up: rest.up, heading: round(rest.heading, 1), scale: report.scale, frames: report.frames, keys: report.keys,
  directions: Object.fromEntries(names.map((name) => [name, directions(on[name])])), turns: turns(first),
  ik_on_off: Object.fromEntries(names.map((name) => [name, onOff(name)])), followers: followers(first),
  ...soles(first), jerk: jerk(first), feet: report.feet, warnings: report.warnings }));
