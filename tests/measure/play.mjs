// How the player differs from independent ones.
//
//   ODORI_PLAYERS=folder node play.mjs [--steps N] PROGRAM MODEL.pmx|MODEL.pmd MOTION.vmd|random:SEED
//
// random: keys of every bone and morph, turns of up to 40 degrees. PROGRAM (made from play.c) and the two players show up to N (150) frames of the motion on the model, spread
// over its length, IK off and as the motion has it. One line of JSON:
//   fk, ik  {babylon, three}: the longest way between the places of a bone, MMD units, of which bone and when, and
//           the first bones that are more than 1e-4 apart
//   chains  of each IK chain, over frames whose goal is in reach: how far the effector ends from it in each
//           player (miss), the longest way between the inner links in ours and in the player that is nearer
//           (knee), and in each of them
//
// Known of the players: babylon-mmd puts bones that a model stores before their parents elsewhere, takes the knee
// limits of a PMD, which are degrees, for radians, and projects keys of fixed axes after it has interpolated them, not before;
// three.js knows no fixed axes, no limits of axes in PMX, no append of translations, and has times in single
// precision (1e-4 of a frame after a minute). Neither knows bones of PMD types 5 and 9 as MMD has them, nor cuts the
// names of a model's bones at 15 bytes.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';

const players = path.resolve(process.env.ODORI_PLAYERS ?? '.');
const words = process.argv.slice(2), own = { steps: 150 };
while (words[0]?.startsWith('--')) own[words.shift().slice(2)] = words.shift();
const [program, modelName, motionGiven] = words;
if (!process.env.ODORI_PLAYERS || !motionGiven) {
  console.error('usage: ODORI_PLAYERS=folder node play.mjs [--steps N] PROGRAM MODEL MOTION');
  process.exit(2);
}
const { parseModel } = await import(path.join(players, 'lib/pmx.mjs'));
const { parseVmd, writeVmd } = await import(path.join(players, 'lib/vmd.mjs'));
const { encodeSjis } = await import(path.join(players, 'lib/sjis.mjs'));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'play-'));
process.on('exit', () => fs.rmSync(scratch, { recursive: true }));

const model = parseModel(new Uint8Array(fs.readFileSync(modelName)).buffer);
const motionName = motionGiven.startsWith('random:') ? randomMotion(+motionGiven.slice(7)) : motionGiven;

function randomMotion(seed) {
  const next = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 31 - 1;
  const bones = [], morphs = [], names = new Set();
  for (const bone of model.bones) {
    const label = Buffer.from(encodeSjis(bone.name, 15)).toString('hex');
    if (!bone.name || names.has(label)) continue; // two bones of one name: players differ
    names.add(label);
    for (let frame = 0; frame <= 60; frame += 12) {
      const axis = [next(), next(), next()], size = Math.hypot(...axis), half = 0.35 * next();
      const curve = () => [0, 0, 0, 0].map(() => Math.floor(64 + 63 * next()));
      bones.push({ name: bone.name, frame, position: [next() / 2, next() / 2, next() / 2],
        rotation: [...axis.map((x) => x / size * Math.sin(half)), Math.cos(half)], curves: [curve(), curve(), curve(), curve()] });
    }
  }
  for (const morph of model.morphs ?? []) for (let frame = 0; frame <= 60; frame += 15) morphs.push({ name: morph.name, frame, weight: next() });
  const file = path.join(scratch, 'random.vmd');
  fs.writeFileSync(file, Buffer.from(writeVmd({ bones, morphs })));
  return file;
}

const motion = parseVmd(new Uint8Array(fs.readFileSync(motionName)));
const last = Math.max(0, ...motion.bones.map((k) => k.frame), ...motion.morphs.map((k) => k.frame));
const step = Math.max(1, Math.ceil(last / own.steps)), frames = [];
for (let f = 0; f <= last; f += step) frames.push(f);
const big = { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] };

