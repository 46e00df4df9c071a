// An adapter to copy: five places marked TODO join it to your implementation. docs/implementers.md explains them.
//
// Run it with: truco-spec test -- node template.ts                                            (Node 22.18 or newer)
//          or: esbuild template.ts --bundle --platform=node --outfile=adapter.js && truco-spec test -- node adapter.js
import { type Action, type Cards, type Script, type Seen, type Table, serve } from "./pipe.ts";

// TODO 1: who you are, what you play, what you can tell. `truco-spec words paulista` prints all that can stand here;
// what the keys mean, and how an implementation that is set in its ways is described, stands in docs/protocol.md.
const itself = ["shuffle", "desce", "cut", "deal"]; // words that are never put to your implementation: it says them by itself
const hello = {
  protocol: 1,
  name: "my-truco",
  version: "0",
  variants: { paulista: { players: [2], always: {}, omits: [], itself, late: [] } },
  observes: ["acting", "stake", "proposal", "trick", "leader", "hand", "score", "winner"],
};

/** One script on your implementation. */
class MyTable implements Table {
  constructor(script: Script) {
    // TODO 2: begin a match: script.players in order of play, script.dealer, script.score, script.options
  }

  layOut(deal: Cards): boolean {
    // TODO 3: begin the next hand with these cards, as {P1: ["3C", "4D", "7S"], P0: […], vira: ["5H"]};
    // false where your match is over, or the hand before is not
    return true;
  }

  act(action: Action): string | true | null {
    // TODO 4: let action.player play the card action.play, cover the card action.cover, or say action.say
    return "not-offered"; // null when it was taken; when it was refused, a category or true
  }

  look(): Seen {
    // TODO 5: what can be seen now, as {acting: ["P1"], stake: 1}, and what the last action brought about, as
    // {trick: "P1", leader: "P1"}; leave out what you do not know, or keep for later
    return {};
  }
}

serve({ hello, itself, begin: (script) => new MyTable(script) });
