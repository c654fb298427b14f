"use strict";
(() => {
const told = JSON.parse(document.getElementById("content").textContent), W = told.words;
const SVG = "http://www.w3.org/2000/svg", COLOURS = 7;

// ground: elements, numbers, scales

function add(parent, name, attributes, text) {
  const one = document.createElementNS(SVG, name);
  for (const key in attributes) one.setAttribute(key, attributes[key]);
  if (text !== undefined) one.textContent = text;
  parent.appendChild(one);
  return one;
}
function canvas(place, width, height) {
  place.textContent = "";
  return add(place, "svg", {viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true", focusable: "false"});
}
function short(value) {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const told = size >= 1e6 || (size && size < 1e-3) ? value.toExponential(1) : String(+value.toPrecision(size >= 1000 ? 6 : 3));
  return told.replace("-", "−");
}
const share = value => (100 * value).toFixed(value > 0.001 && value < 0.999 || value === 0 || value === 1 ? 1 : 3) + " %";
function cut(text, letters) {
  const all = [...String(text)];
  return all.length > letters ? all.slice(0, letters - 1).join("") + "…" : String(text);
}
function wide(text) { // letters of full width count twice
  let sum = 0;
  for (const letter of String(text)) sum += letter.codePointAt(0) > 0x2e7f ? 12 : 6.4;
  return sum;
}
const sigmoid = x => x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));
const clip = (x, low, high) => Math.min(Math.max(x, low), high);
function ticks(low, high, most) {
  const raw = (high - low) / Math.max(most, 1), power = 10 ** Math.floor(Math.log10(raw || 1));
  const step = [1, 2, 5, 10].map(x => x * power).find(x => x >= raw) || power;
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9) * step; at <= high + step * 1e-9; at += step) found.push(Math.abs(at) < step * 1e-9 ? 0 : at);
  return found;
}
const scale = (low, high, from, to) => value => from + (value - low) / ((high - low) || 1) * (to - from);
function axes(s, box, x, y, names) { // box: left, top, right, bottom; x and y: [low, high]
  const [left, top, right, bottom] = box, sx = scale(x[0], x[1], left, right), sy = scale(y[0], y[1], bottom, top);
  for (const at of ticks(x[0], x[1], 6)) {
    add(s, "line", {x1: sx(at), x2: sx(at), y1: top, y2: bottom, class: "grid"});
    add(s, "text", {x: sx(at), y: bottom + 16, class: "mid soft"}, short(at));
  }
  for (const at of ticks(y[0], y[1], 6)) {
    add(s, "line", {x1: left, x2: right, y1: sy(at), y2: sy(at), class: "grid"});
    add(s, "text", {x: left - 6, y: sy(at) + 4, class: "end soft"}, short(at));
  }
  add(s, "text", {x: (left + right) / 2, y: bottom + 34, class: "mid"}, cut(names[0], 60));
  add(s, "text", {x: left, y: top - 8}, cut(names[1], 60));
  return [sx, sy];
}
const path = points => "M" + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
function legend(s, names, x, y, room) {
  names.forEach((name, at) => {
    const told = cut(name, 22), size = 22 + wide(told);
    if (x + size > room && at) { x = 60; y += 18; }
    add(s, "rect", {x, y: y - 9, width: 10, height: 10, class: "f" + at % COLOURS});
    add(s, "text", {x: x + 14, y}, told);
    x += size + 12;
  });
  return y;
}
function bars(place, items, unit, width = 640) { // [{name, value, colour, told}]; names on the left, bars from zero
  const label = Math.min(Math.max(...items.map(one => wide(cut(one.name, 34)))) + 12, width * 0.45), step = 24;
  const low = Math.min(0, ...items.map(one => one.value)), high = Math.max(0, ...items.map(one => one.value));
  const s = canvas(place, width, items.length * step + 34), x = scale(low, high, label + (low < 0 ? 56 : 4), width - 62);
  items.forEach((one, at) => {
    const y = at * step + 4, from = Math.min(x(0), x(one.value)), size = Math.abs(x(one.value) - x(0));
    const name = add(s, "text", {x: label - 6, y: y + 14, class: "end"}, cut(one.name, 34));
    add(name, "title", {}, one.name);
    add(s, "rect", {x: from, y: y + 2, width: Math.max(size, 0.8), height: step - 8, class: "f" + (one.colour || 0)});
    const left = one.value < 0;
    add(s, "text", {x: left ? from - 5 : from + size + 5, y: y + 14, class: left ? "end soft" : "soft"}, one.told || short(one.value));
  });
  add(s, "line", {x1: x(0), x2: x(0), y1: 2, y2: items.length * step + 2, class: "axis"});
  add(s, "text", {x: x(0), y: items.length * step + 22, class: low < 0 ? "mid soft" : "soft"}, unit);
}

