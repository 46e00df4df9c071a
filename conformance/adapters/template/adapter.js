"use strict";
// An adapter to copy: five places marked TODO join it to your implementation. docs/implementers.md explains them.
//
// Run it with: truco-spec test -- node adapter.js

const readline = require("node:readline");

console.log = console.error; // only answers go to standard output; whatever else is printed is a log

// TODO 1: who you are, what you play, what you can tell. `truco-spec words paulista` prints all that can stand here;
// what the keys mean, and how an implementation that is set in its ways is described, stands in docs/protocol.md.
const ITSELF = ["shuffle", "desce", "cut", "deal"]; // words that are never put to your implementation: it says them by itself
const HELLO = {
  protocol: 1,
  name: "my-truco",
  version: "0",
  variants: { paulista: { players: [2], always: {}, omits: [], itself: ITSELF, late: [] } },
  observes: ["acting", "stake", "proposal", "trick", "leader", "hand", "score", "winner"],
};

/** One script on your implementation. Each method may be async. */
class Table {
  constructor(script) {
    // TODO 2: begin a match: script.players in order of play, script.dealer, script.score, script.options
    this.script = script;
  }

  layOut(deal) {
    // TODO 3: begin the next hand with these cards, as {P1: ["3C", "4D", "7S"], P0: […], vira: ["5H"]};
    // false where your match is over, or the hand before is not
    this.deal = deal;
    return true;
  }

  act(action) {
    // TODO 4: let action.player play the card action.play, cover the card action.cover, or say action.say
    return "not-offered"; // null when it was taken; when it was refused, a category or true
  }

  look() {
    // TODO 5: what can be seen now, as {acting: ["P1"], stake: 1}, and what the last action brought about, as
    // {trick: "P1", leader: "P1"}; leave out what you do not know, or keep for later
    return {};
  }
}

async function entry(table, action) {
  if (ITSELF.includes((action.say || "").split(" ")[0])) {
    const { trick, leader, hand, ...stands } = await table.look(); // without what speaks of one action alone
    return stands;
  }
  const refused = await table.act(action);
  const seen = await table.look();
  return refused ? { ...seen, refused } : seen;
}

async function hand(table, { deal, actions }) {
  if (!(await table.layOut(deal))) return { seen: actions.map(() => ({ refused: "not-now" })) };
  const told = { start: await table.look(), seen: [] };
  for (const action of actions) told.seen.push(await entry(table, action));
  return told;
}

async function run({ script }) {
  const table = new Table(script), hands = [];
  for (const each of script.hands) hands.push(await hand(table, each));
  return { hands };
}

const ANSWERS = { hello: () => HELLO, run }; // and deal, if you observe it

async function serve() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    if (request.do === "bye") process.exit(0);
    let answer;
    try {
      answer = await ANSWERS[request.do](request);
    } catch (error) {
      answer = { error: String(error) }; // the implementation failed; the next script may do better
      console.error(error);
    }
    process.stdout.write(JSON.stringify({ id: request.id, ...answer }) + "\n");
  }
}

serve();
