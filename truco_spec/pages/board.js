"use strict";
// The board: draws a table from data, as board.html does, and leads through the moments of a hand.
const Board = (() => {
  const SVG = "http://www.w3.org/2000/svg", SWIPE = 40;
  const make = (tag, name, ...inside) => {
    const part = document.createElement(tag);
    if (name) part.className = name;
    part.append(...inside.filter((one) => one !== null && one !== undefined && one !== ""));
    return part;
  };
  const group = (name, label, ...inside) => { const part = make("div", name, ...inside); part.setAttribute("role", "group"); part.setAttribute("aria-label", label); return part; };
  const hour = (seat, seats) => Math.floor((seat * 12) / seats);

  // ---- drawing: `how` has players, titles, labels, words, `of`; `bare` if nothing is turned up, `unknown` for a card that nobody told ----

  function card([face, seen, above], how, more = "") {
    const svg = document.createElementNS(SVG, "svg"), name = (how.titles[face] ?? how.words.untold) + (above ? `, ${how.words.above}` : "");
    const use = (what, as = "") => { const part = document.createElementNS(SVG, "use"); part.setAttribute("href", `#${how.of}${what}`); if (as) part.setAttribute("class", as); svg.append(part); };
    svg.setAttribute("class", `card${more}`);
    svg.setAttribute("role", "img");
    svg.dataset.face = face;
    if (seen.includes("0")) [svg.dataset.name, svg.dataset.seen] = [name, seen];
    svg.setAttribute("aria-label", name);
    use(`card-${face}`);
    if (above) use("mark", "mark");
    return svg;
  }
  function laid(face, how, more = "") {
    const svg = card(face, how, more + (face[1].includes("0") ? " covered" : "")), told = svg.getAttribute("aria-label");
    if (face[1].includes("0")) svg.setAttribute("aria-label", svg.dataset.name = `${told}, ${how.words.facedown}`);
    return svg;
  }

  function trick(cards, how, fresh = 0) {
    return cards.map(([face, seat, best], at) => {
      const part = make("li", fresh && at === cards.length - 1 ? "fresh" : "", laid(face, how, best ? " best" : ""), make("span", "by", how.players[seat], best ? make("span", "unseen", `, ${how.words.best}`) : null));
      part.dataset.seat = seat;
      return part;
    });
  }

  /** Draw a board into an element. */
  function draw(place, board, how) {
    const { players, words, labels } = how, seats = players.length;
    const unknown = (face, key, seat, more) => (face[0] === "unknown" && how.unknown ? how.unknown(key, seat) : more(face, how));
    place.className = how.bare ? "table bare" : "table";
    place.dataset.players = seats;
    const facts = make("dl", "facts", ...board.facts.map(([name, value, about]) => make("div", about ? "parts" : "", make("dt", "", labels[name] ?? name.replaceAll("-", " ")), make("dd", "", value))));
    const around = players.map((name, seat) => {
      const waits = board.awaited.includes(seat), dots = make("span", "", " …");
      dots.setAttribute("aria-hidden", "true");
      const part = group(`seat at-${hour(seat, seats)}${board.seat === seat ? " acts" : ""}${waits ? " awaited" : ""}`, name,
        make("p", "name", make("span", "", name), ...(waits ? [dots, make("span", "unseen", ` ${words.waits}`)] : [])),
        board.seat === seat && board.says ? make("p", "bubble", board.says) : null,
        make("div", "held", ...board.holds[seat].map((face) => unknown(face, name, seat, card))),
        board.lays[seat].length ? make("div", "laid", ...board.lays[seat].map((face) => laid(face, how))) : null);
      part.dataset.seat = seat;
      return part;
    });
    const turned = board.turned.map(([label, cards]) => make("figure", "", ...cards.map((face) => unknown(face, label, -1, laid)), make("figcaption", "", label.replaceAll("-", " "))));
    const middle = group("middle", words.middle, make("div", "turned", ...turned), make("ol", "trick", ...trick(board.trick, how, board.fresh)));
    const tricks = group("tricks", words.tricks, ...board.before.map((each) => make("ol", "", ...trick(each, how))));
    place.replaceChildren(facts, ...around, middle, tricks);
    return place;
  }

  // ---- leading through moments that are on the page ----

  function lead(root) {
    const form = root.querySelector(".controls"), tracks = [...root.querySelectorAll(".track")], { elements } = form;
    const player = form.querySelector('[data-go="play"]'), status = form.querySelector('[role="status"]');
    const alone = root.matches("main"), text = (part) => (part ? part.textContent.trim().replace(/\s+/g, " ") : "");
    let at = 0, timer = 0;

    const track = () => tracks.find((each) => !elements.mode || each.dataset.mode === elements.mode.value);
    const moments = () => [...track().querySelectorAll(".moment")];
    const links = () => [...track().querySelectorAll(".list a")];

    function show(number, quiet) {
      const all = moments(), before = at;
      at = Math.max(0, Math.min(all.length - 1, number));
      root.classList.toggle("moving", !quiet && at === before + 1);
      for (const each of tracks) each.hidden = each !== track();
      all.forEach((moment, n) => { moment.hidden = n !== at; });
      const acts = all[at].querySelector(".acts")?.className.match(/at-(\d+)/), angle = (Number(acts?.[1] ?? 0) * Math.PI) / 6;
      for (const [name, part] of [["--dx", Math.sin(angle)], ["--dy", Math.cos(angle)]]) root.style.setProperty(name, `${part * 5}rem`);
      elements.at.max = all.length - 1;
      elements.at.value = at;
      const said = text(all[at].querySelector(".done"));
      elements.at.setAttribute("aria-valuetext", said);
      links().forEach((link, n) => { if (n === at) link.setAttribute("aria-current", "step"); else link.removeAttribute("aria-current"); });
      const list = track().querySelector(".list"), link = links()[at];
      list.scrollTop = link.offsetTop - list.clientHeight / 2;
      list.scrollLeft = link.offsetLeft - list.clientWidth / 2;
      if (!quiet) status.textContent = `${said}. ${text(all[at].querySelector(".remark"))}`;
      if (!quiet && location.protocol !== "about:") history.replaceState(null, "", `#${all[at].id}`);
      if (at === all.length - 1) pause();
    }
    function see() {
      const seat = elements.seat.value;
      for (const each of root.querySelectorAll(".card[data-seen]")) {
        const open = seat === "" || each.dataset.seen[Number(seat)] === "1", use = each.firstElementChild;
        const of = use.getAttribute("href").replace(/card-.*$/, "");
        use.setAttribute("href", `${of}card-${open ? each.dataset.face : "back"}`);
        each.setAttribute("aria-label", open ? each.dataset.name : form.dataset.hidden);
        each.classList.toggle("back", !open);
      }
      for (const each of root.querySelectorAll(".seat")) {
        const seats = Number(each.parentElement.dataset.players);
        each.className = each.className.replace(/at-\d+/, `at-${hour((Number(each.dataset.seat) - Number(seat || 0) + seats) % seats, seats)}`);
      }
    }
    function pause() {
      clearInterval(timer);
      timer = 0;
      player.setAttribute("aria-pressed", "false");
    }
    function run() { timer = setInterval(() => show(at + 1), Number(elements.speed.value)); }
    function play() {
      if (timer) return pause();
      if (at === moments().length - 1) show(0);
      player.setAttribute("aria-pressed", "true");
      run();
    }
    async function share() {
      const button = form.querySelector('[data-go="share"]'), told = button.textContent, link = new URL(`#${moments()[at].id}`, location.href).href;
      try { await navigator.clipboard.writeText(link); } catch { prompt(told, link); return; }
      button.textContent = form.dataset.copied;
      setTimeout(() => { button.textContent = told; }, 2000);
    }
    const go = { first: () => show(0), back: () => show(at - 1), on: () => show(at + 1), last: () => show(Infinity), play, share };
    const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last", " ": "play" };

    root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-go]"), link = event.target.closest(".list a");
      if (link) { event.preventDefault(); pause(); show(links().indexOf(link)); }
      if (!button) return;
      if (button.dataset.go !== "play") pause();
      go[button.dataset.go]();
    });
    elements.at.addEventListener("input", () => { pause(); show(Number(elements.at.value)); });
    elements.seat.addEventListener("change", see);
    elements.speed.addEventListener("change", () => { if (timer) { clearInterval(timer); run(); } });
    elements.mode?.addEventListener("change", () => show(at));
    form.addEventListener("submit", (event) => event.preventDefault());
    (alone ? document : root).addEventListener("keydown", (event) => {
      const within = (kinds) => event.target instanceof Element && event.target.closest(kinds);
      if (event.altKey || event.ctrlKey || event.metaKey || within("select, input, summary")) return;
      if (event.key === " " && within("button, a")) return;
      if (!(event.key in keys)) return;
      event.preventDefault();
      if (event.key !== " ") pause();
      go[keys[event.key]]();
    });

    let from = null;
    root.addEventListener("touchstart", (event) => {
      from = event.target.closest(".table") && event.touches.length === 1 ? event.touches[0] : null;
    }, { passive: true });
    root.addEventListener("touchend", (event) => {
      if (!from) return;
      const { clientX, clientY } = event.changedTouches[0], aside = clientX - from.clientX;
      if (Math.abs(aside) > SWIPE && Math.abs(aside) > 2 * Math.abs(clientY - from.clientY)) { pause(); show(at + (aside < 0 ? 1 : -1)); }
      from = null;
    }, { passive: true });

    function follow() {
      const [, mode, number] = location.hash.match(/^#(.+)[.-](\d+)$/) || [];
      const known = mode && (alone || tracks.some((each) => each.dataset.mode === mode));
      if (known && elements.mode) elements.mode.value = mode;
      if (known || !root.matches(".led")) show(known ? Number(number) : Number(root.dataset.begin ?? 0), true);
      if (known && root.matches("section")) root.scrollIntoView();
    }
    addEventListener("hashchange", follow);
    form.hidden = false;
    for (const each of document.querySelectorAll(".help")) each.hidden = false;
    see();
    follow();
    root.classList.add("led");
  }

  // ---- replays that a page has as data: drawn when they are asked for ----

  function open(place, template) {
    const { players, moments } = JSON.parse(place.dataset.moments), { dataset } = template, name = place.dataset.name;
    const how = { players, of: "", bare: !moments.some(([, , board]) => board.turned.length), titles: JSON.parse(dataset.titles), labels: JSON.parse(dataset.labels), words: JSON.parse(dataset.words) };
    const controls = template.content.cloneNode(true), seat = controls.querySelector('[name="seat"]');
    players.forEach((player, n) => { const option = make("option", "", player); option.value = n; seat.append(option); });
    const drawn = make("ol", "moments"), list = make("ol");
    moments.forEach(([done, remark, board], n) => {
      const moment = make("li", "moment", make("p", "done", done), draw(make("div"), board, how), make("div", "why", make("p", "remark", remark))), link = make("a", /^\d/.test(done) ? "" : "deal", done);
      link.href = `#${moment.id = `${name}.${n}`}`;
      drawn.append(moment);
      list.append(make("li", "", link));
    });
    const nav = make("nav", "list", list), track = make("section", "track", drawn, nav);
    nav.setAttribute("aria-label", `${how.words.moves}: ${place.dataset.title}`);
    track.dataset.mode = name;
    place.classList.add("leads");
    place.replaceChildren(controls, track);
    lead(place);
    place.querySelector('[data-go="on"]').focus();
  }

  const template = document.getElementById("controls");
  for (const root of document.querySelectorAll(".leads")) lead(root);
  for (const place of template ? document.querySelectorAll(".replay") : []) {
    const button = make("button", "", template.dataset.again);
    button.type = "button";
    button.addEventListener("click", () => open(place, template));
    place.append(button);
    if (location.hash.startsWith(`#${place.dataset.name}.`)) open(place, template);
  }
  return { draw, card };
})();