// places[frame][bone], in the model's order
function show(ik) {
  const bytes = execFileSync(program, [modelName, motionName, ik, '0', String(last), String(step)], big);
  const floats = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const size = 3 * model.bones.length;
  return frames.map((_, f) => model.bones.map((_, b) => Array.from(floats.subarray(f * size + 3 * b, f * size + 3 * b + 3))));
}

function showOther(name, ik) {
  const out = path.join(scratch, 'out.json');
  try {
    execFileSync('node', [path.join(players, `eval-${name}.mjs`), modelName, motionName, '--frames', `0:${last}:${step}`,
      '--ik', ik, '--bezier', 'exact', '--out', out], big);
  } catch { return null; }
  return JSON.parse(fs.readFileSync(out)).frames.map((f) => f.bones.map((b) => b.position));
}

const way = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const round = (x) => +x.toPrecision(3);

function farthest(ours, theirs) {
  if (!theirs) return null;
  let worst = { way: 0 }, over = new Set();
  frames.forEach((frame, f) => model.bones.forEach((bone, b) => {
    const d = way(ours[f][b], theirs[f][b]);
    if (d > 1e-4) over.add(bone.name);
    if (!(d <= worst.way)) worst = { way: d, bone: bone.name, frame };
  }));
  return { ...worst, way: round(worst.way), over: [...over].slice(0, 12), bones: over.size };
}

// Is the goal where the links, stretched or folded, can bring the effector?
function inReach(places, chain) {
  const lengths = chain.path.slice(1).map((b, i) => way(places[b], places[chain.path[i]]));
  const all = lengths.reduce((a, b) => a + b, 0), longest = Math.max(...lengths);
  const far = way(places[chain.bone], places[chain.path.at(-1)]);
  return far < 0.999 * all && far > (2 * longest - all) * 1.001;
}

const chains = model.bones.filter((b) => b.ik).map((b) => {
  const links = b.ik.links.map((l) => l.bone ?? l);
  return { name: b.name, bone: b.index, path: [b.ik.target, ...links] };
});
const fk = { babylon: farthest(show('off'), showOther('babylon', 'off')), three: null };
fk.three = farthest(show('off'), showOther('three', 'off'));

const ours = show('motion'), others = { babylon: showOther('babylon', 'motion'), three: showOther('three', 'motion') };
const ik = { babylon: farthest(ours, others.babylon), three: farthest(ours, others.three) };
const figures = chains.map((chain) => {
  const sum = { name: chain.name, frames: 0, miss: { ours: 0, babylon: 0, three: 0 }, over: 0, knee: 0, to: { babylon: 0, three: 0 }, apart: 0 };
  frames.forEach((frame, f) => {
    if (!inReach(ours[f], chain)) return;
    sum.frames++;
    const miss = (places) => way(places[f][chain.path[0]], places[f][chain.bone]);
    if (miss(ours) > 0.01) sum.over++;
    if (miss(ours) > sum.miss.ours) { sum.miss.ours = miss(ours); sum.missAt = frame; }
    const apart = {};
    for (const name in others) {
      if (!others[name]) continue;
      sum.miss[name] = Math.max(sum.miss[name], miss(others[name]));
      apart[name] = Math.max(0, ...chain.path.slice(1).map((b) => way(ours[f][b], others[name][f][b])));
      sum.to[name] = Math.max(sum.to[name], apart[name]);
    }
    const nearest = Math.min(...Object.values(apart));
    if (nearest > 0.05) sum.apart++;
    if (nearest > sum.knee) { sum.knee = nearest; sum.kneeAt = frame; }
  });
  for (const part of [sum.miss, sum.to]) for (const k in part) part[k] = round(part[k]);
  return { ...sum, knee: round(sum.knee) };
});
console.log(JSON.stringify({ model: path.basename(modelName), motion: path.basename(motionGiven), frames: frames.length, fk, ik, chains: figures.filter((c) => c.frames) }));
