// How far glTF, VRM and VRM animations as odori reads them are from what three.js shows: world transforms of every
// joint at up to 20 frames of every clip.
//
//   ODORI_PLAYERS=folder node gltf.mjs FILE...
//
// Reads with ODORI (default build/odori), whose dump is put together here, and with the players' own reader. Prints
// a line of JSON for each file: the longest way in shares of the skeleton's height, the largest turn in degrees, and
// how many joints of one name were left out. three.js does not turn a file to its front: that is done here.
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { inverse, mul, norm, rotate, sub } from './maths.mjs';

const players = path.resolve(process.env.ODORI_PLAYERS ?? '.'), odori = process.env.ODORI ?? 'build/odori';
const files = process.argv.slice(2), SAMPLES = 20;
if (!process.env.ODORI_PLAYERS || !files.length) {
  console.error('usage: ODORI_PLAYERS=folder node gltf.mjs FILE...');
  process.exit(2);
}
const { loadSource, makeSampler } = await import(path.join(players, 'lib/source.mjs'));
const { matToTR } = await import(path.join(players, 'lib/math.mjs'));

// Worlds of the joints from their locals; parents come first.
function compose(joints, locals) {
  const worlds = [];
  joints.forEach((joint, i) => {
    const { at, turned } = locals[i], above = worlds[joint.above];
    worlds.push(above ? { at: rotate(above.turned, at).map((v, k) => v + above.at[k]), turned: mul(above.turned, turned) }
      : { at, turned });
  });
  return worlds;
}

// The canonical form of what three.js has.
function canonical(matrix, mirrorX) {
  const { t, q } = matToTR(matrix);
  return mirrorX ? { at: [-t[0], t[1], t[2]], turned: [q[0], -q[1], -q[2], q[3]] }
    : { at: [t[0], t[1], -t[2]], turned: [-q[0], -q[1], q[2], q[3]] };
}

const turn = (a, b) => {
  const q = mul(inverse(a), b);
  return 2 * Math.atan2(Math.hypot(q[0], q[1], q[2]), Math.abs(q[3])) * 180 / Math.PI;
};

async function measure(file) {
  const read = JSON.parse(execFileSync(odori, ['dump', '--json', file], { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] }));
  const three = await loadSource(file), names = new Map(), nodes = new Map();
  read.joints.forEach((joint, i) => names.set(joint.name, names.has(joint.name) ? -1 : i));
  const bones = three.joints.filter((joint) => joint.isJoint || joint.humanoid), all = bones.length ? bones : three.joints;
  [...all, ...three.joints.filter((joint) => !all.includes(joint))].forEach((joint) => {
    const name = (joint.name || `node${three.joints.indexOf(joint)}`).replace(/^node(\d+)$/, 'node_$1');
    if (!nodes.has(name)) nodes.set(name, joint);
    else if (all.includes(joint)) nodes.set(name, null); // two joints of one name
  });
  for (const joint of read.joints) joint.above = joint.parent === null ? -1 : names.get(joint.parent);
  const pairs = read.joints.map((joint, i) => ({ i, obj: names.get(joint.name) === i ? nodes.get(joint.name)?.obj : null }));
  if (read.joints.some((joint) => joint.parent !== null && joint.above < 0)) return { file, left: 'parents of one name' };
  const known = pairs.filter((pair) => pair.obj), rest = compose(read.joints, read.joints);
  const height = Math.max(...[0, 1, 2].map((k) => Math.max(...rest.map((w) => w.at[k])) - Math.min(...rest.map((w) => w.at[k]))), 1e-9);
  const saved = three.nodeObj.map((o) => [o.position.clone(), o.quaternion.clone(), o.scale.clone()]);
  const result = { file, joints: known.length, left: pairs.length - known.length, way: 0, turn: 0 };
  read.clips.forEach((clip, number) => {
    const same = read.clips.filter((other) => other.name === clip.name).length;
    const theirs = (same === 1 && three.clips.find((other) => other.name === clip.name)) || three.clips[number];
    const locals = read.joints.map(({ at, turned }) => ({ at, turned })), step = Math.max(1, (clip.count - 1) / (SAMPLES - 1));
    const wanted = new Set(Array.from({ length: Math.min(SAMPLES, clip.count) }, (_, i) => Math.floor(i * step)));
    three.nodeObj.forEach((o, i) => { o.position.copy(saved[i][0]); o.quaternion.copy(saved[i][1]); o.scale.copy(saved[i][2]); });
    const show = makeSampler(three.root, theirs);
    for (const { frame, joints } of clip.frames) {
      for (const { name, at, turned } of joints) {
        const i = names.get(name);
        if (i >= 0) locals[i] = { at: at ?? locals[i].at, turned: turned ?? locals[i].turned };
      }
      if (!wanted.has(frame)) continue;
      show(Math.min(frame / clip.fps + 1e-7, theirs.duration)); // a step is there at its frame
      const worlds = compose(read.joints, locals);
      for (const { i, obj } of known) {
        const w = canonical(obj.matrixWorld.elements, three.vrmVersion === 0);
        const way = norm(sub(w.at, worlds[i].at)) / height, mirrored = obj.matrixWorld.determinant() <= 0;
        const angle = mirrored ? 0 : turn(w.turned, worlds[i].turned); // a mirror is no rotation
        if (way > result.way) Object.assign(result, { way, way_at: `${clip.name} ${frame} ${read.joints[i].name}` });
        if (angle > result.turn) Object.assign(result, { turn: angle, turn_at: `${clip.name} ${frame} ${read.joints[i].name}` });
      }
    }
  });
  return result;
}

for (const file of files) {
  const result = await measure(file).catch((error) => ({ file, failed: String(error.message).split('\n')[0] }));
  console.log(JSON.stringify({ ...result, file: path.basename(file) }));
}
process.exit(0);
