// A BVH file by the rules of the format: the product of a joint's rotation channels in the order of the
// file, position channels in place of its offset. Worlds at any time, in MMD's axes (z mirrored).
import fs from 'node:fs';
import { about, add, mul, rotate, slerp } from './maths.mjs';

const axes = { X: [1, 0, 0], Y: [0, 1, 0], Z: [0, 0, 1] };
const common = [24, 25, 30, 48, 50, 60, 90, 100, 120, 240];

export function readBvh(file) {
  const lines = fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const joints = [], open = [];
  let i = 0, channels = 0, leaf = false;
  for (; !/^\s*MOTION/i.test(lines[i]); i++) {
    const words = lines[i].trim().split(/\s+/), key = words[0].toUpperCase();
    if (key === 'ROOT' || key === 'JOINT') {
      const name = lines[i].trim().replace(/^\S+\s+/, '').replace(/\s*\{$/, '');
      joints.push({ name, parent: open.at(-1) ?? -1, channels: [], first: 0, offset: [0, 0, 0] });
      leaf = false;
    } else if (key === 'END') leaf = true;
    else if (key === 'OFFSET' && open.at(-1) >= 0) joints[open.at(-1)].offset = words.slice(1, 4).map(Number);
    else if (key === 'CHANNELS') {
      const joint = joints[open.at(-1)];
      Object.assign(joint, { channels: words.slice(2), first: channels });
      channels += joint.channels.length;
    }
    for (const brace of lines[i].match(/[{}]/g) ?? []) {
      if (brace === '{') open.push(leaf ? -2 : joints.length - 1);
      else { leaf = false; open.pop(); }
    }
  }
  const numbers = [];
  let fps = 30;
  for (i++; i < lines.length; i++) {
    const time = lines[i].match(/Frame Time:\s*(\S+)/i);
    if (time) fps = 1 / +time[1];
    else if (!/Frames:/i.test(lines[i]) && lines[i].trim()) for (const word of lines[i].trim().split(/\s+/)) numbers.push(+word);
  }
  fps = common.find((rate) => Math.abs(fps / rate - 1) < 1e-3) ?? fps;
  return { joints, fps, channels, numbers, frames: Math.floor(numbers.length / channels) };
}

function locals(bvh, frame) {
  return bvh.joints.map((joint) => {
    const t = [...joint.offset];
    let q = [0, 0, 0, 1];
    joint.channels.forEach((channel, k) => {
      const value = bvh.numbers[frame * bvh.channels + joint.first + k], axis = channel[0].toUpperCase();
      if (/position/i.test(channel)) t['XYZ'.indexOf(axis)] = value;
      else q = mul(q, about(axes[axis], value));
    });
    return { q, t };
  });
}

function worlds(bvh, local) {
  const world = [];
  bvh.joints.forEach((joint, n) => {
    const up = world[joint.parent];
    world.push(up ? { q: mul(up.q, local[n].q), t: add(up.t, rotate(up.q, local[n].t)) } : local[n]);
  });
  return world.map(({ q, t }) => ({ q: [-q[0], -q[1], q[2], q[3]], t: [t[0], t[1], -t[2]] }));
}

// The zero pose: nothing turned, all joints at their offsets.
export const zeroPose = (bvh) => worlds(bvh, bvh.joints.map((joint) => ({ q: [0, 0, 0, 1], t: joint.offset })));

// The pose at a time in frames of the file, between samples by the short path.
export function poseAt(bvh, at) {
  at = Math.min(at, bvh.frames - 1);
  const f = Math.floor(at + 1e-3), t = at - f > 1e-3 ? at - f : 0, a = locals(bvh, f);
  if (!t) return worlds(bvh, a);
  const b = locals(bvh, f + 1);
  return worlds(bvh, a.map((x, n) => ({ q: slerp(x.q, b[n].q, t), t: x.t.map((v, i) => v + (b[n].t[i] - v) * t) })));
}
