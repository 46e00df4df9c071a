// Plays a variant of Truco: the rules are in its .wasm, the meaning of numbers in its .json. Written by `truco-spec build`.
//
//   const game = await Truco.load("paulista", { players: ["ana", "bia", "caio", "davi"] });
//   game.draw(); game.legalActions(); game.push("bia truco"); game.observe(); game.view("ana"); game.pop();

const LISTED = 262144, FIRED = 196608, STEPS = 245760, NONE = -1000, UNSET = -9999, OUTSIDERS = ["chance", "referee"];
const PARSED = new WeakMap(), MOST_PARSED = 4096; // of a variant: what texts mean
const STATUSES = ["permitted", "forbidden", "not-offered", "impossible"];

/** What is given cannot be used: a text without meaning, an unknown player, a value out of range. */
export class TextError extends Error { name = "TextError"; }
/** The rules do not permit an action; `status` is forbidden, not-offered or impossible, `rules` forbid it. */
export class IllegalAction extends Error {
  name = "IllegalAction";
  constructor(message, status, rules) { super(message); this.status = status; this.rules = rules; }
}
/** The rules themselves fail. */
export class PlayError extends Error { name = "PlayError"; }

export class Truco {
  /** Read `where.json` and `where.wasm`: a name beside this file, a path or file URL in Node, a URL elsewhere. */
  static async load(where, setup = {}) {
    const place = where.includes("/") ? where : new URL(where, import.meta.url).href;
    const [rules, bytes] = await Promise.all([read(`${place}.json`), read(`${place}.wasm`)]);
    return Truco.make(JSON.parse(new TextDecoder().decode(rules)), bytes, setup);
  }

  static async make(rules, bytes, setup = {}) {
    if (rules.truco !== 1) throw new TextError("This file is no variant of this version: `truco: 1` is missing.");
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Truco(rules, instance.exports, setup);
  }

