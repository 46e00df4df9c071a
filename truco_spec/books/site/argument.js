// One log of a game, written in a line, played on the module of a game with open options: what each move was, what may
// follow, and what other rules say of it. No rule of any game is here: all is asked of the module (truco.js).

import { Truco, TextError, PlayError } from "./truco.js";

export const LONGEST = 6000, MOST_MOVES = 300, MOST_OPTIONS = 80;
const LISTED = 262144, FIRED = 196608, STEPS = 245760, NONE = -1000, UNSET = -9999n, MOST_BETWEEN = 400;
const CHANCE = "chance", STRICT = "strict", UMPIRE = "umpire", DEALER = "dealer";
export const UNKNOWN = "??";  // in a move, a card that nobody remembers
const KEYWORDS = ["players", DEALER, "score", "start", "position", "mode", "deal"];
const SHAPES = { variant: /^[A-Za-z][A-Za-z0-9-]{0,59}$/, word: /^[^\s,|=\p{C}]{1,60}$/u, player: /^[\p{L}\p{N}][\p{L}\p{N}_.'’-]{0,59}$/u };

/** A log that cannot be read or played; `code` says why, `detail` is the piece of it. */
export class LogFault extends Error {
  name = "LogFault";
  constructor(code, detail = "") { super(`${code}: ${detail}`); this.code = code; this.detail = String(detail).slice(0, 60); }
}

// ---- The line, as `truco-spec run` takes it ----------------------------------------------------------

const parted = (text, by) => text.split(by).map((part) => part.trim());
const known = (kind, text) => { if (!SHAPES[kind].test(text) || text in {}) throw new LogFault(kind, text); return text; };  // not “constructor”

/** Read a line. Throws LogFault. */
export function readLine(text) {
  if (text.length > LONGEST) throw new LogFault("long");
  const [head, seated = "", ...rest] = parted(text, "|");
  const [variant, ...agreed] = head.split(/\s+/);
  const log = { variant: known("variant", variant), options: {}, players: [], dealer: "", score: {}, mode: STRICT, hands: [] };
  if (agreed.length > MOST_OPTIONS) throw new LogFault("long");
  for (const each of agreed) {
    const [name, value, more] = each.split("=");
    if (more !== undefined || Object.hasOwn(log.options, name)) throw new LogFault("option", each);
    log.options[known("word", name)] = known("word", value ?? "");
  }
  const named = /^\d{1,2}$/.test(seated) ? Array.from({ length: seated }, (_, seat) => `P${seat}`) : seated.split(/\s+/).filter(Boolean);
  log.players = named.map((name) => known("player", name));
  if (log.players.length < 2 || log.players.length > 12 || new Set(log.players).size < log.players.length)
    throw new LogFault("players", seated);
  for (const name of log.players) if (KEYWORDS.includes(name) || name === CHANCE) throw new LogFault("player", name);
  const seen = new Set();
  let deal = null, moves = 0;
  for (const part of rest) {
    const word = part.split(/\s/, 1)[0], told = part.slice(word.length).trim();
    if (KEYWORDS.includes(word) && word !== "deal") {
      if (seen.has(word) || seen.has("hands")) throw new LogFault("order", word);
      seen.add(word);
      if (word === "mode" && (told === STRICT || told === UMPIRE)) log.mode = told;
      else if (word === DEALER && log.players.includes(told)) log.dealer = told;
      else if (word === "score") for (const each of parted(told, ",")) scored(log, each);
      else throw new LogFault("part", part);
      continue;
    }
    seen.add("hands");
    if (word === "deal") {
      if (deal) log.hands.push({ deal, moves: [] });
      deal = {};
      for (const each of told ? parted(told, ",") : []) {
        const [key, ...cards] = each.split(/\s+/);
        if (Object.hasOwn(deal, known("word", key)) || cards.length > 60) throw new LogFault("deal", each);
        deal[key] = cards.map((card) => known("word", card));
      }
      continue;
    }
    const done = parted(part, ",").filter((move, at, all) => move || at < all.length - 1);
    for (const move of done) {
      const [who, ...words] = move.split(/\s+/);
      if (!(log.players.includes(who) || who === CHANCE) || !words.length) throw new LogFault("move", move);
      words.forEach((each) => known("word", each));
    }
    if ((moves += done.length) > MOST_MOVES) throw new LogFault("long");
    log.hands.push({ deal: deal ?? {}, moves: done.map((move) => move.split(/\s+/).join(" ")) });
    deal = null;
  }
  if (deal) log.hands.push({ deal, moves: [] });
  if (log.hands.length > 30) throw new LogFault("long");
  return log;
}

function scored(log, text) {
  const [who, points, more] = text.split(/\s+/);
  if (more !== undefined || !log.players.includes(who) || !/^\d{1,6}$/.test(points ?? "") || Object.hasOwn(log.score, who))
    throw new LogFault("score", text);
  log.score[who] = Number(points);
}

/** Write a log as a line; reading it gives an equal log. */
export function writeLine(log) {
  const parts = [[log.variant, ...Object.entries(log.options).map(([name, value]) => `${name}=${value}`)].join(" ")];
  parts.push(log.players.join(" "));
  if (log.dealer) parts.push(`dealer ${log.dealer}`);
  const score = Object.entries(log.score);
  if (score.length) parts.push(`score ${score.map((pair) => pair.join(" ")).join(", ")}`);
  if (log.mode !== STRICT) parts.push(`mode ${log.mode}`);
  let moved = true;
  for (const { deal, moves } of log.hands) {
    const dealt = Object.entries(deal).filter(([, cards]) => cards.length);
    if (dealt.length || !moves.length || !moved)
      parts.push(`deal ${dealt.map(([key, cards]) => [key, ...cards].join(" ")).join(", ")}`.trimEnd());
    if (moves.length) parts.push(moves.join(", "));
    moved = moves.length > 0;
  }
  return parts.join(" | ");
}

/** A line as the fragment of a link, with signs that no messenger cuts off; and back, also from a plain line. */
export function toFragment(line) {
  return /[/+~%]/.test(line) ? encodeURIComponent(line)
    : encodeURI(line.replaceAll(" | ", "/").replaceAll(", ", ",").replaceAll(" ", "+")).replaceAll("|", "%7C").replaceAll("'", "%27");
}
export function fromFragment(text) {
  if (text.length > 3 * LONGEST) throw new LogFault("long");
  let line;
  try { line = decodeURIComponent(text); } catch { throw new LogFault("part", text); }
  return line.includes("|") ? line : line.replaceAll("/", " | ").replaceAll("+", " ").replaceAll(",", ", ");
}

// ---- Playing ----------------------------------------------------------------------------------------

/** A seeded order of cards that favours some ranks and suits: what unknown cards may be, `fill` after `fill`. */
function shuffled(cards, fill) {
  let seed = (fill * 48271 + 11) % 2147483647;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const kinds = [...new Set(cards.flatMap((card) => [card.slice(-1), card.slice(0, -1)]))];
  const liked = new Set([0, 1].map(() => kinds[Math.floor(random() * kinds.length)]));
  const weigh = (card) => random() - ((liked.has(card.slice(-1)) || liked.has(card.slice(0, -1))) && random() < 0.8 ? 1 : 0);
  return cards.map((card) => [weigh(card), card]).sort(([a], [b]) => a - b).map(([, card]) => card);
}

export class Table {
  /** Of both files' contents; the module is compiled once and begins anew for every log. */
  static async make(rules, bytes) {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Table(rules, instance.exports);
  }

  constructor(rules, exports) {
    Object.assign(this, { rules, exports });
    this.cards = new Set(rules.present);
    this.cardOf = new Map();
    this.number = new Map(rules.cards.map((card, at) => [card, at]));
    this.shifts = rules.actions.map(({ params }) => { const at = params.findIndex((param) => param.base === "card"); return at < 0 ? undefined : BigInt(16 + 16 * at); });
    this.rule = new Map([...rules.statements, ...rules.rules].map((rule) => [rule.name, rule]));
    this.packs = rules.places.filter((place) => place.name === rules.stock);
    this.keys = new Set([...rules.places.filter((one) => one.place === "slot" || !one.many).map((one) => one.name),
      ...rules.actions.filter((one) => one.chance && one.params.some((param) => param.base === "card")).map((one) => one.name)]);
  }

  /** Play a log. `fill` chooses what cards are that it does not tell; `foreign`: another game's log, of which only is
   * kept what means something here; `brief`: only the last step is looked at, and nothing is offered. Throws LogFault
   * where it cannot begin, or means nothing. */
  play(log, { fill = 0, foreign = false, brief = false } = {}) { return new Play(this, log, { fill, foreign, brief }).course(); }

  /** A sentence of a rule, with what only the agreement of a table says. */
  sentence(name, language, values) {
    const rule = this.rule.get(name);
    return rule ? (rule.text[language] ?? rule.text.en).replace(/\{([\w.-]+)\}/g, (_, hole) => values?.(hole, language) ?? hole.replaceAll("-", " ")) : name;
  }
}

class Play {
  constructor(table, log, { fill, foreign, brief }) {
    Object.assign(this, { table, log, foreign, brief, rules: table.rules, exports: table.exports });
    const { rules } = this;
    this.players = log.players;
    this.options = this.agreed(log.options);
    const start = { ...this.options };
    if (Object.keys(log.score).length) start.score = log.score;
    try {
      this.game = new Truco(rules, table.exports, { players: log.players, start });
    } catch (error) {
      if (error instanceof TextError || error instanceof PlayError) throw new LogFault("start", error.message);
      throw error;
    }
    for (const name of rules.refused) if (this.ask(name)) throw new LogFault("together");
    this.order = fill ? shuffled(rules.present, fill) : [...rules.present].reverse();
    this.hands = log.hands.map((hand) => this.guessed({ deal: this.dealt(hand.deal), moves: hand.moves }));
    this.steps = [];
    this.passed = [];
    this.left = log.hands.reduce((sum, hand) => sum + hand.moves.length, 0);
    this.hand = -1;
  }

  agreed(options) {
    const { rules } = this, found = {};
    for (const [name, value] of Object.entries(options)) {
      const open = rules.switches.find((one) => one.name === name);
      if (open && Object.hasOwn(open.values, value)) found[name] = value;
      else if (this.foreign) continue;
      else if (rules.settled[name] === value) continue;
      else throw new LogFault(Object.hasOwn(rules.settled, name) ? "settled" : "option", `${name}=${value}`);
    }
    return found;
  }

  dealt(deal) {
    const found = {}, seen = new Set();
    for (const [key, cards] of Object.entries(deal)) {
      const there = this.players.includes(key) || this.table.keys.has(key);
      if (!there && this.foreign) continue;
      if (!there) throw new LogFault("deal", key);
      for (const card of cards) {
        if (card !== UNKNOWN && !this.table.cards.has(card)) throw new LogFault("card", card);
        if (card !== UNKNOWN && this.players.includes(key) && (seen.has(card) || !seen.add(card))) throw new LogFault("twice", card);
      }
      found[key] = cards.filter((card) => card !== UNKNOWN);
    }
    return found;
  }

  /** A hand with a card that it does not name in place of each that nobody remembers. */
  guessed({ deal, moves }) {
    const named = new Set([...Object.values(deal).flat(), ...moves.flatMap((move) => this.cardsIn(move.split(" ")))]);
    const free = this.order.filter((card) => !named.has(card));
    return { deal, moves: moves.map((move) => move.replace(UNKNOWN, () => free.shift() ?? UNKNOWN)) };
  }

  ask(name, ...args) {
    this.exports.faulted.value = 0;
    const found = this.exports[name]?.(...args.map(BigInt)) ?? 0n;
    const failed = this.exports.faulted.value;
    this.exports.faulted.value = 0;
    return failed ? 0n : found;
  }

  course() {
    let stopped = null;
    this.openHand();
    try {
      this.hands.forEach(({ moves }, hand) => {
        if (hand) this.openHand();
        moves.forEach((text, at) => { this.at = at; this.steps.push(this.move(text)); });
        this.at = moves.length;
      });
    } catch (error) {
      if (!(error instanceof LogFault) || error.code !== "refused") throw error;
      stopped = error.step;
      this.steps.push(stopped);
    }
    const written = this.log.hands.flatMap(({ moves }) => moves);
    this.steps.forEach((step, at) => { step.text = written[at]; });
    if (this.brief) return { steps: this.steps, stopped, passed: new Set([...this.passed, ...this.steps.flatMap(({ first, then }) => [...first, ...then])]) };
    const offers = stopped ? [] : this.offers();
    return { steps: this.steps, offers, stopped, now: this.shown ?? this.state(), value: (hole, language) => this.value(hole, language) };
  }

  openHand() {
    this.hand += 1;
    this.at = 0;
    const { deal, moves } = this.hands[this.hand] ?? { deal: {}, moves: [] };
    this.wanted = Object.fromEntries(Object.entries(deal).map(([key, cards]) => [key, [...cards]]));
    this.taken = {};
    this.ahead = moves.map((move) => { const [who, ...words] = move.split(" "); return [who, this.cardsIn(words)]; });
    this.named = new Set([...Object.values(deal).flat(), ...this.ahead.flatMap(([, cards]) => cards)]);
    this.dealtOut = false;
    this.trick = [];
    this.earlier = [];
    this.taker = null;
    this.laidOut = null;
  }

  cardsIn(words) { return words.map((word) => word.replace(/^[([]|[)\]]$/g, "")).filter((word) => this.table.cards.has(word)); }

  // ---- a move, with all implicit actions before it ----

  move(text) {
    const begin = [this.game.history.length, this.keep()], umpire = this.log.mode === UMPIRE && !this.foreign;
    this.crossed = null;
    let [status, rules] = this.reach(text, umpire);
    if (this.crossed && (status === "not-offered" || status === "impossible")) {
      [status, rules] = this.returned(text, begin[0]);
      if (umpire && status === "impossible") [status, rules] = this.again(text, begin);
    }
    if (umpire && status === "not-offered") {  // a word that is void brings nothing about
      this.back(...begin);
      if (this.judged(text)[0] !== "not-offered") [status, rules] = this.again(text, begin);
    }
    if (status !== "permitted") {
      if (!umpire || status === "impossible") {
        [status, rules] = this.backToBan(text, begin[0]) ?? [status, rules];
        if (status === "forbidden") rules = this.bars(text);
        throw Object.assign(new LogFault("refused"), { step: this.step(text, status, rules, [rules]) });
      }
      this.exports.strict.value = 0;
      try { status = this.game.push(text); } finally { this.exports.strict.value = 1; }
    }
    const marks = this.stepsFired(), card = this.laid(text);
    if (card) this.play(card, text);
    return this.step(text, status, [...new Set(marks.flat())], marks);
  }

  /** Do a move if it is permitted here; its status, and the rules against it. */
  judged(text) {
    try {
      const { done, status, rules } = this.game.attempt(text);
      return [status, done ? [] : rules];
    } catch (error) {
      if (error instanceof TextError) throw new LogFault("word", text.split(" ").slice(1).join(" "));
      if (error instanceof PlayError) throw new LogFault("rules", text);
      throw error;
    }
  }

  /** Do a move as soon as it is permitted, after implicit actions; an umpire takes the first forbidden one. */
  reach(text, umpire) {
    for (let between = 0; ; between++) {
      const draw = umpire || between > MOST_BETWEEN ? null : this.draw();
      if (draw !== null) { this.advance(draw); continue; }
      const [status, rules] = this.judged(text);
      if (status === "permitted" || (umpire && status === "forbidden") || between > MOST_BETWEEN) return [status, rules];
      const next = this.unsaid(true);
      if (next === null) return [status, rules];
      this.advance(next);
    }
  }
  again(text, begin) { this.back(...begin); return this.reach(text, true); }
  back(mark, kept) { while (this.game.history.length > mark) this.game.pop(); this.restore(kept); }

  /** Judge a move that no later hand permits before the next cards: where its player, or else anybody, may choose. */
  returned(text, before) {
    const who = this.players.indexOf(text.split(" ")[0]), { mark, kept } = this.crossed;
    this.back(mark, kept);
    const undone = [];
    let stand = 0;
    for (let at = mark; at >= before; at--) {
      const choosing = this.listed().filter((key) => this.seat(key) >= 0 && !this.kind(key).tacit).map((key) => this.seat(key));
      if (choosing.includes(who)) { stand = undone.length; break; }
      if (choosing.length && !stand) stand = undone.length;
      if (at > before) { undone.push(this.game.history[at - 1].key); this.game.pop(); }
    }
    while (undone.length > stand) this.do(undone.pop());
    return this.judged(text);
  }

  /** Go back to where a move that no rule ever permits was forbidden last; null, and nothing changes, if it was nowhere. */
  backToBan(text, before) {
    if (this.game.keys(text).some((key) => this.could(this.kind(key).name))) return null;
    const undone = [];
    for (;;) {
      const [status, rules] = this.judged(text);
      if (status === "forbidden") return [status, rules];
      if (this.game.history.length === before) break;
      undone.push(this.game.history.at(-1).key);
      this.game.pop();
    }
    while (undone.length) this.do(undone.pop());
    return null;
  }
  could(action) { return !this.exports[`could.${action}`] || this.ask(`could.${action}`) !== 0n; }

  happens(status) { return status === "permitted" || (this.log.mode === UMPIRE && !this.foreign); }

  /** The rules that forbid a move: those by which an umpire takes it. */
  bars(text) {
    this.exports.strict.value = 0;
    try {
      this.game.push(text);
      const [found = []] = this.stepsFired();
      this.game.pop();
      return found;
    } finally { this.exports.strict.value = 1; }
  }

  keep() { return [{ ...this.taken }, Object.fromEntries(Object.entries(this.wanted).map(([k, v]) => [k, [...v]])), this.dealtOut, this.trick, this.earlier, this.taker]; }
  restore([taken, wanted, dealtOut, trick, earlier, taker]) { Object.assign(this, { taken, wanted, dealtOut, trick, earlier, taker }); }

  stepsFired() {
    const { buffer } = this.exports.memory, found = [];
    for (const number of new Int32Array(buffer, FIRED, this.exports.fired.value))
      if (number < 0) found.push([]);
      else found.at(-1)?.push(this.rules.rules[number].name);
    return found;
  }

  /** The card that a move brought to the table in front of its player, as it lies after the move's own step. */
  laid(text) {
    const named = this.cardsIn(text.split(" ").slice(1)), seat = this.players.indexOf(text.split(" ")[0]);
    if (named.length !== 1) return "";
    return this.at1(() => this.lies(named[0], (place) => place.place === "slot" && place.seat === seat)) ? named[0] : "";
  }

  play(card, text) {
    if (this.taker !== null && this.trick.length) [this.earlier, this.trick] = [[...this.earlier, this.trick], []];
    this.taker = null;
    this.trick = [...this.trick, { card, seat: this.players.indexOf(text.split(" ")[0]), down: text.includes("(") }];
  }

  /** Look at the table as it was after the first step of the last action, before what follows of itself. */
  at1(look) {
    const { steps } = this.game.last;
    if (steps.length < 2) return look();
    const slots = this.game.slots(), kept = slots.slice(), journal = this.exports.journal.value;
    this.exports.undo(steps[1]);
    try { return look(); } finally { this.game.slots().set(kept); this.exports.journal.value = journal; }
  }

  /** What gave the table what it observes now, by observation: statements, else the rules of the step that last changed it. */
  reasons(marks, seen) {
    const { steps } = this.game.last, slots = this.game.slots(), kept = slots.slice(), journal = this.exports.journal.value, found = {};
    const span = ([param]) => (param ? Array.from({ length: param.high - param.low + 1 }, (_, n) => [n + param.low]) : [[]]);
    const look = () => new Map(this.rules.observed.map(({ name, params }) => [name, span(params).map((args) => this.ask(`table.${name}`, ...args))]));
    const stated = (names) => names.flatMap((name) => this.rules.why[name] ?? []).map((question) => this.rules.statements[Number(this.ask(question)) - 1]?.name).filter(Boolean);
    for (let at = steps.length - 1, after = look(); at >= 0; at--) {
      const answers = new Map([...after.keys()].map((name) => [name, stated([`table.${name}`])]));
      this.exports.undo(steps[at]);
      const before = look();
      for (const [name, values] of after) {
        const over = seen[name] !== null && values.every((value) => value === BigInt(NONE));
        if (name in found || over || String(values) === String(before.get(name))) continue;
        const fired = marks[at] ?? [], writing = fired.filter((rule) => `${rule} ${name}` in this.rules.why);
        const because = answers.get(name).length ? answers.get(name) : stated(writing.map((rule) => `${rule} ${name}`));
        found[name] = at && because.length ? because : [...because, ...(writing.length ? writing : fired)];
      }
      after = before;
    }
    slots.set(kept);
    this.exports.journal.value = journal;
    return found;
  }

  step(text, status, rules, marks) {
    const last = (this.left -= 1) === 0 || status === "impossible" || !this.happens(status);
    const seen = last || !this.brief ? this.game.observe() : {};
    const state = last && !this.brief ? this.state(seen) : null, why = state && status !== "impossible" && this.happens(status) ? this.reasons(marks, seen) : {};
    this.taker = seen.trick ?? this.taker;
    return { text, status, rules, first: marks[0] ?? [], then: marks.slice(1).flat().filter((name, at, all) => all.indexOf(name) === at), seen, state, why, hand: this.hand };
  }

  // ---- implicit actions: of chance, and tacit ones ----

  listed() {
    const count = this.exports.legal();
    if (this.exports.faulted.value) throw new LogFault("rules");
    return [...new BigInt64Array(this.exports.memory.buffer, LISTED, count)];
  }

  kind(key) { return this.rules.actions[Number(key & 255n)]; }
  seat(key) { return (key & 65280n) === 0n ? -1 : Number((key >> 8n) & 255n) - 1; }
  args(key) { return this.kind(key).params.map((_, at) => Number(BigInt.asIntN(16, key >> BigInt(16 + 16 * at)))); }
  card(key) {
    const { cardOf, shifts } = this.table;
    let card = cardOf.get(key);
    if (card !== undefined) return card;
    const shift = shifts[Number(key & 255n)];
    card = shift === undefined ? "" : this.rules.cards[Number((key >> shift) & 65535n)] ?? "";
    cardOf.set(key, card);
    return card;
  }

  do(key) {
    const { exports } = this, mark = exports.journal.value, status = exports.push(key);
    if (status !== 0) throw new LogFault("rules");
    this.game.history.push({ text: "", key, mark, last: this.game.last });
    const rules = [];
    this.game.last = { status: "permitted", rules, steps: [...new Int32Array(exports.memory.buffer, STEPS, exports.steps.value)] };
  }

  /** Do the implicit actions. Throws LogFault if the first deal falls on another than the log says. */
  advance(key) {
    this.do(key);
    this.passed.push(...this.stepsFired().flat());
    const datum = this.rules.start[DEALER], dealer = datum && this.game.slots()[datum.slot];
    if (!this.log.dealer || this.dealing || !datum || dealer === UNSET) return;
    this.dealing = true;
    if (dealer !== BigInt(this.players.indexOf(this.log.dealer))) throw new LogFault("start", this.log.dealer);
  }

  tried(key, look) {
    this.do(key);
    try { return look(); } finally { this.game.pop(); }
  }

  /** The card that chance draws, where nobody else may act; null otherwise, and before another hand. */
  draw() {
    const legal = this.listed();
    return legal.length && legal.every((key) => this.seat(key) < 0 && this.card(key)) ? this.chosen(legal, true) : null;
  }

  /** The next implicit action; null if somebody has to choose, or this hand is over. */
  unsaid(beyond = false) {
    const legal = this.listed();
    let chance = legal.filter((key) => this.seat(key) < 0);
    const own = legal.filter((key) => this.seat(key) >= 0);
    if (chance.length && own.length) {
      const slots = this.game.slots().slice();
      if (own.some((key) => this.tried(key, () => this.game.slots().some((value, at) => value !== slots[at]))))
        chance = chance.filter((key) => this.card(key));
    }
    if (chance.length) return this.chosen(chance, beyond);
    const tacit = own.filter((key) => this.kind(key).tacit);
    return tacit.length ? tacit.reduce((a, b) => ((b & 255n) < (a & 255n) ? b : a)) : null;
  }

  packIsWhole() {
    const slots = this.game.slots();
    const there = this.table.packs.reduce((held, { slot }) => held | slots[slot], 0n);
    return this.rules.present.every((card) => (there >> BigInt(this.table.number.get(card))) & 1n);
  }

  chosen(chance, beyond) {
    const drawing = chance.filter((key) => this.card(key));
    if (!drawing.length) {
      const seat = BigInt(this.players.indexOf(this.log.dealer)), datum = this.rules.start[DEALER];
      const before = datum && this.game.slots()[datum.slot];
      const falls = (key) => this.tried(key, () => this.game.slots()[datum.slot] === seat && before !== seat);
      return (seat >= 0n && datum && chance.find(falls)) || chance[0];
    }
    const where = this.goesTo(drawing[0]);
    if (where.place && this.packIsWhole()) {
      if (this.dealtOut && !beyond) return null;  // the next hand
      if (this.dealtOut) this.crossed ??= { mark: this.game.history.length, kept: this.keep() };
      this.dealtOut = true;
    }
    const byCard = new Map(drawing.filter((key) => (key & 255n) === (drawing[0] & 255n)).map((key) => [this.card(key), key]));
    return byCard.get(this.drawn(this.kind(drawing[0]).name, where, byCard));
  }

  places(card, test = () => true) {
    const slots = this.game.slots(), number = BigInt(this.table.number.get(card));
    return this.rules.places.filter((place) => test(place) && (place.many ? (slots[place.slot] > 0n || slots[place.slot] < 0n) && (slots[place.slot] >> number) & 1n : slots[place.slot] === number));
  }
  lies(card, test) { return this.places(card, test).length > 0; }

  /** Where a drawn card goes: found by drawing it, and taking it back. */
  goesTo(key) {
    const card = this.card(key), before = new Set(this.places(card));
    return this.tried(key, () => this.at1(() => {
      const found = this.places(card).filter((place) => !before.has(place));
      return found.find((place) => place.place) ?? found[0] ?? { name: "", seat: -1 };
    }));
  }

  /** The next card of lots that fall on the dealer of the log; "" if it names none, or none do. */
  lot() {
    const datum = this.rules.start[DEALER], seat = BigInt(this.players.indexOf(this.log.dealer));
    if (!datum || seat < 0n || this.game.slots()[datum.slot] !== UNSET) return "";
    if (this.lots?.length) return this.lots.shift();
    const begin = this.game.history.length;
    for (let fill = 1; fill <= 16; fill++) {
      const order = shuffled(this.rules.present, fill), drawn = [];
      for (let at = 0; at < 40 && this.game.slots()[datum.slot] === UNSET; at++) {
        const keys = this.listed().filter((key) => this.seat(key) < 0 && this.card(key));
        const key = keys.find((each) => this.card(each) === order[at % order.length]) ?? keys[0];
        if (key === undefined) break;
        drawn.push(this.card(key));
        this.do(key);
      }
      const dealer = this.game.slots()[datum.slot];
      while (this.game.history.length > begin) this.game.pop();
      if (drawn.length && dealer === seat) { this.lots = drawn.slice(1); return drawn[0]; }
    }
    return "";
  }

  drawn(verb, where, byCard) {
    const lot = where.place ? "" : this.lot();
    if (lot) return lot;
    const owner = where.place && where.seat >= 0 && where.mine ? this.players[where.seat] : "";
    for (const key of [verb, where.name, owner]) {
      const card = Object.hasOwn(this.wanted, key) ? this.next(key, where, byCard) : null;
      if (card !== null) return card;
    }
    const promised = (card, but) => Object.entries(this.wanted).some(([key, cards]) => key !== but && cards.slice(this.taken[key] ?? 0).includes(card));
    const ahead = this.ahead.slice(this.at);
    if (owner) for (const [who, cards] of ahead) {
      const card = who === owner && cards.find((one) => byCard.has(one) && !promised(one, owner));
      if (card) return card;
    }
    const mentioned = new Set(ahead.flatMap(([, cards]) => cards));
    return this.order.find((card) => byCard.has(card) && !mentioned.has(card) && !promised(card, "")) ?? [...byCard.keys()].at(-1);
  }

  next(key, where, byCard) {
    const cards = this.wanted[key];
    for (let at = this.taken[key] ?? 0; at < cards.length; at = this.taken[key]) {
      const card = cards[at];
      if (byCard.has(card)) {
        this.taken[key] = at + 1;
        for (const [other, given] of Object.entries(this.wanted)) {
          const left = this.taken[other] ?? 0, found = given.indexOf(card, left);
          if (other === key || found < 0 || (this.players.includes(key) && this.players.includes(other))) continue;
          given.splice(left, 0, ...given.splice(found, 1));
          this.taken[other] = left + 1;
        }
        return card;
      }
      if (!this.lies(card, (place) => place.slot === where.slot)) {
        if (this.foreign) { this.taken[key] = at + 1; continue; }
        throw new LogFault("comes", card);
      }
      this.taken[key] = at + 1;
    }
    return null;
  }

  // ---- what may follow, and how the table stands ----

  /** All that may be done next, also after implicit actions: seat, action, the words, the card. */
  offers() {
    const found = new Map(), mark = this.game.history.length, kept = this.keep();
    for (let between = 0; between < MOST_BETWEEN; between++) {
      const legal = this.listed(), texts = legal.length && legal.length < 400 ? this.game.legalActions() : [];
      legal.forEach((key, at) => {
        const seat = this.seat(key), text = texts[at];
        if (seat < 0 || !text || found.has(text)) return;
        const card = this.card(key), kind = this.kind(key);
        const shown = !card || this.named.has(card) || this.open(card) || !this.lies(card, (one) => one.seat === seat && one.many);
        const right = kind.count && !this.unknown(seat) && this.ask(kind.count, seat) === BigInt(this.args(key)[0]);
        found.set(text, { text, seat, action: kind.name, card, known: shown, tacit: kind.tacit, right });
      });
      const next = this.unsaid();
      if (next === null) break;
      this.advance(next);
    }
    this.shown = this.state();
    while (this.game.history.length > mark) this.game.pop();
    this.restore(kept);
    return [...found.values()];
  }

  /** Whether a player holds a card that nobody told. */
  unknown(seat) { return this.lying().held[seat].unknown > 0; }
  open(card) { return this.players.every((_, seat) => this.sees(seat, card)); }
  sees(seat, card) { return this.places(card).some((place) => place.place && this.seers(place) >> BigInt(seat) & 1n); }
  seers(place) {
    const one = this.rules.seen.find((each) => each.slot === place.slot);
    return one ? this.ask(one.ask, ...one.at) : 0n;
  }

  /** The cards in their places, after a hand as they lay before they were taken up; those of the tricks in the order of
   * play, with the best so far. */
  state(seen = this.game.observe()) {
    const { rules } = this, there = this.lying();
    this.laidOut = there.somewhere ? there : this.laidOut ?? this.at1(() => this.lying());
    const tricks = [...this.earlier, this.trick].map((trick) => trick.map((each) => ({ ...each, best: false })));
    this.at1(() => {
      for (const trick of tricks) {
        const last = trick.at(-1), place = last && this.places(last.card, (one) => one.place === "slot" && one.seat === last.seat)[0];
        if (!place) continue;
        const best = rules.ahead ? this.ask(rules.ahead, ...place.rest) : 0n;
        for (const each of trick) each.best = ((best >> BigInt(each.seat)) & 1n) === 1n;
      }
    });
    return { ...this.laidOut, trick: tricks.pop(), before: tricks, seen };
  }

  /** The cards of each player, what lies in the middle, and the cards above all others; `somewhere` if any lies at a seat. */
  lying() {
    const slots = this.game.slots(), { rules } = this, held = this.players.map(() => ({ cards: [], unknown: 0 })), middle = [];
    let somewhere = false;
    for (const place of rules.places) {
      if (!place.place || place.name === rules.stock) continue;
      const value = slots[place.slot];
      const cards = place.many ? rules.cards.filter((_, at) => value !== 0n && (value >> BigInt(at)) & 1n) : value > NONE ? [rules.cards[Number(value)]] : [];
      for (const card of cards) {
        const open = this.open(card), shown = open || this.named.has(card);
        somewhere ||= place.seat >= 0;
        if (place.seat >= 0 && place.many) { if (shown) held[place.seat].cards.push(card); else held[place.seat].unknown += 1; }
        else if (place.seat < 0 && open) middle.push({ place: place.name, card });
      }
    }
    const above = (card) => rules.above.some((name) => this.ask(name, this.table.number.get(card)));
    return { held, middle, above: rules.present.filter(above), somewhere };
  }

  /** What a sentence asks of the agreement: the value of an option, or of a question without arguments. */
  value(hole, language) {
    const open = this.rules.switches.find((one) => one.name === hole);
    if (open) return open.values[this.options[hole] ?? open.value]?.[language];
    const type = this.rules.holes[hole];
    return type ? String(this.ask(hole)) : undefined;
  }
}
