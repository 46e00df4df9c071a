"use strict";
// An adapter to copy: five places marked TODO join it to your implementation. docs/implementers.md explains them.
//
// Run it with: truco-spec test -- node adapter.js

const readline = require("node:readline");

console.log = console.error; // only answers go to standard output; whatever else is printed is a log

// TODO 1: who you are, what you play, what you can tell. All keys: docs/protocol.md
const HELLO = {
  protocol: 1,
  name: "my-truco",
  version: "0",
  variants: { paulista: { players: [2] } },
  observes: ["acting", "stake", "proposal", "trick", "leader", "hand", "score", "winner"],
};

/** One script on your implementation. */
class Table {
  constructor(script) {
    // TODO 2: begin a match: script.players in order of play, script.dealer, script.score, script.options
    this.script = script;
  }

  layOut(deal) {
    // TODO 3: begin the next hand with these cards, as {P1: ["3C", "4D", "7S"], P0: […], vira: ["5H"]}
    this.deal = deal;
  }

  act(action) {
    // TODO 4: let action.player play the card action.play, cover the card action.cover, or say action.say
    return "not-offered"; // null when it was taken; when it was refused, a category or true
  }

  look() {
    // TODO 5: what can be seen now, as {acting: ["P1"], stake: 1}; leave out what you do not know
    return {};
  }
}

function hand(table, script) {
  table.layOut(script.deal);
  const start = table.look();
  const seen = script.actions.map((action) => {
    const refused = table.act(action);
    return refused ? { ...table.look(), refused } : table.look();
  });
  return { start, seen };
}

function run({ script }) {
  const table = new Table(script);
  return { hands: script.hands.map((each) => hand(table, each)) };
}

const ANSWERS = { hello: () => HELLO, run }; // and deal, if you observe it

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  if (request.do === "bye") process.exit(0);
  let answer;
  try {
    answer = ANSWERS[request.do](request);
  } catch (error) {
    answer = { error: String(error) }; // the implementation failed; the next script may do better
    console.error(error);
  }
  process.stdout.write(JSON.stringify({ id: request.id, ...answer }) + "\n");
});
