"use strict";
(async () => {
  /** What the link names, loaded while the scripts are: a game and a number of players that there are. */
  function first({ first: usual, variants }) {
    const [variant, players = ""] = location.hash.slice(1, 300).replaceAll("%7C", "|").replaceAll("%20", "+").split(/[|/]/);
    const one = variants.find((each) => each.name === variant.split(/[+ ]/)[0]) ?? variants.find((each) => each.name === usual);
    const count = players.split(/[+ ]/).filter(Boolean).length, seats = one.seats.includes(count) ? count : one.seats.includes(4) ? 4 : one.seats[0];
    const name = `${one.name}.${seats}`, both = Promise.all([get(`modules/${name}.json`, "json"), get(`modules/${name}.wasm`, "arrayBuffer")]);
    both.catch(() => {});
    return { name, both };
  }
  async function get(where, kind) {
    const answer = await fetch(where);
    if (!answer.ok) throw new TypeError(where);
    return answer[kind]();
  }
  const root = document.getElementById("who"), without = document.getElementById("without"), language = document.documentElement.lang;
  const index = JSON.parse(root.dataset.index), said = JSON.parse(root.dataset.said);
  const begun = first(index);
  let logic;
  try { logic = await import("./modules/argument.js"); } catch { return; }
  const { Table, LogFault, UNKNOWN, readLine, writeLine, toFragment, fromFragment } = logic;
  const find = (selector) => root.querySelector(selector);
  const FILLS = 12, BUSY = 16, MANY = 6, OPEN = 3, CITED = 4, ASKS = 5, ANSWERS = 4, FIRST = 6, NAMED = 6, DECIDE = [["winner", "hand", "score"], ["trick", "leader"]];
  const plain = (text) => text.replaceAll("-", " ");
  const inLanguage = (page) => (language === "en" ? page : page.replace(/\.html$/, `.${language}.html`));

  // ---- parts of the page: all texts are text nodes ----
  const make = (tag, name, ...inside) => { const part = document.createElement(tag); if (name) part.className = name; part.append(...inside.filter((one) => one !== null && one !== undefined)); return part; };
  function button(label, act, name = "") {
    const made = make("button", name, ...(Array.isArray(label) ? label : [label]));
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  }
  const drawn = (card, table) => Board.card([card || "unknown", "", 0], { titles: { ...(table.rules.cardTitles[language] ?? table.rules.cardTitles.en), unknown: said.unknown }, words: said, of: `${table.rules.drawn}-` });
  const titled = (card, table) => (table.rules.cardTitles[language] ?? table.rules.cardTitles.en)[card] ?? card;
  const written = (card, table) => { const sign = index.signs[table.rules.drawn]?.[card.slice(-1)]; return sign && card !== "JK" ? `${card.slice(0, -1)}${sign}` : titled(card, table); };
  function select(values, value, act) {
    const made = make("select");
    for (const [key, label] of values) { const option = make("option", "", label); option.value = key; option.selected = String(key) === String(value); made.append(option); }
    made.addEventListener("change", () => act(made.value));
    return made;
  }

  // ---- modules ----
  const tables = new Map();
  function table(name) {
    if (!tables.has(name)) {
      const both = name === begun.name ? begun.both : Promise.all([get(`modules/${name}.json`, "json"), get(`modules/${name}.wasm`, "arrayBuffer")]);
      begun.name = name === begun.name ? "" : begun.name;
      const asked = both.then((files) => Table.make(...files));
      tables.set(name, asked);
      asked.catch(() => tables.delete(name));
    }
    return tables.get(name);
  }
  const game = (variant) => index.variants.find((one) => one.name === variant);
  const nameOf = (log) => `${log.variant}.${log.players.length}`;

  // ---- what is argued about ----
  let log = null, at = 0, now = null, round = 0;
  let argued = [];  // the options by which the strip tells another verdict
  const names = ["Ana", "Bia", "Caio", "Davi", "Eva", "Fabi", "Gil", "Hugo"].map((name, n) => index.names[n] ?? name);
  const moves = (one) => one.hands.reduce((sum, hand) => sum + hand.moves.length, 0);
  const fresh = (variant, seats) => ({ variant, options: {}, players: names.slice(0, seats), dealer: names[seats - 1], score: {}, mode: "strict", hands: [{ deal: {}, moves: [] }] });
  const copy = (one) => structuredClone(one);
  function cut(one, to) {
    const found = copy(one);
    found.hands = [];
    let left = to;
    for (const hand of one.hands) {
      if (found.hands.length && left <= 0 && to < moves(one)) break;
      found.hands.push({ deal: { ...hand.deal }, moves: hand.moves.slice(0, Math.max(left, 0)) });
      left -= hand.moves.length;
    }
    return found;
  }
  function set(next, { quiet = false, to = moves(next) } = {}) {
    if (!next.hands.length) next.hands.push({ deal: {}, moves: [] });
    [log, at] = [next, to];
    const fragment = `#${toFragment(writeLine(log))}`;
    if (!quiet && location.hash !== fragment) history.pushState(null, "", fragment);
    return show();
  }
  function trouble(text) { const place = root.querySelector(".trouble"); place.hidden = !text; place.textContent = text; }
  const faulty = (fault) => `${said.wrong}: ${said.fault[fault.code] ?? said.fault.else}${fault.detail && fault.code !== "start" ? ` (${fault.detail})` : ""}`;

  function open(text) {
    try {
      const next = readLine(text), known = game(next.variant);
      if (!known) throw new LogFault("variant", next.variant);
      if (!known.seats.includes(next.players.length)) throw new LogFault("players", String(next.players.length));
      return next;
    } catch (fault) {
      if (!(fault instanceof LogFault)) throw fault;
      trouble(faulty(fault));
      return null;
    }
  }
  function follow() {
    trouble("");
    const given = location.hash.slice(1);
    which.open = !given;
    find(given ? ".log" : ".beside").before(find(".often"));  // once something is argued about, the table comes first
    let next = null;
    try { next = given ? open(fromFragment(given)) : null; } catch (fault) { if (!(fault instanceof LogFault)) throw fault; trouble(faulty(fault)); }
    return set(next ?? fresh(index.first, game(index.first).seats.includes(4) ? 4 : game(index.first).seats[0]), { quiet: true });
  }

  async function show() {
    const mine = ++round;
    delete root.dataset.asked;
    let here;
    try { here = await table(nameOf(log)); } catch (error) { if (mine === round) trouble(error instanceof TypeError ? said.offline : String(error.message)); return; }
    if (mine !== round) return;
    const view = cut(log, at);
    try { now = { table: here, view, course: here.play(view) }; }
    catch (fault) {
      if (!(fault instanceof LogFault)) throw fault;
      trouble(faulty(fault));
      if (at) { at = 0; log = cut(log, 0); return show(); }
      now = null;
      set(fresh(log.variant, log.players.length), { quiet: true });
      return;
    }
    let all = now.course.steps;
    if (at < moves(log)) try { all = here.play(log, { brief: true }).steps; } catch { /* the moves that follow may be of no use now */ }
    const focused = document.activeElement, part = focused?.closest?.(".doing, .moves, .others, .verdict, .setup, .table");
    const into = part?.matches(".moves, .setup") ? part : find(".doing"), reach = () => [...into.querySelectorAll("button, select, input, summary")];
    const number = part === into && !part.matches(".doing") ? reach().indexOf(focused) : 0;
    board(); verdict(); acts(); list(all); current(); setup();
    if (part && !focused.isConnected) (reach()[number] ?? reach()[0])?.focus({ preventScroll: true });
    root.querySelector(".log textarea").value = writeLine(log);
    if (mine === 1) performance.mark("drawn");
    root.dataset.ready = String(mine);
    later(mine);
  }

  // ---- the board ----
  const last = () => now.course.steps.at(-1);
  const state = () => (now.course.stopped ? last().state : now.course.now);
  const told = (card) => card && now.view.hands.some((hand) => Object.values(hand.deal).some((cards) => cards.includes(card)) || hand.moves.some((move) => move.split(" ").some((word) => word.replace(/^[([]|[)\]]$/g, "") === card)));
  const how = () => ({ players: log.players, titles: now.table.rules.cardTitles[language] ?? now.table.rules.cardTitles.en, labels: index.labels, words: said, of: `${now.table.rules.drawn}-` });
  /** The cards that nobody told, what each is called and how a log tells it: turned ones, and those of moves. */
  function untold() {
    const hand = now.view.hands.length - 1, { moves } = now.view.hands[hand];
    const turned = state().middle.filter(({ card }) => !told(card)).map(({ place }) => [plain(place), (one, card) => { one.deal[place] = [card]; }]);
    const laid = moves.flatMap((move, at) => (move.includes(UNKNOWN) ? [[move.split(" ")[0], (one, card) => { one.moves[at] = move.replace(UNKNOWN, card); }]] : []));
    return [...turned, ...laid].map(([called, put]) => ({ called, told: (one, card) => { const next = copy(one); put(next.hands[hand], card); return next; } }));
  }
  let before = 0;
  /** What is drawn, as Board has it: cards that nobody told are unknown, and where they decide, nothing is marked. */
  function drawing() {
    const { held, middle, trick, before: earlier, above, seen } = state(), step = last(), seat = step ? log.players.indexOf(step.text.split(" ")[0]) : -1;
    const unsure = untold().length > 0, known = (card) => (told(card) ? card : "unknown"), face = (card, down) => [card, down ? "0" : "", !unsure && above.includes(card) ? 1 : 0];
    const played = (cards) => cards.map((one) => [face(known(one.card), one.down), one.seat, one.best && !unsure ? 1 : 0]);
    const fresh = trick.length > 0 && trick.at(-1).seat === seat && [trick.at(-1).card, UNKNOWN].some((card) => step.text.includes(card));
    const fact = (name) => results(seen, KEYS.filter(([key]) => key === name))[0]?.[2] ?? "–";
    return {
      seat, fresh: fresh ? 1 : 0, says: step && seat >= 0 && !fresh ? say(step.text) : "",
      awaited: (seen.acting ?? []).map((name) => log.players.indexOf(name)),
      holds: held.map(({ cards, unknown }) => [...cards.map((card) => face(card)), ...Array.from({ length: unknown }, () => ["unknown", "", 0])]),
      lays: held.map(() => []), turned: middle.map(({ place, card }) => [place, [face(known(card))]]),
      trick: played(trick), before: earlier.map(played), facts: Object.keys(index.labels).filter((name) => name in seen).map((name) => [name, fact(name), 0]),
    };
  }
  function board() {
    const place = find(".table"), drawn = drawing(), left = drawn.holds.map((cards) => cards.filter(([face]) => face === "unknown").length);
    const unknown = (key, seat) => (seat >= 0 && --left[seat] ? Board.card(["unknown", "", 0], how()) : asking(key, seat));  // the last lies on top
    root.classList.toggle("moving", at === before + 1);
    before = at;
    Board.draw(place, drawn, { ...how(), unknown, bare: !drawn.turned.length });
  }
  /** An unknown card that can be told. */
  function asking(key, seat) {
    const made = button([drawn("", now.table)], () => telling(key, seat), "ask");
    made.setAttribute("aria-label", `${said.add}: ${plain(key)}`);
    return made;
  }
  function telling(key, seat) {
    const given = now.view.hands.at(-1).deal[key] ?? [];
    pick(plain(key), seat < 0 ? (card) => !told(card) : free(seat), (card) => dealing(key, [...given, card]));
  }
  function dealing(key, given) {
    const next = copy(log), { deal } = next.hands[now.view.hands.length - 1];
    if (given.length) deal[key] = given; else delete deal[key];
    return set(next, { to: at });
  }
  const team = (player) => { const seat = log.players.indexOf(player); return seat < 0 ? { tie: said.tie, drawn: said.drawn, none: said.nobody }[player] ?? plain(String(player)) : log.players.filter((_, n) => n % now.table.rules.teams === seat % now.table.rules.teams).join(` ${said.and} `); };
  const points = (score) => Object.entries(score ?? {}).filter(([, value]) => value !== null).map(([who, value]) => `${who} ${value}`).join(" · ");
  const KEYS = [["stake", said.stake, String], ["proposal", said.asked, String], ["score", said.score, points], ["trick", said.trick, team], ["leader", said.leads, String], ["hand", said.hand, team], ["winner", said.winner, team], ["acting", said.next, (who) => who.join(", ")]];
  const results = (seen, keys = KEYS) => keys.filter(([key]) => { const value = seen[key]; return value !== null && value !== undefined && value !== "open" && value !== "none" && String(value) !== ""; }).map(([key, label, text]) => [key, label, text(seen[key])]);
  const patterns = new WeakMap();
  const templates = ({ rules }) => patterns.get(rules) ?? patterns.set(rules, rules.actions.flatMap((kind) => kind.written.map((template) => {
    const holes = [], given = {}, said = template.replace(/ *\{([^}=]*)=([^}]*)\}/g, (_, name, value) => { given[name] = value; return ""; });
    const source = said.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{([^}]*)\}/g, (_, name) => { holes.push(name); return "(\\S+)"; });
    return { kind, given, holes: holes.map((name) => kind.params.find((one) => one.name === name)), pattern: new RegExp(`^${source}$`) };
  }))).get(rules);
  /** The action that a move is written as, and its arguments as they are written. */
  function read(text) {
    const words = text.split(" ").slice(1).join(" "), { cards, rules } = now.table;
    for (const { kind, given, holes, pattern } of templates(now.table)) {
      const match = pattern.exec(words);
      const fits = (param, at) => (param.base === "card" ? cards.has(match[at + 1]) : param.base !== "order" || rules.orders[param.order].includes(match[at + 1]));
      if (match && holes.every(fits)) return { kind, given: { ...given, ...Object.fromEntries(holes.map((param, at) => [param.name, match[at + 1]])) } };
    }
    return null;
  }
  function say(text) {
    const found = read(text);
    if (!found) return plain(text.split(" ").slice(1).join(" ")).replace(UNKNOWN, said.forgotten);
    return plain((found.kind.labels[language] ?? found.kind.labels.en).replace(/\{([^}]*)\}/g, (_, name) => { const value = found.given[name] ?? ""; return now.table.cards.has(value) ? written(value, now.table) : value; }));
  }
  const spoken = (text) => `${text.split(" ")[0]}: ${say(text)}`;

  // ---- the verdict ----
  function rule(name, course = now.course) {
    const found = now.table.rule.get(name), part = make("p", "", now.table.sentence(name, language, course.value));
    if (!found) return part;
    const links = make("span", "cites"), book = `rules/${log.variant}.${language}.html`, { pages, sources } = now.table.rules;
    const link = (text, address, called = "") => {
      const made = make(address ? "a" : "span", "", text);
      if (address) made.href = address.startsWith("#") ? book + address : address;
      if (called) made.setAttribute("aria-label", called);
      links.append(" ", made);
      return made;
    };
    if (found.entry) link(`${said.book} ${found.number}`.trim(), `#${found.entry}`);
    const cited = new Map();
    for (const cite of found.clauses) { const [source] = cite.split(":"); cited.set(source, [...(cited.get(source) ?? []), cite]); }
    for (const [source, cites] of cited) {
      const leads = cites.map((cite) => pages[cite] ?? (pages[cite.split(".")[0]] ? `${inLanguage(pages[cite.split(".")[0]])}#${cite.slice(cite.indexOf(":") + 1)}` : ""));
      links.append(" · ");
      const called = sources[source]?.[language] ?? said.ours;
      link(called, leads[0]);
      leads.slice(1, CITED).forEach((lead, n) => link(String(n + 2), lead, `${called}, ${n + 2}`));
    }
    part.append(links);
    return part;
  }
  function verdict() {
    const place = find(".verdict"), step = last(), parts = [];
    if (!step) { place.replaceChildren(make("p", "", said.begin)); return; }
    const fine = step.status === "permitted";
    parts.push(make("h2", "", `${spoken(step.text)} — `, make("span", fine ? "yes" : "no", said[step.status] ?? step.status)));
    const before = now.course.steps.at(-2)?.seen ?? {}, changed = (key) => !["stake", "score"].includes(key) || (key in before && JSON.stringify(before[key]) !== JSON.stringify(step.seen[key]));
    const shown = now.course.stopped ? [] : results(step.seen, KEYS.filter(([key]) => key !== "acting" && changed(key)));
    const because = DECIDE.map((keys) => keys.filter((key) => step.why[key]?.length && shown.some(([one]) => one === key)).map((key) => step.why[key]));
    const deciding = (because.find((reasons) => reasons.length) ?? []).map(([first]) => first);  // of a hand, its end; else of the trick
    const open = [...new Set(fine && deciding.length ? deciding : [...step.first, ...deciding])].slice(0, OPEN);
    parts.push(...open.map((name) => rule(name)));
    if (!fine && !step.first.length) {
      const { kind, given = {} } = read(step.text) ?? {}, offering = kind?.rules ?? [];
      if (step.status === "impossible" && Object.values(given).some((one) => now.table.cards.has(one))) parts.push(make("p", "", said.nothers));
      else if (offering.length) parts.push(make("p", "soft", said.when), ...offering.slice(0, 2).map((name) => rule(name)));
    }
    if (now.course.stopped && step.status === "forbidden") {
      const taken = umpire();
      if (taken) {
        const folded = make("details", "", make("summary", "", said.price), ...taken.then.slice(0, 4).map((name) => rule(name)), listed(results(taken.seen)));
        parts.push(folded, button(said.go, () => set({ ...copy(now.view), mode: "umpire" })));
      }
    } else {
      const rest = [...new Set([...because.flat(2), ...step.then, ...step.first])].filter((name) => !open.includes(name));
      if (shown.length) parts.push(listed(shown));
      if (rest.length) parts.push(make("details", "", make("summary", "", `${said.then} (${rest.length})`), ...rest.map((name) => rule(name))));
    }
    parts.push(make("div", "unsure"));
    parts.at(-1).hidden = true;
    place.replaceChildren(parts.shift(), elsewhere(said.looking), ...parts);
  }
  /** How many say otherwise, and the way to them: on a phone they lie below the screen. */
  function elsewhere(text) {
    const title = find(".others h2"), link = make("a", "elsewhere", `${title.textContent}: ${text}`);
    link.href = "#others";
    link.addEventListener("click", (event) => { event.preventDefault(); title.scrollIntoView(); title.focus(); });
    return link;
  }
  const listed = (told) => make("ul", "", ...told.map(([, label, value]) => make("li", "", make("span", "soft", `${label}: `), value)));
  function umpire() {
    try { return now.table.play({ ...now.view, mode: "umpire" }, { brief: true }).steps.at(-1); } catch { return null; }
  }

  // ---- what may happen now ----
  function acts() {
    const { table: here } = now, parts = [make("h2", "", said.happened)];
    const [to, course] = now.course.stopped ? [at - 1, here.play(cut(log, at - 1))] : [at, now.course];  // what else could have been
    const add = (text) => { const next = cut(log, to); next.hands.at(-1).moves.push(text); return set(next); };
    for (const hole of untold()) parts.push(make("p", "row", make("b", "", `${hole.called}:`), button(said.whichcard, () => pick(hole.called, (card) => !told(card), (card) => set(hole.told(log, card), { to: at })))));
    const bySeat = new Map();
    for (const offer of course.offers) bySeat.set(offer.seat, [...(bySeat.get(offer.seat) ?? []), offer]);
    const acting = course.now.seen.acting ?? [];
    const order = [...bySeat.keys()].sort((a, b) => acting.includes(log.players[b]) - acting.includes(log.players[a]) || a - b);
    const others = make("details", "", make("summary", "", said.speak));
    for (const seat of order) {
      const row = make("div", "row"), asked = new Set(), offers = bySeat.get(seat);
      for (const offer of offers) {
        const words = offer.text.split(" ").slice(1).join(" "), label = say(offer.text), alike = offers.filter((one) => one.action === offer.action);
        if (asked.has(offer.action)) continue;
        if (offer.card && words === offer.card && offer.known) row.append(button([drawn(offer.card, here)], () => add(offer.text)));
        else if (offer.card && !offer.known) {
          asked.add(offer.action);
          const shape = words.replace(offer.card, "\0");
          row.append(button(shape === "\0" ? `${said.card} …` : shape === "(\0)" ? `${said.covered} …` : `${plain(shape.replace("\0", ""))} …`, () => pick(spoken(`${log.players[seat]} …`), free(seat), (card) => add(`${log.players[seat]} ${shape.replace("\0", card)}`), said.forgotten)));
        } else if (!offer.card && alike.length > MANY) {
          asked.add(offer.action);
          const list = select(alike.map((one) => [one.text, say(one.text)]), (alike.find((one) => one.right) ?? offer).text, () => {});
          list.setAttribute("aria-label", `${log.players[seat]}: ${said.what}`);
          row.append(make("span", "row", list, button(said.it, () => add(list.value))));
        } else if (offer.card && words === `(${offer.card})` && alike.length > 1) {
          asked.add(offer.action);
          row.append(button(`${said.covered} …`, () => pick(spoken(`${log.players[seat]} …`), (card) => alike.some((one) => one.card === card), (card) => add(`${log.players[seat]} (${card})`))));
        } else row.append(button(label, () => add(offer.text), offer.tacit ? "soft" : ""));
      }
      const first = acting.includes(log.players[seat]) || !acting.length;
      const named = [make("h3", "", log.players[seat]), row];
      if (first) parts.push(...named); else others.append(...named);
    }
    if (others.children.length > 1) parts.push(others);
    parts.push(elsewise(add));
    const ended = course.steps.some((step) => step.seen.hand !== null && step.seen.hand !== undefined && step.hand === now.view.hands.length - 1);
    if (ended && course.now.seen.winner == null) parts.push(make("p", "row", button(said.hands, () => { const next = cut(log, at); next.hands.push({ deal: {}, moves: [] }); set(next); })));
    find(".doing").replaceChildren(...parts);
  }
  /** The cards that a seat may hold besides those that lie elsewhere. */
  function free(seat) {
    const hand = now.view.hands.at(-1), lie = new Set(state().held.flatMap((one, n) => (n === seat ? [] : one.cards)));
    for (const [key, cards] of Object.entries(hand.deal)) if (key !== log.players[seat]) cards.forEach((card) => lie.add(card));
    for (const move of hand.moves) for (const word of move.split(" ")) lie.add(word.replace(/^[([]|[)\]]$/g, ""));
    return (card) => !lie.has(card);
  }
  /** Let a card be chosen that may be; with `forgotten`, also that nobody remembers it. */
  function pick(title, may, act, forgotten = "") {
    const dialog = find("dialog"), pack = dialog.querySelector(".pack"), { rules } = now.table;
    dialog.querySelector("b").textContent = title;
    const suits = [...new Set(rules.present.map((card) => card.slice(-1)))];
    pack.replaceChildren(...suits.flatMap((suit) => [...rules.present.filter((card) => card.endsWith(suit)).map((card) => {
      const made = button([drawn(card, now.table)], () => { dialog.close(); act(card); });
      made.disabled = !may(card);
      return made;
    }), make("hr")]), ...(forgotten ? [button(forgotten, () => { dialog.close(); act(UNKNOWN); }, "soft")] : []));
    dialog.showModal();
  }
  function elsewise(add) {
    const row = make("div", "row"), folded = make("details", "", make("summary", "", said.other), row);
    folded.addEventListener("toggle", () => { if (folded.open && !row.children.length) anything(row, add); });
    return folded;
  }
  function anything(row, add) {
    const { rules } = now.table, agreed = Object.keys(log.options).length > 0, kinds = rules.actions.filter((kind) => !kind.chance && (kind.usual || agreed));
    const values = (param) => (param.base === "card" ? rules.present.map((card) => [card, titled(card, now.table)])
      : param.base === "seat" || param.base === "team" ? log.players.map((name) => [name, name])
      : [...Array.from({ length: Math.min(param.high - param.low + 1, 200) }, (_, n) => param.low + n).map((n) => { const text = param.base === "order" ? rules.orders[param.order][n] : String(n); return [text, plain(text ?? "")]; }), ...(param.words ?? []).map((word) => [word, plain(word)])]);
    const words = kinds.flatMap((kind) => (kind.params.length === 1 && kind.params[0].base === "order" ? values(kind.params[0]).map(([value]) => ({ kind, value })) : [{ kind, value: "" }]));  // each call by its name
    const called = ({ kind, value }) => { const text = plain((kind.labels[language] ?? kind.labels.en).replace(/\{[^}]*\}/g, value || "…")); return { "…": said.card, "(…)": said.covered }[text] ?? text; };
    let seat = 0, kind, given;
    const seats = select(log.players.map((name, n) => [n, name]), 0, (value) => { seat = Number(value); });
    const more = make("span", "given");
    const fill = (word) => {
      kind = word.kind;
      given = word.value ? [word.value] : kind.params.map((param) => values(param)[0]?.[0] ?? "");
      more.replaceChildren(...(word.value ? [] : kind.params).map((param, n) => { const list = select(values(param), given[n], (value) => { given[n] = value; }); list.setAttribute("aria-label", said.what); return list; }));
    };
    const what = select(words.map((word, n) => [n, called(word)]), 0, (value) => fill(words[Number(value)]));
    seats.setAttribute("aria-label", said.who);
    what.setAttribute("aria-label", said.what);
    fill(words[0]);
    row.append(seats, what, more, button(said.it, () => add(`${log.players[seat]} ${kind.written[0].replace(/\{([^}]*)\}/g, (_, name) => given[kind.params.findIndex((one) => one.name === name)])}`)));
  }

  // ---- the moves so far ----
  function list(all) {
    const texts = log.hands.flatMap((hand) => hand.moves);
    find(".moves ol").replaceChildren(...texts.map((text, n) => {
      const made = button(spoken(text), () => { at = n + 1; show(); }, `${all[n] && all[n].status !== "permitted" ? "no" : ""} ${n >= at ? "later" : ""}`);
      if (n === at - 1) made.setAttribute("aria-current", "step");
      return make("li", "", made);
    }));
    const link = button(navigator.share ? said.share : said.link, async () => {
      const url = new URL(`#${toFragment(writeLine(log))}`, location.href).href;
      try { if (navigator.share) await navigator.share({ url, title: document.title }); else { await navigator.clipboard.writeText(url); link.textContent = said.copied; } } catch { /* nothing was shared */ }
    });
    find(".tools").replaceChildren(
      button(said.back, back), link, button(`${said.picture} (PNG)`, () => save("png")), button(`${said.picture} (SVG)`, () => save("svg")), mapped(), button(said.anew, () => set({ ...fresh(log.variant, log.players.length), options: log.options })));
  }

  /** Where the atlas lights the way of this log. */
  function mapped() {
    const link = make("a", "", said.way);
    link.href = `${inLanguage(`atlas/${log.variant}.html`)}#${toFragment(writeLine(cut(log, at)))}`;
    return link;
  }

  /** Save a picture of the table, with the verdict as it stands below it. */
  async function save(kind) {
    const step = last(), text = (one) => { const bare = one.cloneNode(true); bare.querySelectorAll(".cites").forEach((part) => part.remove()); return bare.textContent.trim(); };
    const told = (selector) => [...root.querySelectorAll(selector)].filter((one) => !one.hidden).map(text).filter(Boolean);
    let pictures;
    try { pictures = await import("./modules/picture.js"); } catch { trouble(said.offline); return; }
    const made = pictures.picture(drawing(), how(), {
      head: told(".verdict h2")[0] ?? document.querySelector("h1").textContent, fine: !step || step.status === "permitted",
      sentences: told(".verdict > p, .unsure:not([hidden]) > p"), results: [told(".verdict > ul > li").join(" · ")].filter(Boolean),
      from: [now.table.rules.called[language], ...Object.entries(log.options).map(([name, value]) => `${plain(name)} ${plain(value)}`), document.title].join(" · "),
    });
    const blob = kind === "png" ? await pictures.png(made) : new Blob([made.text], { type: "image/svg+xml" });
    root.dataset.picture = String(blob.size);
    await pictures.give(blob, `truco.${kind}`, document.title);
  }

  /** Take the move back; where no irregular one is left, nobody asks for an umpire any more. */
  function back() {
    if (!at) return;
    const irregular = now.course.steps.slice(0, at - 1).some((step) => step.status !== "permitted");
    set({ ...cut(log, at - 1), mode: irregular ? log.mode : "strict" });
  }

  // ---- which game: tiles, and questions that tell them apart ----
  const which = find(".which"), tiles = [...which.querySelectorAll("[data-game]")];
  function choose(variant) {
    const { seats } = game(variant);
    which.open = false;
    set(fresh(variant, seats.includes(log.players.length) ? log.players.length : seats.includes(4) ? 4 : seats[0]));
    which.querySelector("summary").focus();
  }
  function current() {
    which.querySelector("summary .soft").textContent = game(log.variant).called;
    for (const tile of tiles) tile.setAttribute("aria-current", String(tile.dataset.game === log.variant));
  }
  const groups = (answers, left) => { const found = new Map(); for (const n of left) found.set(answers[n], [...(found.get(answers[n]) ?? []), n]); return found; };
  /** How much a question tells of the games that are left: the mean of what is then left, the less the better. */
  const remain = (question, left) => [...groups(question[2], left).values()].reduce((sum, some) => sum + some.length ** 2, 0) / left.length;
  function finder(left = index.variants.map((_, n) => n), asked = []) {
    const place = find(".finder"), open = index.telling.filter((one) => !asked.includes(one) && remain(one, left) < left.length && groups(one[2], left).size <= ANSWERS);
    const names = left.map((n) => index.variants[n].name);
    for (const tile of tiles) tile.parentElement.hidden = !names.includes(tile.dataset.game);
    for (const title of which.querySelectorAll("h3")) title.hidden = !title.nextElementSibling.querySelector("li:not([hidden])");
    const again = button(said.over, () => finder());
    if (!open.length || asked.length === ASKS) { place.replaceChildren(make("p", "row", make("b", "", said.left), again)); return; }
    const question = open.reduce((best, one) => (remain(one, left) < remain(best, left) ? one : best)), next = (some) => { finder(some, [...asked, question]); place.querySelector("button").focus(); };
    const answers = [...groups(question[2], left)].sort(([a], [b]) => !a - !b).map(([answer, some]) => button(plain(answer) || said.notplayed, () => next(some)));
    place.replaceChildren(make("p", "", make("span", "soft", `${said.find} ${asked.length + 1}/${ASKS} · ${question[0]}: `), make("b", "", question[1])), make("p", "row", ...answers, button(said.notknown, () => next(left), "soft"), ...(asked.length ? [again] : [])));
  }

  // ---- the game, its agreements, the cards ----
  function setup() {
    const place = find(".setup"), { rules } = now.table, changed = (more) => set({ ...copy(log), ...more }, { to: at });
    place.querySelector(".soft").textContent = `${rules.called[language]} · ${log.players.length} · ${said.deals} ${log.dealer || "?"}${Object.keys(log.options).length ? ` · ${Object.keys(log.options).length} ≠` : ""}`;
    if (!place.open) return;
    const label = (text, ...fields) => make("label", "", make("span", "", text), ...fields);
    const parts = [
      label(said.players, select(game(log.variant).seats.map((n) => [n, n]), log.players.length, (n) => set(fresh(log.variant, Number(n))))),
      label(said.deals, select(log.players.map((name) => [name, name]), log.dealer, (dealer) => changed({ dealer }))),
    ];
    const scored = make("span", "given");
    log.players.slice(0, rules.teams).forEach((name) => {
      const field = make("input");
      Object.assign(field, { type: "number", min: 0, max: 999, value: log.score[name] ?? 0 });
      field.setAttribute("aria-label", `${said.score} ${team(name)}`);
      field.addEventListener("change", () => changed({ score: { ...log.score, [name]: Math.max(0, Math.min(999, Math.floor(Number(field.value) || 0))) } }));
      scored.append(label(team(name), field));
    });
    parts.push(make("div", "", make("b", "", said.score), scored), cards());
    const named = make("details", "", make("summary", "", said.names), make("div", "row", ...log.players.map((name) => {
      const field = make("input");
      field.value = name;
      field.setAttribute("aria-label", name);
      field.addEventListener("change", () => rename(name, field.value.trim()));
      return field;
    })));
    const asking = (one) => label(one.ask[language], select(Object.entries(one.values).map(([value, labels]) => [value, labels[language] ?? value]), log.options[one.name] ?? one.value, (value) => { const options = { ...log.options }; if (value === one.value) delete options[one.name]; else options[one.name] = value; changed({ options }); }));
    const agreedOn = Object.keys(log.options), asked = rules.switches.filter((one) => one.asked).map((one) => one.name);
    const first = [...new Set([...agreedOn, ...argued, ...asked])].slice(0, Math.max(FIRST, agreedOn.length)), others = rules.switches.filter((one) => !first.includes(one.name));
    const switches = first.map((name) => rules.switches.find((one) => one.name === name)).filter(Boolean);
    const agreed = make("div", "", make("b", "", said.agreed), ...switches.map(asking)), more = make("details", "", make("summary", "", `${said.further} (${others.length})`), ...others.map(asking));
    const open = [...place.querySelectorAll("details")].filter((part) => part.open).map((part) => part.dataset.part);
    named.dataset.part = "names";
    more.dataset.part = "agreed";
    for (const part of [named, more]) part.open = open.includes(part.dataset.part);
    place.querySelector("div").replaceChildren(...parts, agreed, more, named);
  }
  function rename(name, next) {
    const line = ` ${writeLine(log)}`;
    const swapped = line.split(/([\s|,])/).map((word) => (word === name ? next : word)).join("").trim();
    const found = next && open(swapped);
    if (found) { trouble(""); set(found, { to: at }); } else setup();
  }
  function cards() {
    const hand = now.view.hands.at(-1), { rules } = now.table, part = make("div", "", make("b", "", said.cards));
    const keys = [...new Set([...now.course.now.middle.map((one) => one.place), ...Object.keys(hand.deal).filter((key) => !log.players.includes(key))]), ...log.players];
    for (const key of keys) {
      const given = hand.deal[key] ?? [], seat = log.players.indexOf(key), row = make("div", "row", make("span", "", plain(key)));
      for (const card of given) { const made = button([drawn(card, now.table), "×"], () => dealing(key, given.filter((one) => one !== card))); made.setAttribute("aria-label", `${said.remove}: ${titled(card, now.table)}`); row.append(made); }
      const more = seat < 0 ? !given.length : state().held[seat].unknown > 0;
      if (more) row.append(button("+", () => telling(key, seat)));
      if (more) row.lastChild.setAttribute("aria-label", `${said.add}: ${plain(key)}`);
      part.append(row);
    }
    return part;
  }

  // ---- later: what depends on unknown cards; what others say ----
  let since = 0;
  async function pause() {  // taps and drawing go first
    if (performance.now() - since < BUSY) return;
    await new Promise((then) => { setTimeout(then); });
    since = performance.now();
  }
  const ASKED = ["stake", "proposal", "trick", "leader", "hand", "score", "winner"];
  function answer(here, view, how) {
    try {
      const steps = here.play(view, { ...how, brief: true }).steps, step = steps.at(-1);
      return { moves: steps.length, status: step?.status ?? "", step, seen: step?.seen ?? {} };
    } catch (fault) {
      if (!(fault instanceof LogFault)) throw fault;
      return { moves: -1, status: fault.code, step: null, seen: {} };
    }
  }
  const apart = (one, two) => one.moves !== two.moves || one.status !== two.status ? ["status"]
    : one.status !== "permitted" ? [] : ASKED.filter((key) => key in one.seen && key in two.seen && JSON.stringify(one.seen[key]) !== JSON.stringify(two.seen[key]));

  /** What comes with each card that may be the turned one, if nobody told it, else with other unknown cards: cards of a kind, and the answer. */
  async function otherwise(mine, own) {
    const { table: here, view } = now, { present } = here.rules, groups = [];
    const add = (card, found) => {
      const group = groups.find(([, one]) => !apart(one, found).length);
      if (group) group[0].push(card); else groups.push([[card], found]);
    };
    const [hole] = untold();
    for (const card of hole ? present.filter((one) => !told(one)) : []) {
      const found = answer(here, hole.told(view, card), {});
      if (found.moves >= 0) add(written(card, here), found);
      await pause();
      if (mine !== round) return [];
    }
    if (groups.length < 2) {
      groups.splice(0, Infinity, [[""], own]);
      for (let fill = 1; fill <= FILLS; fill++) {
        add("", answer(here, view, { fill }));
        await pause();
        if (mine !== round) return [];
      }
    }
    return groups;
  }

  async function later(mine) {
    const { table: here, view } = now, count = find(".others .count"), shown = find(".others ul");
    shown.replaceChildren();
    count.textContent = "";
    if (!moves(view)) return;
    count.textContent = said.looking;
    since = 0;
    await pause();
    if (mine !== round) return;
    const own = answer(here, view, {});
    let same = 0, asked = 0;
    argued = [];
    const says = (other, keys) => {
      if (other.status === "word") return said.hasnot;
      if (keys[0] === "status") return `${other.moves > 0 && other.moves < own.moves ? `${spoken(other.step.text)} — ` : ""}${said[other.status] ?? other.status}`;
      return results(other.seen, KEYS.filter(([key]) => keys.includes(key))).map(([, label, value]) => `${label}: ${value}`).join(" · ") || keys.map((key) => `${KEYS.find(([one]) => one === key)[1]}: ${said.nobody}`).join(" · ");
    };
    const tell = (who, other, keys, next) => {
      const opens = button("→", () => set({ ...copy(view), ...next }));
      opens.setAttribute("aria-label", `${said.open}: ${who}`);
      shown.append(make("li", "", make("b", "", `${who}: `), says(other, keys), " ", opens));
    };
    const seats = log.players.length;
    for (const one of index.variants.filter((each) => each.name !== log.variant && each.seats.includes(seats) && each.drawn === here.rules.drawn)) {
      let other;
      try { other = await table(`${one.name}.${seats}`); } catch { continue; }
      if (mine !== round) return;
      const found = answer(other, { ...view, variant: one.name }, { foreign: true });
      if (found.moves < 0 && found.status !== "word") continue;
      asked += 1;
      const keys = apart(own, found);
      if (keys.length) tell(one.called, found, keys, { variant: one.name, options: {} }); else same += 1;
      await pause();
      if (mine !== round) return;
    }
    const groups = await otherwise(mine, own), differing = [...new Set(groups.slice(1).flatMap(([, found]) => apart(groups[0][1], found)))];
    if (mine !== round) return;
    const keys = differing.includes("status") ? ["status"] : differing, lines = new Map();
    for (const [cards, found] of groups) lines.set(says(found, keys), [...(lines.get(says(found, keys)) ?? []), ...cards]);
    const [hole] = untold(), named = (cards) => (cards[0] ? said.with.replace("{cards}", `${hole.called} ${cards.slice(0, NAMED).join(", ")}${cards.length > NAMED ? " …" : ""}`) : said.rest);
    if (lines.size > 1) {  // what was drawn rests on the cards that were taken for it
      const unsure = find(".unsure");
      unsure.hidden = false;
      unsure.replaceChildren(make("p", "", said.depends), ...[...lines].map(([text, cards]) => make("p", "", `${named(cards)} `, make("b", "", text))), make("p", "", said.tell));
      if (keys[0] === "status") find(".verdict h2 span").replaceWith("?");
      find(".verdict").replaceChildren(find(".verdict h2"), find(".elsewhere"), unsure);
    }
    for (const one of here.rules.switches) for (const value of Object.keys(one.values)) {
      if (value === (view.options[one.name] ?? one.value)) continue;
      const found = answer(here, { ...view, options: { ...view.options, [one.name]: value } }, {});
      if (found.moves < 0) continue;
      asked += 1;
      const keys = apart(own, found);
      if (keys.length) { argued.push(one.name); tell(`${one.ask[language]} ${said.if.replace("{it}", one.values[value][language] ?? value)}`, found, keys, { options: { ...view.options, [one.name]: value } }); } else same += 1;
      await pause();
      if (mine !== round) return;
    }
    const many = (n, [one, more]) => `${n} ${n === 1 ? one : more}`;
    count.textContent = shown.children.length ? `${many(shown.children.length, said.otherwise)}, ${many(same, said.same)}.` : said.alike;
    find(".elsewhere").replaceWith(elsewhere(count.textContent));
    if (!find(".setup").contains(document.activeElement)) setup();
    root.dataset.asked = String(asked);
  }

  // ---- begin ----
  find(".setup").addEventListener("toggle", (event) => { if (event.target === find(".setup")) setup(); }, true);
  root.querySelector(".log form").addEventListener("submit", (event) => {
    event.preventDefault();
    trouble("");
    const next = open(event.target.elements.line.value.trim());
    if (next) set(next);
  });
  find("[data-copy]").addEventListener("click", () => navigator.clipboard?.writeText(writeLine(log)).catch(() => {}));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, select, textarea, dialog, summary")) return;
    if (event.key === "ArrowLeft" && at) { at -= 1; show(); }
    else if (event.key === "ArrowRight" && at < moves(log)) { at += 1; show(); }
    else if (event.key === "Backspace") back();
    else return;
    event.preventDefault();
  });
  addEventListener("hashchange", follow);
  addEventListener("popstate", follow);
  for (const tile of tiles) tile.addEventListener("click", () => choose(tile.dataset.game));
  finder();
  without.hidden = true;
  root.hidden = false;
  await follow();
  if (location.hash) find(".table").scrollIntoView({ block: "nearest" });  // on a phone the verdict lies over its lower end
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
})();
