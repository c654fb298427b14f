"use strict";
// The space is the cube from -1 to 1 in each column. All that is drawn is sorted by depth and painted from the back.
const data = JSON.parse(document.getElementById("data").textContent);
const canvas = document.getElementById("space"), paint = canvas.getContext("2d"), note = document.getElementById("note");
const classes = data.classes.length, two = classes === 2;
const home = { turn: -0.6, tilt: 0.32, zoom: 1 };
const view = { ...home, priors: data.priors.slice(), hidden: new Set(), sheet: true };
let faces = [], places = [], wrong = [], colours = {}, stale = true;

// What each class says at a place u: log p(u | class).

const score = data.quadratic ? polynomial : interpolated;

function polynomial(k, u) {
  const [q, l] = [data.quadratic[k], data.linear[k]];
  let sum = data.constant[k];
  for (let i = 0; i < 3; i++) sum += u[i] * (l[i] + q[i][0] * u[0] + q[i][1] * u[1] + q[i][2] * u[2]);
  return sum;
}

const held = data.grid && new Float32Array(Uint8Array.from(atob(data.grid), sign => sign.charCodeAt(0)).buffer);

function interpolated(k, u) {
  const n = data.nodes, at = [], part = [];
  for (let i = 0; i < 3; i++) {
    const where = Math.min(Math.max((u[i] / data.reach + 1) / 2 * (n - 1), 0), n - 1);
    at[i] = Math.min(Math.floor(where), n - 2);
    part[i] = where - at[i];
  }
  let sum = 0;
  for (let corner = 0; corner < 8; corner++) {
    let weight = 1, place = 0;
    for (let i = 0; i < 3; i++) {
      const far = corner >> i & 1;
      weight *= far ? part[i] : 1 - part[i];
      place = place * n + at[i] + far;
    }
    if (weight) sum += weight * held[place * classes + k];
  }
  return sum;
}

// The boundary: a vertex in each cell of a grid in which the best class changes, moved onto the boundary, and a face
// across each edge whose ends have different best classes.

function mesh() {
  const n = data.nodes, step = 2 * data.reach / (n - 1), bias = view.priors.map(Math.log), vertices = new Map();
  const spot = i => -data.reach + i * step, place = (i, j, k) => (i * n + j) * n + k;
  const logs = new Float64Array(n * n * n * classes), best = new Int16Array(n * n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) for (let k = 0; k < n; k++) {
    const at = place(i, j, k), u = [spot(i), spot(j), spot(k)];
    best[at] = -1;  // none where no class has any density
    for (let c = 0; c < classes; c++) {
      const value = data.quadratic ? score(c, u) : held[at * classes + c];
      logs[at * classes + c] = value + bias[c];
      if (value > -data.nothing && (best[at] < 0 || logs[at * classes + c] > logs[at * classes + best[at]])) best[at] = c;
    }
  }
  const vertex = cell => {
    const key = place(...cell);
    if (!vertices.has(key)) vertices.set(key, settle(cell));
    return vertices.get(key);
  };
  const settle = cell => {
    const sum = [0, 0, 0], here = new Set();
    let crossings = 0;
    for (let corner = 0; corner < 8; corner++) {
      const from = cell.map((value, x) => value + (corner >> x & 1)), a = best[place(...from)];
      here.add(a);
      for (let axis = 0; axis < 3; axis++) {
        if (corner >> axis & 1) continue;
        const to = from.map((value, x) => value + (x === axis)), b = best[place(...to)];
        if (a === b) continue;
        const [near, far] = a < 0 || b < 0 ? [1, -1]
          : [from, to].map(at => logs[place(...at) * classes + a] - logs[place(...at) * classes + b]);
        for (let x = 0; x < 3; x++) sum[x] += spot(from[x]) + (x === axis ? step * near / (near - far) : 0);
        crossings++;
      }
    }
    return onto(sum.map(value => value / crossings), [...here].filter(c => c >= 0), step);
  };
  faces = [];
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) for (let k = 0; k < n; k++) for (let axis = 0; axis < 3; axis++) {
    const a = best[place(i, j, k)], b = best[place(i + (axis === 0), j + (axis === 1), k + (axis === 2))];
    if (a === b || a < 0 || b < 0 || b === undefined) continue;
    const from = [i, j, k], [p, q] = [(axis + 1) % 3, (axis + 2) % 3];
    if (from[axis] > n - 2 || Math.min(from[p], from[q]) < 1 || Math.max(from[p], from[q]) > n - 2) continue;
    const whole = [[1, 1], [0, 1], [0, 0], [1, 0]].map(([dp, dq]) =>
      vertex(from.map((value, x) => value - (x === p ? dp : x === q ? dq : 0))));
    const corners = clipped(whole).map(u => u.some(isSide) ? onto(u, [a, b], step) : u);
    if (corners.length > 2) faces.push({ corners, between: [a, b], light: light(whole) });
  }
}

const isSide = value => Math.abs(value) === 1;

// Newton's steps to where classes are equally good, in turn for each two of them; a place on a side stays on it.
function onto(start, among, step) {
  const odds = (a, b, u) => score(a, u) - score(b, u) + Math.log(view.priors[a] / view.priors[b]), h = step / 16;
  let u = start;
  for (let turn = 0; among.length > 1 && turn < 4 * among.length; turn++) {
    const [a, b] = [among[turn % among.length], among[(turn + 1) % among.length]], g = odds(a, b, u);
    const slope = u.map((value, x) => {
      if (isSide(value)) return 0;
      const moved = by => odds(a, b, u.map((other, y) => other + (x === y ? by : 0)));
      return (moved(h) - moved(-h)) / (2 * h);
    });
    const steep = slope.reduce((sum, s) => sum + s * s, 0);
    if (!(Math.abs(g) < step * Math.sqrt(steep))) break;
    u = u.map((value, x) => value - g * slope[x] / steep);
  }
  return Math.hypot(...u.map((value, x) => value - start[x])) < step ? u : start;
}

// What is left of a face within the cube.
function clipped(corners) {
  for (let axis = 0; axis < 3; axis++) for (const side of [-1, 1]) {
    const kept = [];
    corners.forEach((here, at) => {
      const before = corners.at(at - 1), [from, to] = [1 - side * before[axis], 1 - side * here[axis]];
      const cut = (value, x) => x === axis ? side : before[x] + (value - before[x]) * from / (from - to);
      if (from * to < 0) kept.push(here.map(cut));
      if (to >= 0) kept.push(here);
    });
    corners = kept;
  }
  return corners;
}

function chances(logs) {
  const joint = logs.map((log, k) => log === null ? -Infinity : log + Math.log(view.priors[k]));
  const most = Math.max(...joint);
  if (most === -Infinity) return view.priors;
  const parts = joint.map(log => Math.exp(log - most)), whole = parts.reduce((a, b) => a + b);
  return parts.map(part => part / whole);
}

function against(code, row) {
  const found = chances(data.logs[row]);
  return found.indexOf(Math.max(...found)) !== code;
}
