"use strict";
(() => {
  const frame = document.querySelector(".atlas");
  const picture = frame.querySelector("svg");
  const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
  const READABLE = 0.75, whole = frame.clientWidth / width;
  let scale = Math.min(1, Math.max(READABLE, whole)), x = 0, y = 0;
  const NEAR = 5; // pixels that a finger may tremble
  const held = new Map();

  function draw() {
    picture.setAttribute("width", width * scale);
    picture.setAttribute("height", height * scale);
    frame.scrollLeft = x;
    frame.scrollTop = y;
    x = frame.scrollLeft;
    y = frame.scrollTop;
  }
  function zoom(by, at) {
    const before = scale;
    scale = Math.max(0.15, Math.min(4, scale * by));
    x = (frame.scrollLeft + at[0]) * (scale / before) - at[0];
    y = (frame.scrollTop + at[1]) * (scale / before) - at[1];
    draw();
  }
  const nearer = (by) => zoom(by, [frame.clientWidth / 2, frame.clientHeight / 2]);
  const place = (event) => [event.clientX - frame.getBoundingClientRect().left, event.clientY - frame.getBoundingClientRect().top];
  const apart = () => { const [a, b] = [...held.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };

  frame.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, place(event));
  }, { passive: false });
  frame.addEventListener("pointerdown", (event) => held.set(event.pointerId, place(event)));
  frame.addEventListener("pointermove", (event) => {
    if (!held.has(event.pointerId)) return;
    const from = held.get(event.pointerId), here = place(event);
    if (!frame.hasPointerCapture(event.pointerId)) { // a press that does not move may be a click on a rule
      if (Math.hypot(here[0] - from[0], here[1] - from[1]) < NEAR) return;
      frame.setPointerCapture(event.pointerId);
    }
    const before = held.size === 2 ? apart() : 0;
    held.set(event.pointerId, here);
    if (held.size === 2) zoom(apart() / before, here);
    else { frame.scrollLeft -= here[0] - from[0]; frame.scrollTop -= here[1] - from[1]; }
  });
  const release = (event) => held.delete(event.pointerId);
  for (const end of ["pointerup", "pointercancel"]) frame.addEventListener(end, release);
  frame.addEventListener("pointerleave", (event) => { if (!frame.hasPointerCapture(event.pointerId)) release(event); });
  frame.addEventListener("dragstart", (event) => event.preventDefault()); // a rule is no picture to take away
  frame.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "-") nearer(event.key === "+" ? 1.2 : 1 / 1.2);
  });
  for (const button of document.querySelectorAll(".near button")) {
    button.addEventListener("click", () => nearer(Number(button.value) || whole / scale));
  }
  document.querySelector(".near").hidden = false;
  function look(part, down) { // the part in the middle, or so far down
    const at = part.getBoundingClientRect(), within = frame.getBoundingClientRect();
    frame.scrollLeft += at.x - within.x - (within.width - at.width) / 2;
    frame.scrollTop += at.y - within.y - (down ?? (within.height - at.height) / 2);
  }
  function mark() {
    for (const link of links) link.classList.toggle("here", link.getAttribute("href") === location.hash);
    const phase = location.hash.startsWith("#phase-") && document.getElementById(location.hash.slice(1));
    if (phase) { frame.scrollIntoView({ block: "nearest" }); look(phase); }
  }
  const links = [...picture.querySelectorAll("a:not(.arrow)")];
  addEventListener("hashchange", mark);

  // ---- the way of a log: `#variant/…`, as “Who is right?” has it ----
  const map = document.querySelector(".whole"), way = document.querySelector(".way span");
  async function light() {
    for (const part of document.querySelectorAll(".lit")) part.classList.remove("lit");
    if (way) way.hidden = true;
    if (!map.dataset.modules || !/[/|]|%7C/i.test(location.hash)) return;
    const modules = new URL(map.dataset.modules, location.href).href, { Table, readLine, fromFragment } = await import(modules.replace(/[^/]*$/, "argument.js"));
    const log = readLine(fromFragment(location.hash.slice(1))), name = `${modules}${log.players.length}`;
    if (!name.endsWith(`/${log.variant}.${log.players.length}`)) return;
    const [rules, bytes] = await Promise.all([fetch(`${name}.json`).then((file) => file.json()), fetch(`${name}.wasm`).then((file) => file.arrayBuffer())]);
    const { passed } = (await Table.make(rules, bytes)).play(log, { brief: true }), phases = new Set();
    for (const arrow of map.querySelectorAll("[data-rules]")) {
      if (!arrow.dataset.rules.split(" ").some((rule) => passed.has(rule))) continue;
      arrow.classList.add("lit");
      phases.add(arrow.dataset.from).add(arrow.dataset.to);
    }
    for (const box of map.querySelectorAll("[data-phase]")) box.classList.toggle("lit", phases.has(box.dataset.phase));
    for (const link of picture.querySelectorAll("a")) link.classList.toggle("lit", passed.has(link.getAttribute("href").slice(1)));
    way.hidden = false;
    way.querySelector("a").hash = location.hash;
    map.dataset.lit = String(phases.size);
  }
  const lit = () => light().catch(() => {});  // a log that cannot be read, or no server, lights nothing
  addEventListener("hashchange", lit);
  lit();
  draw();
  mark();
  const asked = picture.querySelector("a.here"), first = picture.querySelector("g > rect[rx=\"7.0\"]"); // a phase
  if (asked) look(asked); else if (first && !location.hash.startsWith("#phase-")) look(first, 60);
})();