  /** `players` in order of play; `mode` strict or umpire; `start` as {dealer: "ana", score: {ana: 11}}. */
  constructor(rules, exports, { players, mode = "strict", start = {} } = {}) {
    this.rules = rules;
    this.players = players ?? Array.from({ length: rules.seats }, (_, seat) => `P${seat}`);
    const isName = (name) => typeof name === "string" && /^\S+$/.test(name) && !OUTSIDERS.includes(name);
    if (!Array.isArray(this.players) || new Set(this.players.filter(isName)).size !== rules.seats || this.players.length !== rules.seats)
      throw new TextError(`${rules.variant} is played here by ${rules.seats}, each with another name of one word.`);
    if (mode !== "strict" && mode !== "umpire") throw new TextError(`There is no mode ${mode}: it is strict or umpire.`);
    this.module = exports;
    this.slots = () => new BigInt64Array(exports.memory.buffer, rules.position, rules.slots);
    exports.strict.value = mode === "strict" ? 1 : 0;
    this.history = [];
    exports.begin();
    for (const [name, value] of Object.entries(start)) this.#begin(name, value);
    if (exports.start()) throw new PlayError("The rules fail at the start.");
    this.last = this.#event("permitted");
    for (const name of Object.keys(start).length ? rules.never : [])
      if (this.#ask(name)) throw new TextError(`No game can begin so (${name}).`);
  }

  /** All that may be done now, or by this player, as texts. Chance is the player of draws. */
  legalActions(player) {
    const texts = this.#keys().map((key) => this.#text(key));
    if (player === undefined) return texts;
    if (!OUTSIDERS.includes(player)) this.#seat(player);
    return texts.filter((text) => text.startsWith(`${player} `));
  }

  get over() { return this.module.legal() === 0; }

  /** Let chance act until a player may; `random` gives numbers from 0 up to 1. Returns what was drawn. */
  draw(random = Math.random) {
    const drawn = [];
    for (;;) {
      const texts = this.legalActions();
      if (!texts.length || !texts.every((text) => text.startsWith(`${OUTSIDERS[0]} `))) return drawn;
      const chosen = texts[Math.floor(random() * texts.length)];
      if (!chosen) throw new TextError("random gives numbers from 0 up to 1.");
      this.push(chosen);
      drawn.push(chosen);
    }
  }

  /** Do an action, such as "bia truco" or "ana 4C". Throws TextError, IllegalAction and PlayError, and changes nothing then. */
  push(text) {
    const { done, status, rules } = this.attempt(text);
    if (!done) throw new IllegalAction(`“${text}” is ${status}.`, status, rules);
    return status;
  }

  attempt(text) {
    const keys = this.keys(text), mark = this.module.journal.value;
    const legal = new Set(this.#keys());
    const key = keys.find((one) => legal.has(one)) ?? keys[0];
    const status = STATUSES[this.module.push(key)];
    if (status === undefined) throw new PlayError(`The rules fail at “${text}”.`);
    const event = this.#event(status);
    const done = status === "permitted" || (status !== "impossible" && !this.module.strict.value);
    if (done) {
      this.history.push({ text, mark, last: this.last });
      this.last = event;
    }
    return { done, status, rules: event.rules };
  }

  pop() {
    const event = this.history.pop();
    if (!event) throw new TextError("There is nothing to take back.");
    this.module.undo(event.mark);
    this.last = event.last;
    return event.text;
  }

  observe() {
    const keys = this.#keys(), seatOf = (key) => Number((key >> 8n) & 255n) - 1;
    const able = this.rules.observed.some((one) => one.name === "acting") ? BigInt(this.#ask("table.acting")) : -1n;
    const may = [...new Set(keys.map(seatOf))].filter((seat) => seat >= 0).sort((a, b) => a - b);
    let acting = may.length > 1 ? may.filter((seat) => (able >> BigInt(seat)) & 1n) : may;
    if (!acting.length) acting = may;
    const busy = acting.length > 1 ? keys.filter((key) => this.#changes(key)).map(seatOf) : []; // others may only talk
    if (busy.length) acting = acting.filter((seat) => busy.includes(seat));
    const found = { acting: acting.map((s) => this.players[s]), "may-speak": may.filter((s) => !acting.includes(s)).map((s) => this.players[s]) };
    const kept = this.slots().slice(), journal = this.module.journal.value;
    let left = this.rules.observed.filter((one) => one.name !== "acting");
    const onTheWay = new Map();
    for (let at = this.last.steps.length; at >= 0 && left.length; at--) {
      left = left.filter((one) => {
        const answer = this.#answer(one);
        if (at === this.last.steps.length) found[one.name] = answer;
        else if (!nothing(answer)) onTheWay.set(one, answer);
        return nothing(answer);
      });
      if (at <= 1) break;
      this.module.undo(this.last.steps[at - 1]);
    }
    const before = this.history.at(-1);
    if (onTheWay.size && before) this.module.undo(before.mark);
    for (const [one, answer] of onTheWay)
      if (!before || nothing(this.#answer(one))) found[one.name] = answer; // else it was so before, and is over
    this.slots().set(kept);
    this.module.journal.value = journal;
    return found;
  }

  #changes(key) {
    const mark = this.module.journal.value;
    this.module.push(key);
    const changed = this.module.journal.value !== mark;
    this.module.undo(mark);
    return changed;
  }

  view(player) {
    const seat = BigInt(this.#seat(player)), slots = this.slots();
    let seen = 0n;
    for (const { slot, many, ask, at } of this.rules.seen) {
      const held = many ? slots[slot] : slots[slot] > NONE ? 1n << slots[slot] : 0n;
      if (held & ~seen && (this.#ask(ask, at) >> seat) & 1n) seen |= held;
    }
    return this.rules.cards.filter((_, card) => (seen >> BigInt(card)) & 1n).sort();
  }

  /** The rules that fired in the last action: name, sentence ("en", "pt" or "es") and clauses. */
  rulesOfLastStep(language = "en") {
    return this.last.rules.map((name) => {
      const { text, clauses } = this.rules.rules.find((rule) => rule.name === name);
      return { name, text: text[language] ?? text.en, clauses };
    });
  }

  perft(depth) {
    if (!Number.isInteger(depth) || depth < 1 || depth > 64) throw new TextError(`${depth} is no depth.`);
    const found = this.module.perft(depth);
    if (found < 0n) throw new PlayError("The rules fail below this position.");
    return Number(found);
  }

  #keys() {
    const count = this.module.legal();
    if (this.module.faulted.value) throw new PlayError("The rules fail here.");
    return [...new BigUint64Array(this.module.memory.buffer, LISTED, count)].map((key) => BigInt.asIntN(64, key));
  }

  #event(status) {
    const { buffer } = this.module.memory, fired = new Int32Array(buffer, FIRED, this.module.fired.value);
    const rules = [...new Set([...fired].filter((number) => number >= 0))].map((number) => this.rules.rules[number].name);
    return { status, rules, steps: [...new Int32Array(buffer, STEPS, this.module.steps.value)] };
  }

  #ask(name, args = []) {
    this.module.faulted.value = 0;
    const found = this.module[name](...args.map(BigInt));
    if (!this.module.faulted.value) return found;
    this.module.faulted.value = 0;
    return 0n;
  }

  #answer({ name, params, type }) {
    const ask = (args) => this.#shown(type, Number(this.#ask(`table.${name}`, args)));
    if (!params.length) return ask([]);
    const found = {};
    for (let value = params[0].low; value <= params[0].high; value++) found[this.#value(params[0], value)] = ask([value]);
    return found;
  }

  #shown(type, value) {
    if (value === UNSET || (value === NONE && !type.many)) return null;
    if (type.many) return span(type).filter((one) => (BigInt(value) >> BigInt(one - type.low)) & 1n).map((one) => this.#value({ ...type, many: false }, one));
    if (value > NONE && type.base === "flag") return value !== 0;
    if (value > NONE && type.base === "number") return value;
    return this.#value(type, value);
  }

  #value(type, value) {
    if (value <= NONE) return Object.keys(this.rules.words).find((word) => this.rules.words[word] === value) ?? String(value);
    if (type.base === "seat" || type.base === "team") return this.players[value];
    if (type.base === "flag") return value ? "yes" : "no";
    if (type.base === "card") return this.rules.cards[value];
    if (type.base === "order") return this.rules.orders[type.order][value];
    if (type.base === "phase") return this.rules.phases[value];
    return String(value);
  }

  #number(type, text) {
    if (type.words?.includes(text)) return this.rules.words[text];
    if (type.base === "seat" || type.base === "team") {
      const seat = this.players.indexOf(text);
      return seat < 0 ? undefined : type.base === "seat" ? seat : seat % this.rules.teams;
    }
    return span(type).find((value) => this.#value(type, value) === text);
  }

  #seat(player) {
    const seat = this.players.indexOf(player);
    if (seat < 0) throw new TextError(`There is no player “${player}” at this table (${this.players.join(", ")}).`);
    return seat;
  }

  #text(key) {
    const kind = this.rules.actions[Number(key & 255n)], seat = Number(BigInt.asIntN(8, key >> 8n)) - 1;
    const given = kind.params.map((param, at) => this.#value(param, Number(BigInt.asIntN(16, key >> BigInt(16 + 16 * at)))));
    const words = kind.written[0].replace(/\{([^}]*)\}/g, (hole, name) => given[kind.params.findIndex((one) => one.name === name)] ?? hole);
    return `${seat < 0 ? OUTSIDERS[-1 - seat] : this.players[seat]} ${words}`;
  }

  /** What a text may mean, in numbers. Throws TextError. */
  keys(text) {
    const said = JSON.stringify([this.players, String(text)]), known = PARSED.get(this.rules) ?? new Map(), keys = known.get(said) ?? this.#read(text);
    if (known.size < MOST_PARSED) PARSED.set(this.rules, known.set(said, keys));
    return keys;
  }

  #read(text) {
    const [who, ...words] = String(text).trim().split(/\s+/);
    const seat = OUTSIDERS.includes(who) ? -1 - OUTSIDERS.indexOf(who) : this.#seat(who), found = [];
    this.rules.actions.forEach((kind, number) => {
      for (const template of kind.written) {
        const given = new Map(), tokens = template.replace(/ \{(\S+)=(\S+)\}/g, (_, name, value) => (given.set(name, value), "")).split(/\s+/);
        if (tokens.length !== words.length) continue;
        const fits = tokens.every((token, at) => {
          const [, before, name, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(token) ?? [];
          if (name === undefined) return token === words[at];
          const inner = words[at].slice(before.length, words[at].length - after.length);
          return before + inner + after === words[at] && (given.get(name) ?? inner) === inner && given.set(name, inner);
        });
        if (!fits) continue;
        let ways = [[]];
        for (const param of kind.params) {
          const told = given.get(param.name);
          const values = told === undefined ? span(param) : [this.#number(param, told)].filter((one) => one !== undefined);
          ways = ways.flatMap((way) => values.map((one) => [...way, one]));
        }
        for (const args of ways) {
          let key = BigInt(number) | (BigInt.asUintN(8, BigInt(seat + 1)) << 8n);
          args.forEach((arg, at) => { key |= BigInt.asUintN(16, BigInt(arg)) << BigInt(16 + 16 * at); });
          found.push(BigInt.asIntN(64, key));
        }
      }
    });
    if (!found.length) throw new TextError(`“${words.join(" ")}” is no card and no word of ${this.rules.variant}.`);
    return found;
  }

  #begin(name, value) {
    const datum = Object.hasOwn(this.rules.start, name) ? this.rules.start[name] : undefined;
    if (!datum) throw new TextError(`A game cannot begin with ${name}; it can with ${Object.keys(this.rules.start).join(", ")}.`);
    const by = !datum.params.length ? [[undefined, value]] : Object(value) === value ? Object.entries(value) : [["", value]];
    for (const [index, given] of by) {
      const at = index === undefined ? 0 : this.#number(datum.params[0], index), number = this.#number(datum.type, String(given));
      if (at === undefined || number === undefined || datum.params.length > 1)
        throw new TextError(`${name} cannot begin as ${JSON.stringify(value)}.`);
      this.slots()[datum.slot + at - (index === undefined ? 0 : datum.params[0].low)] = BigInt(number);
    }
  }
}

const span = ({ low, high }) => Array.from({ length: Math.max(0, high - low + 1) }, (_, at) => low + at);
const nothing = (answer) => answer === null || (typeof answer === "object" && !Array.isArray(answer) && Object.values(answer).every((one) => one === null));

async function read(where) {
  if (typeof process !== "undefined" && process.versions?.node && !/^https?:/.test(where)) {
    const { readFile } = await import("node:fs/promises");
    return readFile(where.startsWith("file:") ? new URL(where) : where);
  }
  const answer = await fetch(where);
  if (!answer.ok) throw new TextError(`${where}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}
