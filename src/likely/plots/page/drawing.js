// Projection, colours and painting.

function project(u) {
  const [s, c] = [Math.sin(view.turn), Math.cos(view.turn)], [st, ct] = [Math.sin(view.tilt), Math.cos(view.tilt)];
  const x = c * u[0] - s * u[1], away = s * u[0] + c * u[1];
  const depth = away * ct - u[2] * st, up = u[2] * ct + away * st;
  const { width, height } = canvas, room = Math.min(width, height) - 70 * (window.devicePixelRatio || 1);
  const size = 0.3 * room * view.zoom / (1 + 0.1 * depth);
  return [width * 0.5 + x * size, height * 0.5 - up * size, depth];
}

function theme() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["paper", "ink", "faint", "grid", "sheet"]) colours[name] = style.getPropertyValue(`--${name}`).trim();
}

const colour = k => data.colours[k] === "#000000" ? colours.ink : data.colours[k];

function shape(context, kind, x, y, r) {
  const path = (...corners) => corners.forEach(([dx, dy], at) => context[at ? "lineTo" : "moveTo"](x + dx * r, y + dy * r));
  context.beginPath();
  switch (kind % 7) {
    case 0: context.arc(x, y, r, 0, 7); break;
    case 1: context.rect(x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r); break;
    case 2: path([0, -1.3], [1.1, 0], [0, 1.3], [-1.1, 0]); break;
    case 3: path([0, -1.15], [1.1, 0.9], [-1.1, 0.9]); break;
    case 4: path([0, 1.15], [1.1, -0.9], [-1.1, -0.9]); break;
    case 5: path([-0.4, -1.1], [0.4, -1.1], [0.4, -0.4], [1.1, -0.4], [1.1, 0.4], [0.4, 0.4], [0.4, 1.1], [-0.4, 1.1],
      [-0.4, 0.4], [-1.1, 0.4], [-1.1, -0.4], [-0.4, -0.4]); break;
    default: path([0, -1.25], [0.35, -0.35], [1.25, -0.35], [0.5, 0.2], [0.8, 1.1], [0, 0.55], [-0.8, 1.1], [-0.5, 0.2],
      [-1.25, -0.35], [-0.35, -0.35]);
  }
  context.closePath();
}

function light([a, b, c, d]) {
  const p = [0, 1, 2].map(x => c[x] - a[x]), q = [0, 1, 2].map(x => d[x] - b[x]);
  const normal = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
  return Math.abs(normal[0] * -0.4 + normal[1] * -0.7 + normal[2] * 0.6) / (Math.hypot(...normal) || 1);
}

function draw() {
  if (stale) {
    stale = false;
    mesh();
    wrong = (data.codes || []).map(against);
    tell();
  }
  const dense = window.devicePixelRatio || 1, [wide, high] = [canvas.clientWidth * dense, canvas.clientHeight * dense].map(Math.round);
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  paint.clearRect(0, 0, wide, high);
  paint.lineJoin = "round";
  frame(dense);
  const items = [];
  if (view.sheet) for (const face of faces) {
    const corners = face.corners.map(project);
    items.push({ depth: corners.reduce((sum, corner) => sum + corner[2], 0) / corners.length, corners, face });
  }
  places = [];
  data.points.forEach((point, row) => {
    if (data.codes && view.hidden.has(data.codes[row])) return;
    const [x, y, depth] = project(point);
    items.push({ depth, row, x, y });
    places.push({ row, x: x / dense, y: y / dense, depth });
  });
  items.sort((one, other) => other.depth - one.depth);
  for (const item of items) item.face ? sheet(item) : dot(item, dense);
}

function sheet({ corners, face }) {
  const bright = 0.55 + 0.45 * face.light;
  let rgb = colours.sheet.split(",").map(Number);
  if (!two) {
    const [a, b] = face.between.map(k => [1, 3, 5].map(at => parseInt(data.colours[k].slice(at, at + 2), 16)));
    rgb = a.map((value, x) => (value + b[x]) / 2);
  }
  paint.beginPath();
  corners.forEach(([x, y], at) => paint[at ? "lineTo" : "moveTo"](x, y));
  paint.closePath();
  paint.fillStyle = `rgba(${rgb.map(value => Math.round(value * bright))}, ${two ? 0.42 : 0.34})`;
  paint.fill();
}

function dot({ row, x, y }, dense) {
  const kind = data.codes ? data.codes[row] : 0, r = 4.6 * dense * Math.min(Math.max(view.zoom, 0.8), 1.6);
  shape(paint, kind, x, y, r);
  paint.fillStyle = data.codes ? colour(kind) : colours.ink;
  paint.fill();
  paint.lineWidth = 0.8 * dense;
  paint.strokeStyle = colours.paper;
  paint.stroke();
  if (wrong[row]) {
    paint.beginPath();
    paint.arc(x, y, r * 2, 0, 7);
    paint.lineWidth = 1.5 * dense;
    paint.strokeStyle = colours.ink;
    paint.stroke();
  }
}

// The walls behind, with ticks; numbers and names stand along edges of the outline, where they hide nothing.

