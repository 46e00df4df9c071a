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
    const label = make("label", "", "Seen by ");
    let at = 0;
    label.append(seen);
    step.setAttribute("role", "status");
    ["all", ...players].forEach((name, n) => { const option = make("option", "", name); option.value = n - 1; seen.append(option); });
    const button = (text, told, to) => {
      const made = make("button", "", text);
      made.type = "button";
      made.title = told;
      made.setAttribute("aria-label", told);
      made.addEventListener("click", () => show(to()));
      return made;
    };
    const buttons = [
      button("|◀", "First", () => 0), button("◀", "Back", () => at - 1),
      button("▶", "On", () => at + 1), button("▶|", "Last", () => moments.length - 1),
    ];
    function show(number) {
      at = Math.max(0, Math.min(moments.length - 1, number));
      const [done, remark, places] = moments[at];
      step.textContent = `${at + 1} of ${moments.length}: ${done}${remark ? ` – ${remark}` : ""}`;
      const parts = [...players, ""].map((name) => { const part = make("div", "seat"); part.append(make("b", "", name)); return part; });
      for (const [name, seat, cards] of places) {
        const part = parts[seat < 0 ? players.length : seat], line = make("div", "cards");
        line.title = name;
        if (seat < 0) part.firstChild.textContent = name;
        for (const [face, mask] of cards) line.append(card(Number(seen.value) < 0 || mask[Number(seen.value)] === "1" ? face : ""));
        part.append(line);
      }
      board.replaceChildren(...parts.filter((part) => part.children.length > 1));
      buttons.forEach((each, n) => each.setAttribute("aria-disabled", n < 2 ? at === 0 : at === moments.length - 1));
    }
    row.append(...buttons, label);
    seen.addEventListener("change", () => show(at));
    place.replaceChildren(row, step, board);
    show(0);
    buttons[2].focus();
  }
  for (const place of document.querySelectorAll(".replay")) {
    const button = make("button", "", "Replay");
    button.type = "button";
    button.addEventListener("click", () => start(place));
    place.append(button);
  }
})();
