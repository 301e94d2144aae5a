// A table of the lines of JSON that measure.mjs prints: node table.mjs FIGURES.jsonl
// Directions are p95/max in degrees, thighs and shins p50/p95/max. A `!` marks what is beyond a limit: 1e-3 units
// between IK on and off, 0.05 degrees of arms and hands, 2.5 (p50) and 10 (p95) degrees of legs or 3.5 (p95) with
// --feet relative, 0.25 units under the floor, more slide than the source.
import fs from 'node:fs';

const rows = fs.readFileSync(process.argv[2] ?? 0, 'utf8').split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
const short = (name, size) => name.replace(/\.[a-z]+$/i, '').slice(0, size);
const marked = (bad, text) => text + (bad ? '!' : '');
const both = (row, limb) => {
  const found = Object.values(row.directions).map((player) => player[limb]).filter(Boolean);
  return found.length ? [0, 1, 2].map((i) => Math.max(...found.map((d) => d[i]))) : null;
};
const arm = (row, limb) => {
  const d = both(row, limb);
  return d ? marked(!(d[2] <= 0.05), `${d[1]}/${d[2]}`) : '-';
};
const leg = (row, limb) => {
  const d = both(row, limb), most = row.options.includes('--feet relative') ? 3.5 : 10;
  return d ? marked(!(d[0] <= 2.5 && d[1] <= most), d.map((x) => x.toFixed(1)).join('/')) : '-';
};
const ik = (row) => {
  const most = Math.max(...Object.values(row.ik_on_off).map(([way]) => way), row.followers[0]);
  return marked(!(most <= 1e-3), most.toExponential(0));
};
const columns = [
  ['source', (r) => short(r.source, 22)], ['model', (r) => short(r.model, 14)], ['map', (r) => short(r.mapping, 10)], ['bind', (r) => r.bind.replace('frame ', 'f')],
  ['keys', (r) => r.keys], ['players', (r) => Object.keys(r.directions).map((p) => p[0]).join('')], ['ik', ik], ['upper arm', (r) => arm(r, 'upper_arm')], ['forearm', (r) => arm(r, 'forearm')], ['hand', (r) => arm(r, 'hand')],
  ['fingers', (r) => arm(r, 'fingers')], ['thigh', (r) => leg(r, 'thigh')], ['shin', (r) => leg(r, 'shin')],
  ['trunk', (r) => Math.max(...['pelvis', 'chest', 'head'].map((t) => r.turns[t]?.[2] ?? 0)).toFixed(2)], ['foot', (r) => r.turns.foot?.slice(0, 3).map((x) => x.toFixed(1)).join('/') ?? '-'],
  ['under', (r) => marked(!(r.under[0] <= 0.25), r.under[0])], ['above', (r) => r.above?.slice(1, 3).join('/') ?? '-'],
  ['pitch roll', (r) => (r.pitch ? `${r.pitch[1]} ${r.roll[1]}` : '-')], ['slide', (r) => marked(r.slide > r.slide_source, `${r.slide}<${r.slide_source}`)], ['jerk', (r) => r.jerk[0]], ['warn', (r) => r.warnings.length]];
const table = [columns.map(([title]) => title), ...rows.map((row) => (row.failed ? [short(row.source, 22), short(row.model, 14), 'FAILED'] : columns.map(([, cell]) => String(cell(row)))))];
const widths = columns.map((_, i) => Math.max(...table.map((cells) => (cells[i] ?? '').length)));
for (const cells of table) console.log(cells.map((cell, i) => cell.padEnd(widths[i])).join(' ').trimEnd());
