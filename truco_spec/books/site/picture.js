// A picture of the table with the verdict, for a chat: SVG, made of the cards that the page has drawn, and PNG of that.

const SVG = "http://www.w3.org/2000/svg", WIDE = 720, HIGH = 92 / 60, FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const COLOURS = { felt: "#2f6b4a", on: "#f4fbf6", chip: "#ffe9a8", dark: "#2a2000", paper: "#fdfcf8", ink: "#1d1c1a", soft: "#5c5a55", yes: "#1d6b2c", no: "#b3261e" };
/** Where seats are, by their hour: the middle of their cards. */
const PLACES = { 0: [360, 524], 1: [600, 524], 2: [600, 524], 3: [612, 332], 4: [600, 146], 5: [600, 146], 6: [360, 146], 7: [120, 146], 8: [120, 146], 9: [108, 332], 10: [120, 524] };
const HELD = 44, PLAYED = 58, TURNED = 46, SMALL = 24, FELT = 630;

const part = (tag, attributes, ...inside) => {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...inside);
  return made;
};
const pen = document.createElement("canvas").getContext("2d");
function text(x, y, size, said, { fill = COLOURS.on, weight = 400, anchor = "middle", most = 0 } = {}) {
  pen.font = `${weight} ${size}px ${FONT}`;
  let told = said;
  if (most) while (told.length > 1 && pen.measureText(told).width > most) told = `${told.slice(0, -2)}…`;
  return part("text", { x, y, "font-size": size, "font-family": FONT, "font-weight": weight, fill, "text-anchor": anchor }, told);
}
function lines(said, size, weight, most) {
  pen.font = `${weight} ${size}px ${FONT}`;
  const found = [""];
  for (const word of said.split(/\s+/)) {
    const longer = `${found.at(-1)} ${word}`.trim();
    if (!found.at(-1) || pen.measureText(longer).width <= most) found[found.length - 1] = longer; else found.push(word);
  }
  return found;
}

/** The picture of a board: `how` as for Board.draw; `verdict` has a heading, whether it is permitted, sentences and where it is from. */
export function picture(board, how, verdict) {
  const used = new Set(), shapes = [], seats = how.players.length;
  const card = (face, x, y, wide, best = false) => {
    const name = `${how.of}card-${face[0]}`;
    used.add(name);
    if (best) shapes.push(part("rect", { x: x - wide / 20, y: y - wide / 20, width: wide * 1.1, height: wide * (HIGH + 0.1), rx: wide / 9, fill: "none", stroke: COLOURS.chip, "stroke-width": wide / 12 }));
    shapes.push(part("use", { href: `#${name}`, x, y, width: wide, height: wide * HIGH }));
    if (!face[2]) return;
    used.add(`${how.of}mark`);
    shapes.push(part("use", { href: `#${how.of}mark`, x, y, width: wide, height: wide * HIGH }));
  };
  const row = (cards, x, y, wide, gap, draw) => cards.forEach((one, n) => draw(one, x - ((cards.length - 1) * gap + wide) / 2 + n * gap, y));

  board.facts.slice(0, 4).forEach(([name, value], n) => shapes.push(
    text(28 + n * 170, 34, 14, how.labels[name] ?? name, { anchor: "start", most: 160 }), text(28 + n * 170, 60, 24, value, { anchor: "start", weight: 700, most: 200 })));
  how.players.forEach((name, seat) => {
    const [x, y] = PLACES[Math.floor((seat * 12) / seats)], low = y - (HELD * HIGH) / 2 + 12;
    if (board.seat === seat) shapes.push(part("rect", { x: x - 92, y: low - 32, width: 184, height: HELD * HIGH + 42, rx: 14, fill: "none", stroke: COLOURS.chip, "stroke-width": 3 }));
    shapes.push(text(x, low - 10, 18, name, { weight: 600, most: 170 }));
    const held = board.holds[seat];
    row(held, x, low, HELD, Math.min(HELD + 4, 130 / Math.max(held.length - 1, 1)), (face, left, top) => card(face, left, top, HELD));
    if (board.seat !== seat || !board.says) return;
    pen.font = `600 17px ${FONT}`;
    const wide = Math.min(pen.measureText(board.says).width + 26, 180), high = low + HELD * HIGH - 24;
    shapes.push(part("rect", { x: x - wide / 2, y: high, width: wide, height: 28, rx: 14, fill: COLOURS.chip }), text(x, high + 20, 17, board.says, { fill: COLOURS.dark, weight: 600, most: 164 }));
  });
  const turned = board.turned.flatMap(([label, cards]) => cards.map((face) => [label, face]));
  row(turned, 360, 214, TURNED, TURNED + 30, ([label, face], x, y) => { card(face, x, y, TURNED); shapes.push(text(x + TURNED / 2, y + TURNED * HIGH + 13, 13, label.replaceAll("-", " "), { most: 76 })); });
  const wide = board.trick.length > 5 ? PLAYED * 0.75 : PLAYED, top = turned.length ? 324 : 276;
  row(board.trick, 360, top, wide, wide + 12, ([face, seat, best], x, y) => { card(face, x, y, wide, best); shapes.push(text(x + wide / 2, y + wide * HIGH + 20, 14, how.players[seat], { most: wide + 10 })); });
  let left = 28;
  for (const trick of board.before) { for (const [face, , best] of trick) { card(face, left, FELT - 46, SMALL, best); left += SMALL + 5; } left += 16; }

  const told = [], room = WIDE - 56, add = (said, size, weight, fill, most = 6) => {
    for (const each of lines(said, size, weight, room).slice(0, most)) told.push([each, size, weight, fill]);
  };
  add(verdict.head, 26, 700, verdict.fine ? COLOURS.yes : COLOURS.no, 2);
  for (const sentence of verdict.sentences) add(sentence, 20, 400, COLOURS.ink);
  for (const result of verdict.results) add(result, 18, 600, COLOURS.ink, 2);
  add(verdict.from, 15, 400, COLOURS.soft, 1);
  let y = FELT + 24;
  const below = told.map(([said, size, weight, fill]) => text(28, (y += size * 1.4) - size * 0.3, size, said, { fill, weight, anchor: "start", most: room + 8 }));
  const high = Math.ceil(y + 20), need = [...used];
  for (const name of need) for (const use of document.getElementById(name)?.querySelectorAll("use") ?? []) { const inner = use.getAttribute("href").slice(1); if (!need.includes(inner)) need.push(inner); }
  const svg = part("svg", { viewBox: `0 0 ${WIDE} ${high}`, width: WIDE, height: high },
    part("defs", {}, ...need.map((name) => document.getElementById(name)).filter(Boolean).map((one) => one.cloneNode(true))),
    part("rect", { width: WIDE, height: high, fill: COLOURS.paper }), part("rect", { x: 8, y: 8, width: WIDE - 16, height: FELT - 8, rx: 24, fill: COLOURS.felt }), ...shapes, ...below);
  return { text: new XMLSerializer().serializeToString(svg), wide: WIDE, high };
}

/** The picture as PNG, twice as large. */
export async function png({ text: source, wide, high }) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [wide * 2, high * 2];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}

/** Hand a file to the reader: through the phone's own sharing where it takes files, else as a download. */
export async function give(blob, name, title) {
  const file = new File([blob], name, { type: blob.type });
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] })) {
    try { await navigator.share({ files: [file], title }); } catch { /* nothing was shared */ }
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
