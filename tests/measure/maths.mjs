// Vectors [x, y, z] and quaternions [x, y, z, w] of the measurements; angles in degrees.
export const degrees = 180 / Math.PI;
export const add = (a, b) => a.map((x, i) => x + b[i]);
export const sub = (a, b) => a.map((x, i) => x - b[i]);
export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
export const norm = (a) => Math.hypot(...a);
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const angle = (a, b) => Math.atan2(norm(cross(a, b)), dot(a, b)) * degrees;

export function mul(...turns) {
  return turns.reduce((a, b) => [a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0], a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]]);
}
export const inverse = (q) => [-q[0], -q[1], -q[2], q[3]];
export const about = (axis, by) => [...axis.map((x) => x * Math.sin(by / degrees / 2)), Math.cos(by / degrees / 2)];
export function rotate(q, v) {
  const axis = q.slice(0, 3), t = cross(axis, v).map((x) => 2 * x), u = cross(axis, t);
  return v.map((x, i) => x + q[3] * t[i] + u[i]);
}
export function slerp(a, b, t) {
  let c = dot(a, b);
  if (c < 0) [b, c] = [b.map((x) => -x), -c];
  const h = Math.acos(Math.min(c, 1)), s = Math.sin(h);
  const q = a.map((x, i) => (s < 1e-6 ? x + (b[i] - x) * t : (Math.sin((1 - t) * h) * x + Math.sin(t * h) * b[i]) / s));
  return q.map((x) => x / norm(q));
}
// The angle between two rotations.
export function between(a, b) {
  const q = mul(inverse(a), b);
  return 2 * Math.atan2(norm(q.slice(0, 3)), Math.abs(q[3])) * degrees;
}
export const percentile = (values, p) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * p))];
