"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const make = (tag, name, text) => { const part = document.createElement(tag); part.className = name || ""; if (text) part.textContent = text; return part; };
  function card(name) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("class", "card");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", name || "a hidden card");
    svg.append(document.createElementNS(SVG, "use"));
    svg.firstChild.setAttribute("href", `#card-${name || "back"}`);
    return svg;
  }
  function start(place) {
    const { players, moments } = JSON.parse(place.dataset.moments);
    const seen = make("select"), step = make("p", "done"), board = make("div", "board"), row = make("div", "row");
    let at = 0;
    seen.setAttribute("aria-label", "Seen by");
    ["all", ...players].forEach((name, n) => { const option = make("option", "", name); option.value = n - 1; seen.append(option); });
    const button = (text, label, by) => {
      const made = make("button", "", text);
      made.type = "button";
      made.setAttribute("aria-label", label);
      made.addEventListener("click", () => show(at + by));
      return made;
    };
    function show(number) {
      at = Math.max(0, Math.min(moments.length - 1, number));
      const [done, remark, places] = moments[at];
      step.textContent = `${at + 1} of ${moments.length}: ${done}${remark ? ` – ${remark}` : ""}`;
      board.replaceChildren();
      const parts = [...players, ""].map((name) => { const part = make("div", "seat"); part.append(make("b", "", name)); return part; });
      for (const [label, seat, cards] of places) {
        const part = parts[seat < 0 ? players.length : seat], line = make("div", "cards");
        line.title = label;
        for (const [name, mask] of cards) line.append(card(Number(seen.value) < 0 || mask[Number(seen.value)] === "1" ? name : ""));
        part.append(line);
      }
      board.append(...parts.filter((part) => part.children.length > 1));
    }
    row.append(button("◀", "Back", -1), button("▶", "On", 1), seen);
    seen.addEventListener("change", () => show(at));
    place.replaceChildren(row, step, board);
    show(0);
  }
  for (const place of document.querySelectorAll(".replay")) {
    const button = make("button", "", "Replay");
    button.type = "button";
    button.addEventListener("click", () => start(place));
    place.append(button);
  }
})();