function frame(dense) {
  const centre = project([0, 0, 0]);
  paint.lineWidth = dense;
  paint.font = `${12 * dense}px system-ui, sans-serif`;
  paint.textAlign = "center";
  paint.textBaseline = "middle";
  const faraway = [0, 1, 2].map(axis => {
    const [low, high] = [-1, 1].map(side => project([0, 1, 2].map(x => x === axis ? side : 0))[2]);
    return low > high ? -1 : 1;
  });
  const line = (from, to, ink) => {
    const [a, b] = [project(from), project(to)];
    paint.strokeStyle = ink;
    paint.beginPath();
    paint.moveTo(a[0], a[1]);
    paint.lineTo(b[0], b[1]);
    paint.stroke();
  };
  const on = (axis, value, side, other) => {
    const u = [];
    [u[axis], u[(axis + 1) % 3], u[(axis + 2) % 3]] = [value, side, other];
    return u;
  };
  for (let axis = 0; axis < 3; axis++) for (const at of [...data.ticks[axis].map(tick => tick.at), -1, 1]) {
    const [p, q] = [faraway[(axis + 1) % 3], faraway[(axis + 2) % 3]];
    line(on(axis, at, p, -1), on(axis, at, p, 1), colours.grid);
    line(on(axis, at, -1, q), on(axis, at, 1, q), colours.grid);
  }
  for (let axis = 0; axis < 3; axis++) {
    // The edge that carries the numbers: one of the two between a wall that is seen and one that is not, further out.
    const [p, q] = [faraway[(axis + 1) % 3], faraway[(axis + 2) % 3]];
    const outer = edge => axis === 2 ? -project(on(axis, 0, ...edge))[0] : project(on(axis, 0, ...edge))[1];
    const edge = outer([p, -q]) > outer([-p, q]) ? [p, -q] : [-p, q];
    line(on(axis, -1, ...edge), on(axis, 1, ...edge), colours.ink);
    const [start, end] = [-1, 1].map(value => project(on(axis, value, ...edge)));
    const along = [end[0] - start[0], end[1] - start[1]], length = Math.hypot(...along) || 1;
    let out = [-along[1] / length, along[0] / length];
    const middle = [(start[0] + end[0]) / 2 - centre[0], (start[1] + end[1]) / 2 - centre[1]];
    if (out[0] * middle[0] + out[1] * middle[1] < 0) out = out.map(value => -value);
    paint.fillStyle = colours.ink;
    const every = Math.ceil(34 * dense * data.ticks[axis].length / length);
    data.ticks[axis].forEach((tick, number) => {
      const [x, y] = project(on(axis, tick.at, ...edge));
      if (number % every === 0) paint.fillText(tick.text, x + out[0] * 17 * dense, y + out[1] * 14 * dense);
    });
    name(data.features[axis], start, end, out, dense);
  }
}

function name(text, start, end, out, dense) {
  let angle = Math.atan2(end[1] - start[1], end[0] - start[0]);
  if (Math.abs(angle) > Math.PI / 2) angle += Math.PI;
  paint.save();
  paint.translate((start[0] + end[0]) / 2 + out[0] * 42 * dense, (start[1] + end[1]) / 2 + out[1] * 36 * dense);
  paint.rotate(angle);
  paint.font = `600 ${13 * dense}px system-ui, sans-serif`;
  paint.fillText(text, 0, 0);
  paint.restore();
}

// Words.

const percent = share => share > 0.9999 ? "> 99.99 %" : share < 0.0001 ? "< 0.01 %" : `${(100 * share).toFixed(2)} %`;

function tell() {
  const own = view.priors[classes - 1] === data.priors[classes - 1];
  const words = [view.priors.map((prior, k) => `${data.classes[k]}: prior ${prior.toFixed(2)}`).join(", ")];
  if (data.codes) {
    const { rows, errors } = data.undrawn, more = errors[own ? 0 : Math.round(100 * view.priors[1])];
    const counted = `errors ${wrong.filter(Boolean).length + more} of ${wrong.length + rows}`;
    words.push(rows ? `${counted} (${rows} not drawn)` : counted);
  }
  if (own) words.push(...data.about);
  document.getElementById("about").textContent = words.join("; ");
  canvas.setAttribute("aria-label", `${data.title}: ${data.features.join(", ")}. ${words.join("; ")}`);
}

function hover(event) {
  const box = canvas.getBoundingClientRect(), [x, y] = [event.clientX - box.left, event.clientY - box.top];
  let found = null, nearest = 12;
  for (const place of places) {
    const far = Math.hypot(place.x - x, place.y - y);
    if (far < nearest || found && far === nearest && place.depth < found.depth) [found, nearest] = [place, far];
  }
  note.hidden = !found;
  if (!found) return;
  const lines = [`row ${data.rows[found.row]}${data.codes ? `: ${data.classes[data.codes[found.row]]}` : ""}`];
  data.features.forEach((feature, axis) => lines.push(`${feature}: ${data.values[found.row][axis]}`));
  chances(data.logs[found.row]).forEach((p, k) => lines.push(`P(${data.classes[k]}): ${percent(p)}`));
  note.textContent = lines.join("\n");
  note.style.left = `${Math.max(0, Math.min(found.x + 14, box.width - note.offsetWidth - 4))}px`;
  note.style.top = `${Math.max(0, Math.min(found.y + 14, box.height - note.offsetHeight - 4))}px`;
}
