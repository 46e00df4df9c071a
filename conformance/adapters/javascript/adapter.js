"use strict";
// Adapter for the engine beside it: Truco Paulista for two. Run it with: node adapter.js
//
// The engine ignores what nobody may do, deals the next hand within the last action of the one before, draws its cards
// through a class, and knows no covered cards. How each of these is told stands in docs/implementers.md.

const readline = require("node:readline");
const { Deck, Truco } = require("./engine.js");

const OPTIONS = { "tied-hand": ["mano"], "iron-value": ["3"], iron: ["own-seen"], "run-unasked": ["team"] }; // can be set

const HELLO = {
  protocol: 1,
  name: "small-truco",
  version: "1",
  variants: { paulista: { players: [2], omits: ["cover"], options: OPTIONS } },
  observes: ["acting", "stake", "proposal", "trick", "leader", "hand", "score", "winner", "legal", "view", "deal"],
};

/** A pack that gives the cards of the script, in the order in which the engine draws them. */
class ScriptedDeck {
  constructor(deal, order) {
    this.cards = [...order.flatMap((name) => deal[name]), ...deal.vira];
  }

  draw() {
    return this.cards.shift();
  }
}

/** The options of a script, as the engine calls them. */
function houseOf(options) {
  return {
    mano: options["tied-hand"] === "mano",
    iron: Number(options["iron-value"] || 1),
    seen: options.iron === "own-seen",
    folds: options["run-unasked"] === "team",
  };
}

/** One script on the engine. */
class Table {
  constructor(script) {
    this.decks = script.hands.map((hand) => hand.deal);
    this.happened = {};
    this.game = new Truco(script.players, {
      dealer: script.dealer,
      points: script.score,
      deck: (game) => this.deck(game),
      on: (event, who) => this.note(event, who),
      house: houseOf(script.options),
    });
    this.game.start();
  }

  /** The next hand of the script; after the last a hand of which it knows nothing. */
  deck(game) {
    const deal = this.decks.shift();
    return deal ? new ScriptedDeck(deal, [game.other(game.dealer), game.dealer]) : new Deck();
  }

  /** The engine says what an action brought about, before it deals again. */
  note(event, who) {
    if (event === "trick") this.happened.trick = who || "tie";
    if (event === "hand") this.happened.hand = who || "drawn";
  }

  hand(script) {
    if (this.game.winner || this.open) return { seen: script.actions.map(() => ({ refused: "not-now" })) };
    this.open = true;
    this.happened = {};
    return { start: this.look(), seen: script.actions.map((action) => this.act(action)) };
  }

  act(action) {
    this.happened = {};
    if (!this.open) return { refused: "not-now" }; // the engine has begun another hand; the script has not
    const before = JSON.stringify(this.game);
    this.game.do(action.player, action.play || action.say);
    if (JSON.stringify(this.game) === before) return { ...this.look(), refused: this.why(action) };
    this.open = !this.happened.hand;
    return this.look();
  }

  /** Why the engine ignored it, as far as one can tell from outside. */
  why({ player, play }) {
    if (play && this.game.due !== player) return "not-your-turn";
    return play && !this.game.hands[player].includes(play) ? "not-held" : true;
  }

  look() {
    const { game, happened } = this;
    const seen = { trick: null, hand: null, ...happened, leader: null, score: { ...game.points }, winner: game.winner };
    if (game.winner) return { ...seen, acting: [] };
    if (happened.hand) return seen; // the rest is of the next hand
    if (happened.trick) seen.leader = game.turn;
    const each = (told) => Object.fromEntries(game.names.map((name) => [name, told(name)]));
    return {
      ...seen,
      acting: [game.due],
      stake: game.stake,
      proposal: game.proposal,
      legal: each((name) => game.moves(name)),
      view: each((name) => [...(game.blind ? [] : game.hands[name]), ...game.played, game.vira]),
    };
  }
}

function run({ script }) {
  const table = new Table(script);
  return { hands: script.hands.map((hand) => table.hand(hand)) };
}

/** Hands that the engine deals by itself; the seed makes them the same in every run. */
function deal({ deal: asked }) {
  let state = asked.seed;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const deals = Array.from({ length: asked.times }, () => {
    const game = new Truco(asked.players, { dealer: asked.dealer, deck: () => new Deck(random) });
    game.start();
    return { ...game.hands, vira: [game.vira] };
  });
  return { deals };
}

const ANSWERS = { hello: () => HELLO, run, deal };

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  if (request.do === "bye") process.exit(0);
  let answer;
  try {
    answer = ANSWERS[request.do](request);
  } catch (error) {
    answer = { error: String(error) };
    console.error(error);
  }
  process.stdout.write(JSON.stringify({ id: request.id, ...answer }) + "\n");
});
