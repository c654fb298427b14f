// What mouse, fingers and keys do.

const fingers = new Map();
let due = false;

function soon() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => { due = false; draw(); });
}

function turn(dx, dy) {
  view.turn += dx;
  view.tilt = Math.min(Math.max(view.tilt + dy, -1.57), 1.57);
  note.hidden = true;
  soon();
}

function zoom(factor) {
  view.zoom = Math.min(Math.max(view.zoom * factor, 0.4), 6);
  note.hidden = true;
  soon();
}

canvas.addEventListener("pointerdown", event => {
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, event);
  hover(event);
});
canvas.addEventListener("pointermove", event => {
  const before = fingers.get(event.pointerId);
  if (!before) return hover(event);
  fingers.set(event.pointerId, event);
  const other = [...fingers.values()].find(one => one.pointerId !== event.pointerId);
  if (other) {
    const apart = one => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
    return zoom(apart(event) / apart(before));
  }
  const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
  if (dx || dy) turn(dx * 0.008, dy * 0.008);
});
for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, event => fingers.delete(event.pointerId));
canvas.addEventListener("pointerleave", () => { note.hidden = true; });
canvas.addEventListener("wheel", event => { event.preventDefault(); zoom(Math.exp(-event.deltaY * 0.0015)); }, { passive: false });
canvas.addEventListener("keydown", event => {
  const does = {
    ArrowLeft: () => turn(-0.1, 0), ArrowRight: () => turn(0.1, 0), ArrowUp: () => turn(0, -0.1), ArrowDown: () => turn(0, 0.1),
    "+": () => zoom(1.15), "=": () => zoom(1.15), "-": () => zoom(1 / 1.15), 0: () => { Object.assign(view, home); soon(); },
  }[event.key];
  if (does && !event.ctrlKey && !event.metaKey) { event.preventDefault(); does(); }
});

// What can be switched.

function change() {
  stale = true;
  soon();
}

function toggle(text, mark, flip) {
  const label = document.createElement("label"), box = document.createElement("input"), sign = document.createElement("canvas");
  box.type = "checkbox";
  box.checked = true;
  box.addEventListener("change", () => { flip(box.checked); soon(); });
  sign.width = sign.height = 36;
  sign.setAttribute("aria-hidden", "true");
  label.append(box, sign, text);
  document.getElementById("shown").append(label);
  return () => { const context = sign.getContext("2d"); context.clearRect(0, 0, 36, 36); mark(context); };
}

function fill(context, ink) {
  context.fillStyle = ink;
  context.fill();
}

const signs = data.codes ? data.classes.map((level, k) => toggle(level,
  context => { shape(context, k, 18, 18, 11); fill(context, colour(k)); },
  on => view.hidden[on ? "delete" : "add"](k))) : [];
signs.push(toggle("boundary", context => { context.beginPath(); context.rect(2, 8, 32, 20); fill(context, `rgba(${colours.sheet}, 0.6)`); },
  on => { view.sheet = on; }));

if (two) {
  const row = document.createElement("div"), label = document.createElement("label"), slider = document.createElement("input");
  const said = document.createElement("output"), back = document.createElement("button");
  const set = prior => {
    view.priors = [1 - prior, prior];
    said.textContent = prior.toFixed(2);
    change();
  };
  Object.assign(slider, { type: "range", min: 0.01, max: 0.99, step: 0.01, value: data.priors[1] });
  slider.addEventListener("input", () => set(slider.valueAsNumber));
  Object.assign(back, { type: "button", textContent: "the model's own" });
  back.addEventListener("click", () => { slider.value = data.priors[1]; set(data.priors[1]); });
  row.className = label.className = "priors";
  label.append(`P(${data.classes[1]})`, slider, said);
  row.append(label, back);
  document.getElementById("shown").append(row);
  said.textContent = data.priors[1].toFixed(2);
}

function dress() {
  theme();
  signs.forEach(sign => sign());
  soon();
}

document.getElementById("title").textContent = data.title;
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", dress);
new ResizeObserver(soon).observe(canvas);
dress();