// the charts, by name

const draw = {
  balance(place) {
    const rows = told.data.rows || 1;
    bars(place, told.data.balance.slice(0, 30).map((one, at) => (
      {name: one.class, value: one.rows, colour: at % COLOURS, told: `${one.rows} (${share(one.rows / rows)})`})), W.rows, 720);
  },
  models(place) {
    const m = told.models, key = m.loss, finite = m.rows.filter(one => typeof one[key] === "number");
    if (!finite.length) return;
    const least = finite[0][key], squash = Math.max(m.baseline, ...finite.slice(0, 3).map(one => one[key]));
    const most = Math.max(...finite.map(one => one[key] + 2 * (one.standard_error || 0)));
    const high = Math.min(most, squash + 1.5 * (squash - least)) * 1.04, low = Math.max(0, Math.min(...finite.map(one => one[key] - 2 * (one.standard_error || 0))) * 0.96);
    const label = Math.max(...finite.map(one => wide(cut(one.name, 26)))) + 14, height = m.rows.length * 26 + 20;
    const s = canvas(place, 640, height + 44), [x] = axes(s, [label, 18, 600, height], [low, high], [0, 1], [W[key] || key, ""]);
    s.querySelectorAll("text.end").forEach(one => one.remove());
    if (m.baseline >= low && m.baseline <= high) add(s, "line", {x1: x(m.baseline), x2: x(m.baseline), y1: 14, y2: height, class: "dash"});
    m.rows.forEach((one, at) => {
      const y = 34 + at * 26, colour = one.name === m.chosen ? 1 : 0;
      add(s, "text", {x: label - 8, y: y + 4, class: "end"}, cut(one.name, 26));
      if (typeof one[key] !== "number" || one[key] > high) {
        add(s, "text", {x: 606, y: y + 4, class: "soft"}, `${typeof one[key] === "number" ? short(one[key]) : "∞"} →`);
        return;
      }
      const e = 2 * (one.standard_error || 0);
      add(s, "line", {x1: x(Math.max(one[key] - e, low)), x2: x(Math.min(one[key] + e, high)), y1: y, y2: y, class: "line s" + colour});
      add(s, "circle", {cx: x(one[key]), cy: y, r: 5, class: "f" + colour});
    });
  },
  scatter(place) {
    const points = told.performance.points, all = points.flat(), low = Math.min(...all), high = Math.max(...all), room = (high - low) * 0.04 || 1;
    const ends = [low - room, high + room], s = canvas(place, 560, 520), [x, y] = axes(s, [70, 30, 540, 470], ends, ends, [W.true, W.predicted]);
    add(s, "path", {d: path(ends.map(at => [x(at), y(at)])), class: "dash"});
    for (const [a, b] of points) add(s, "circle", {cx: x(a), cy: y(b), r: 3.5, class: "f0", "fill-opacity": 0.55});
  },
  calibration(place) {
    const s = canvas(place, 560, 500), [x, y] = axes(s, [60, 40, 520, 440], [0, 1], [0, 1], [W.predicted, W.observed]);
    add(s, "path", {d: path([[x(0), y(0)], [x(1), y(1)]]), class: "dash"});
    const kinds = ["before", "after"].filter(kind => told.calibration[kind]);
    kinds.forEach((kind, colour) => {
      const c = told.calibration[kind], shift = colour * 5 - 2;
      c.forecast.forEach((p, at) => add(s, "line", {x1: x(p) + shift, x2: x(p) + shift, y1: y(c.low[at]), y2: y(c.high[at]), class: "s" + colour, "stroke-opacity": 0.55, "stroke-width": 1.6}));
      add(s, "path", {d: path(c.forecast.map((p, at) => [x(p) + shift, y(c.observed[at])])), class: "line s" + colour});
      c.forecast.forEach((p, at) => colour
        ? add(s, "rect", {x: x(p) + shift - 4, y: y(c.observed[at]) - 4, width: 8, height: 8, class: "f1"})
        : add(s, "circle", {cx: x(p) + shift, cy: y(c.observed[at]), r: 4.5, class: "f0"}));
    });
    legend(s, kinds.map(kind => W[kind]), 300, 32, 560);
  },
  confusion(place) {
    const c = told.confusion, n = c.classes.length;
    if (n > 30) return;
    const label = Math.min(Math.max(...c.classes.map(one => wide(cut(one, 16)))) + 30, 180), side = clip(420 / n, 22, 84), top = n > 6 ? 96 : 44;
    const s = canvas(place, Math.max(label + side * n + 20, 320), top + side * n + 12);
    add(s, "text", {x: label, y: 14, class: "soft"}, W.predicted + " →");
    add(s, "text", {x: 0, y: top - 8, class: "soft"}, W.true + " ↓");
    c.classes.forEach((name, at) => {
      const x = label + side * (at + 0.5), one = add(s, "text", n > 6
        ? {x, y: top - 8, transform: `rotate(-45 ${x} ${top - 8})`} : {x, y: top - 8, class: "mid"}, cut(name, n > 6 ? 12 : Math.max(Math.floor(side / 7), 3)));
      add(one, "title", {}, name);
      add(s, "text", {x: label - 8, y: top + side * (at + 0.5) + 4, class: "end"}, cut(name, 16));
    });
    c.matrix.forEach((line, row) => {
      const sum = line.reduce((a, b) => a + b, 0) || 1;
      line.slice(0, n).forEach((count, at) => {
        const part = count / sum, x = label + side * at, y = top + side * row;
        add(s, "rect", {x, y, width: side - 2, height: side - 2, class: row === at ? "f0" : "f1", "fill-opacity": (0.06 + 0.5 * part).toFixed(3)});
        if (count || n <= 6) add(s, "text", {x: x + side / 2 - 1, y: y + side / 2 + 4, class: "mid"}, count);
      });
    });
  },
  beliefs(place) {
    bars(place, told.beliefs.columns.slice(0, 20).map(one => ({name: one.name, value: one.bits})), W.bits);
  },
  belief(place) {
    const one = told.beliefs.columns[place.dataset.at], names = told.beliefs.classes;
    if (one.means) {
      // a class of too few rows has a mean and no spread, or neither
      const spread = at => Number.isFinite(one.spreads[at]) ? one.spreads[at] : 0, known = [...one.means.keys()].filter(at => Number.isFinite(one.means[at]));
      const n = one.means.length, low = Math.min(...known.map(at => one.means[at] - 2 * spread(at))), high = Math.max(...known.map(at => one.means[at] + 2 * spread(at)));
      const label = Math.max(...names.slice(0, n).map(name => wide(cut(name, 14)))) + 10, s = canvas(place, 340, n * 26 + 34), x = scale(low, high, label + 4, 330);
      names.slice(0, n).forEach((name, at) => {
        const y = at * 26 + 14, m = one.means[at], d = spread(at);
        add(s, "text", {x: label - 4, y: y + 4, class: "end"}, cut(name, 14));
        if (!known.includes(at)) return;
        add(s, "line", {x1: x(m - d), x2: x(m + d), y1: y, y2: y, class: "s" + at % COLOURS, "stroke-width": 9, "stroke-opacity": 0.5});
        add(s, "circle", {cx: x(m), cy: y, r: 5, class: "f" + at % COLOURS});
      });
      for (const at of known.length ? ticks(low, high, 4) : []) add(s, "text", {x: x(at), y: n * 26 + 22, class: "mid soft"}, short(at));
      add(s, "line", {x1: label, x2: 334, y1: n * 26 + 6, y2: n * 26 + 6, class: "axis"});
      return;
    }
    const n = one.shares[0].length, label = Math.min(Math.max(...one.levels.map(name => wide(cut(name, 16)))) + 10, 130), step = 7 * n + 10;
    const s = canvas(place, 340, one.levels.length * step + 24), x = scale(0, 1, label + 2, 330);
    one.levels.forEach((name, row) => {
      add(s, "text", {x: label - 4, y: row * step + step / 2 + 3, class: "end"}, cut(name, 16));
      one.shares[row].forEach((value, at) => add(s, "rect", {x: x(0), y: row * step + 3 + at * 7, width: Math.max(x(value) - x(0), 0.8), height: 6, class: "f" + at % COLOURS}));
    });
    add(s, "line", {x1: x(0), x2: x(0), y1: 0, y2: one.levels.length * step, class: "axis"});
    legend(s, names.slice(0, n), label + 2, one.levels.length * step + 18, 1e9);
  },
  reasons(place) {
    const one = told.examples.rows[place.dataset.at];
    bars(place, one.reasons.map(reason => {
      const amount = reason.amount === "inf" ? 20 : reason.amount === "-inf" ? -20 : reason.amount;
      return {name: reason.value ? `${cut(reason.name, 18)} = ${cut(reason.value, 14)}` : reason.name, value: amount || 0, colour: amount < 0 ? 1 : 0, told: typeof reason.amount === "number" ? short(amount) : String(reason.amount || "").replace("inf", "∞")};
    }), "0");
  },
  graph(place) {
    const g = told.graph;
    if (g.form === "average" || g.form === "pool") return bars(place, g.members.map(one => ({name: one.name, value: one.weight})), W.weight);
    if (g.form === "tree") return tree(place, g);
    if (g.form === "star") return star(place, g);
    const nodes = g.nodes, left = Math.min(...nodes.map(one => one.x - one.width / 2)), right = Math.max(...nodes.map(one => one.x + one.width / 2));
    const unit = clip(660 / (right - left), 40, 84), layers = 1 + Math.max(...nodes.map(one => one.y)), gap = 66;
    const width = Math.max((right - left) * unit + 20, 320), s = canvas(place, width, layers * gap + 6), at = {};
    const arrow = add(add(s, "defs", {}), "marker", {id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse", markerUnits: "userSpaceOnUse"});
    add(arrow, "path", {d: "M0 0L8 4L0 8z", class: "f6"});
    for (const one of nodes) at[one.name] = [10 + (one.x - left) * unit, 20 + one.y * gap, one.width * unit];
    const most = Math.max(...g.arcs.map(one => one.weight)) || 1;
    for (const one of g.arcs) {
      const [x1, y1] = at[one.from], [x2, y2] = at[one.to], bend = (y2 - y1) * 0.45;
      add(s, "path", {d: `M${x1} ${y1 + 13}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2 - 15}`, class: "s6", fill: "none", "stroke-width": (0.8 + 2.6 * Math.max(one.weight, 0) / most).toFixed(2), "stroke-opacity": 0.75, "marker-end": "url(#arrow)"});
    }
    for (const one of nodes) {
      const [x, y, size] = at[one.name], told_ = cut(one.name, Math.max(Math.floor((size - 8) / 6.6), 4));
      add(s, "rect", {x: x - size / 2, y: y - 13, width: size, height: 26, rx: 6, class: "box" + (one.name === g.target ? " s1" : "")});
      add(add(s, "text", {x, y: y + 4, class: "mid inbox"}, told_), "title", {}, one.name);
    }
  },
  boundary(place) {
    const b = told.boundary, n = b.squares, s = canvas(place, 600, 532), box = [70, 46, 574, 478]; // whole pixels for each square
    const cell = add(s, "g", {});
    const [x, y] = axes(s, box, b.box[0], b.box[1], b.features), w = (box[2] - box[0]) / n, h = (box[3] - box[1]) / n;
    b.best.forEach((best, at) => add(cell, "rect", {x: (box[0] + at % n * w).toFixed(1), y: (box[3] - (Math.floor(at / n) + 1) * h).toFixed(1), width: w.toFixed(1), height: h.toFixed(1), "shape-rendering": "crispEdges", class: "f" + best % COLOURS, "fill-opacity": (0.08 + 0.4 * (b.probability[at] - 1 / b.classes.length) / (1 - 1 / b.classes.length)).toFixed(2)}));
    for (const [a, c, k] of b.points) add(s, "circle", {cx: x(a).toFixed(1), cy: y(c).toFixed(1), r: 3, class: `f${k % COLOURS} halo`, stroke: "none"});
    const used = b.classes.slice(0, COLOURS);
    legend(s, used, 70, 18, 600);
  },
  roc, nomogram,
};

function star(place, g) { // the class above, the columns in lines below it
  const room = 660, rows = [[]];
  let used = 0;
  for (const name of g.names) {
    const size = Math.min(wide(cut(name, 20)) + 18, 160);
    if (used + size + 10 > room && used) { rows.push([]); used = 0; }
    rows[rows.length - 1].push([name, size]);
    used += size + 10;
  }
  const s = canvas(place, room, 92 + rows.length * 40), box = (name, x, y, size, kind) => {
    add(s, "rect", {x: x - size / 2, y: y - 13, width: size, height: 26, rx: 6, class: "box" + kind});
    add(add(s, "text", {x, y: y + 4, class: "mid inbox"}, cut(name, 20)), "title", {}, name);
  };
  const laid = rows.flatMap((line, row) => {
    let x = (room - line.reduce((sum, one) => sum + one[1] + 10, -10)) / 2;
    return line.map(([name, size]) => { x += size + 10; return [name, x - 10 - size / 2, 96 + row * 40, size]; });
  });
  for (const [, x, y] of laid) add(s, "path", {d: `M${room / 2} 30L${x} ${y - 13}`, class: "grid"});
  for (const [name, x, y, size] of laid) box(name, x, y, size, "");
  box(g.target, room / 2, 18, Math.min(wide(cut(g.target, 20)) + 22, 200), " s1");
}
function tree(place, g) {
  const sons = {}, middle = {}, ends = [];
  for (const one of g.nodes) (sons[one.parent] ||= []).push(one);
  const lay = one => {
    const mine = sons[one.id] || [];
    mine.forEach(lay);
    if (mine.length) middle[one.id] = (middle[mine[0].id] + middle[mine[mine.length - 1].id]) / 2;
    else { middle[one.id] = 24 + ends.length * 42; ends.push(one.id); }
  };
  lay(g.nodes[0]);
  const levels = 1 + Math.max(...g.nodes.map(one => one.level)), step = 172, s = canvas(place, levels * step + 10, ends.length * 42 + 12);
  for (const one of g.nodes) if (one.parent !== null) {
    const x = one.level * step;
    add(s, "path", {d: `M${x - step + 132} ${middle[one.parent]}C${x - 20} ${middle[one.parent]} ${x - 20} ${middle[one.id]} ${x + 4} ${middle[one.id]}`, class: "axis"});
  }
  for (const one of g.nodes) {
    const x = one.level * step + 4, y = middle[one.id];
    add(s, "rect", {x, y: y - 18, width: 130, height: 36, rx: 5, class: "box"});
    const says = `${one.more ? "… " : ""}${cut(one.says, 10)} (${one.rows})`;
    if (one.test) add(add(s, "text", {x: x + 6, y: y - 4, class: "inbox"}, cut(one.test, 20)), "title", {}, one.test);
    add(s, "text", {x: x + 6, y: y + (one.test ? 12 : 4), class: one.test ? "soft" : "inbox"}, says);
  }
}

// what can be moved: a slider, and a mark for the mouse, which move each other

function drag(mark, s, move) {
  mark.addEventListener("pointerdown", event => {
    event.preventDefault();
    mark.setPointerCapture(event.pointerId);
    const go = event => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(s.getScreenCTM().inverse());
      move(at.x, at.y);
    };
    mark.addEventListener("pointermove", go);
    mark.addEventListener("pointerup", () => mark.removeEventListener("pointermove", go), {once: true});
  });
}

function roc(place) {
  const choice = document.getElementById("roc-class"), prior = document.getElementById("roc-prior"), cost = document.getElementById("roc-cost");
  const says = document.getElementById("roc-says");
  let c, s, x, y, mark;
  const rows = () => c.positives + c.negatives, shares = () => Math.log(c.positives / c.negatives);
  const odds = at => c.log_odds[at] === null ? Infinity : c.log_odds[at];
  function plot() {
    c = told.roc.classes[choice.value];
    s = canvas(place, 560, 500);
    [x, y] = axes(s, [60, 40, 520, 440], [0, 1], [0, 1], [W.false_alarm, W.detected]);
    add(s, "path", {d: path([[x(0), y(0)], [x(1), y(1)]]), class: "dash"});
    add(s, "path", {d: path(c.false_positives.map((f, at) => [x(f / c.negatives), y(c.true_positives[at] / c.positives)])), class: "line s0", id: "roc-curve"});
    add(s, "text", {x: 516, y: 430, class: "end"}, `AUC ${short(c.auc)}  [${short(c.interval[0])}, ${short(c.interval[1])}]`);
    mark = add(s, "circle", {r: 8, class: "f1 drag", id: "roc-point"});
    drag(mark, s, (px, py) => {
      let best = 0, near = Infinity;
      c.log_odds.forEach((_, at) => {
        const away = (x(c.false_positives[at] / c.negatives) - px) ** 2 + (y(c.true_positives[at] / c.positives) - py) ** 2;
        if (away < near && at) { near = away; best = at; }
      });
      const next = best + 1 < c.log_odds.length ? odds(best + 1) : odds(best) - 1;
      cost.value = Math.round(100 * (prior.value / 100 - c.prior_log_odds - (odds(best) + Math.max(next, odds(best) - 0.02)) / 2) / Math.LN10);
      update();
    });
    reset();
  }
  function reset() {
    prior.value = Math.round(100 * clip(shares(), -6, 6));
    cost.value = 0;
    update();
  }
  function update() {
    // of the class as common as said, and costs: detect where the odds exceed the cost of a false alarm over that of a miss
    const moved = Number(prior.value) === Math.round(100 * clip(shares(), -6, 6)) ? shares() : prior.value / 100;
    const ratio = 10 ** (cost.value / 100), least = -Math.log(ratio) + c.prior_log_odds - moved, p = sigmoid(moved);
    let at = 0;
    while (at + 1 < c.log_odds.length && odds(at + 1) >= least) at++;
    const f = c.false_positives[at] / c.negatives, t = c.true_positives[at] / c.positives;
    mark.setAttribute("cx", x(f));
    mark.setAttribute("cy", y(t));
    const told_prior = share(p), told_cost = ratio >= 1 ? `${short(ratio)} : 1` : `1 : ${short(1 / ratio)}`;
    document.getElementById("roc-prior-says").textContent = told_prior;
    document.getElementById("roc-cost-says").textContent = told_cost;
    prior.setAttribute("aria-valuetext", told_prior);
    cost.setAttribute("aria-valuetext", told_cost);
    const expected = p * ratio * (1 - t) + (1 - p) * f;
    says.textContent = "";
    const line = (name, text, id) => {
      const one = document.createElement("p"), strong = document.createElement("strong");
      one.textContent = name + ": ";
      strong.textContent = text;
      strong.id = id;
      one.appendChild(strong);
      says.appendChild(one);
      return one;
    };
    line(W.roc_threshold, share(sigmoid(least)), "roc-threshold");
    const cases = [p * t, p * (1 - t), (1 - p) * f].map(value => Math.round(1000 * value));
    cases.push(1000 - cases[0] - cases[1] - cases[2]);
    line(W.roc_cases, [W.detected, W.missed, W.false_alarm, W.left_alone].map((name, at) => `${name} ${cases[at]}`).join(", "), "roc-cases");
    const always = W.roc_always.replace("{always}", short(1 - p)).replace("{never}", short(p * ratio));
    line(W.roc_expected, short(expected), "roc-expected").append(` (${always})`);
  }
  choice.addEventListener("change", plot);
  for (const one of [prior, cost]) one.addEventListener("input", update);
  document.getElementById("roc-reset").addEventListener("click", reset);
  plot();
}

function rounds(values) { // places of the ends, and of those next to round numbers
  const near = ticks(values[0], values[values.length - 1], 7).map(at => values.reduce((best, value, k) => Math.abs(value - at) < Math.abs(values[best] - at) ? k : best, 0));
  return [...new Set([0, values.length - 1, ...near])];
}
function nomogram(place) {
  const g = told.nomogram, label = Math.min(Math.max(...g.columns.map(one => wide(cut(one.name, 18)))) + 14, 150), gap = 46;
  const low = Math.min(0, ...g.columns.flatMap(one => one.points)), high = Math.max(...g.columns.flatMap(one => one.points));
  const s = canvas(place, 680, g.columns.length * gap + 44), x = scale(low, high, label + 24, 650);
  for (const at of ticks(low, high, 8)) {
    add(s, "line", {x1: x(at), x2: x(at), y1: 26, y2: g.columns.length * gap + 30, class: "grid"});
    add(s, "text", {x: x(at), y: 14, class: "mid soft"}, short(at));
  }
  const inputs = g.columns.map((one, at) => document.getElementById("nomogram-" + at));
  const marks = g.columns.map((one, at) => {
    const y = 50 + at * gap, ends = [Math.min(...one.points), Math.max(...one.points)];
    add(s, "text", {x: label - 10, y: y + 4, class: "end"}, cut(one.name, 18));
    add(s, "line", {x1: x(ends[0]), x2: x(ends[1]), y1: y, y2: y, class: "line s0"});
    const taken = [];
    const order = one.number ? rounds(one.values) : [...one.values.keys()];
    for (const k of order) {
      const px = x(one.points[k]), name = one.number ? short(one.values[k]) : cut(one.values[k], 14), half = wide(name) / 2 + 4;
      add(s, "line", {x1: px, x2: px, y1: y - 4, y2: y + 4, class: "s0"});
      for (const below of [1, 0]) {
        if (taken.every(([at_, size, side]) => side !== below || Math.abs(at_ - px) > size + half) && px - half > label - 8) {
          taken.push([px, half, below]);
          add(s, "text", {x: px, y: below ? y + 19 : y - 9, class: "mid soft"}, name);
          break;
        }
      }
    }
    const mark = add(s, "circle", {cy: y, r: 8, class: "f1 drag"});
    drag(mark, s, px => {
      let best = 0;
      one.points.forEach((value, k) => { if (Math.abs(x(value) - px) < Math.abs(x(one.points[best]) - px)) best = k; });
      inputs[at].value = best;
      update();
    });
    inputs[at].addEventListener("input", update);
    return mark;
  });
  function update() {
    let total = g.rest;
    g.columns.forEach((one, at) => {
      const k = Number(inputs[at].value), points = k < 0 ? one.missing : one.points[k];
      const said = k < 0 ? W.left_blank : one.number ? short(one.values[k]) : one.values[k];
      total += points;
      marks[at].setAttribute("cx", x(clip(points, low, high)));
      marks[at].setAttribute("fill-opacity", k < 0 ? 0.35 : 1);
      document.getElementById(`nomogram-${at}-says`).textContent = cut(said, 30);
      inputs[at].setAttribute("aria-valuetext", said);
    });
    document.getElementById("nomogram-says").textContent = `${share(sigmoid(g.base + g.unit * total))} (${W.total} ${short(total)})`;
  }
  document.getElementById("nomogram-reset").addEventListener("click", () => { inputs.forEach(one => { one.value = -1; }); update(); });
  update();
}

for (const place of document.querySelectorAll("[data-chart]")) draw[place.dataset.chart](place);

// data tables of few rows are printed, too
const few = () => [...document.querySelectorAll("details")].filter(one => !one.open && one.querySelectorAll("tr").length <= 24);
let opened = [];
addEventListener("beforeprint", () => { opened = few(); opened.forEach(one => { one.open = true; }); });
addEventListener("afterprint", () => { opened.forEach(one => { one.open = false; }); });
})();
