"use strict";
// A small engine of Truco Paulista for two, as it might stand behind a page on which two people play.
//
//   const game = new Truco(["Ana", "Bia"], { on: (event, who) => { ... } });
//   game.start();
//   game.do("Bia", "3C");  game.do("Ana", "truco");
//
// What nobody may do is ignored without a word, and when a hand is over the next is dealt at once. The listener hears of
// every trick ("trick"), hand ("hand") and match ("match") who won it; null, if nobody. Covered cards are not offered.

const RANKS = "4567QJKA23"; // from low to high
const SUITS = "DSHC"; // of manilhas, from low to high
const STAKES = [1, 3, 6, 9, 12];
const RAISES = { truco: 3, seis: 6, nove: 9, doze: 12 };
const TARGET = 12;

/** A shuffled pack. Another class with draw() can be given to a game. */
class Deck {
  constructor(random = Math.random) {
    this.cards = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));
    for (let n = this.cards.length - 1; n > 0; n--) {
      const other = Math.floor(random() * (n + 1));
      [this.cards[n], this.cards[other]] = [this.cards[other], this.cards[n]];
    }
  }

  draw() {
    return this.cards.pop();
  }
}

class Truco {
  /**
   * names: of the two players. deck: makes the pack of a hand. points, dealer: if a match goes on that was begun.
   * house: what a table may agree. mano: three ties go to who led the first trick; iron: what the hand at eleven each is worth;
   * seen: it is played with open eyes; folds: a hand is given up unasked, on the own turn.
   */
  constructor(names, { deck = () => new Deck(), points = {}, dealer = names[0], on = () => {}, house = {} } = {}) {
    this.names = names;
    this.house = { mano: false, iron: 1, seen: false, folds: false, ...house };
    this.deck = deck;
    this.on = on;
    this.points = Object.fromEntries(names.map((name) => [name, points[name] || 0]));
    this.dealer = dealer;
    this.winner = null;
  }

  start() {
    this.leader = this.turn = this.other(this.dealer);
    const deck = this.deck(this);
    this.hands = {};
    for (const name of [this.turn, this.dealer]) this.hands[name] = [deck.draw(), deck.draw(), deck.draw()];
    this.vira = deck.draw();
    this.table = []; // the trick that is played
    this.played = []; // the cards of all tricks
    this.tricks = []; // who took them
    this.raiser = null; // who raised last
    this.proposal = null;
    const eleven = this.names.filter((name) => this.points[name] === TARGET - 1);
    this.iron = eleven.length === 2;
    this.blind = this.iron && !this.house.seen; // at eleven each nobody looks: the top card is turned up
    this.deciding = eleven.length === 1 ? eleven[0] : null;
    this.raising = eleven.length === 0;
    this.stake = eleven.length === 1 ? 3 : this.iron ? this.house.iron : 1;
  }

  other(name) {
    return this.names[name === this.names[0] ? 1 : 0];
  }

  /** Who has to do something. */
  get due() {
    if (this.winner) return null;
    return this.deciding || (this.proposal ? this.other(this.raiser) : this.turn);
  }

  /** Everything that a player may do now. */
  moves(name) {
    if (name !== this.due) return [];
    if (this.deciding) return ["jogo", "fujo"];
    const folds = this.house.folds ? ["corro"] : [];
    if (this.blind) return ["turn-up", ...folds];
    return [...(this.proposal ? ["aceito", "corro"] : [...this.hands[name], ...folds]), ...this.raises(name)];
  }

  raises(name) {
    const worth = this.proposal || this.stake;
    const enough = this.points[name] + worth >= TARGET; // what wins the match already is not raised
    if (!this.raising || this.raiser === name || enough) return [];
    const next = STAKES[STAKES.indexOf(worth) + 1];
    return Object.keys(RAISES).filter((word) => RAISES[word] === next);
  }

  do(name, move) {
    if (!this.moves(name).includes(move)) return;
    if (move === "jogo") this.deciding = null;
    else if (move === "fujo") this.end(this.other(name), 1);
    else if (move === "corro") this.end(this.other(name), this.stake);
    else if (move === "aceito") [this.stake, this.proposal] = [this.proposal, null];
    else if (move === "turn-up") this.play(name, this.hands[name].at(-1));
    else if (move in RAISES) this.raise(name, RAISES[move]);
    else this.play(name, move);
  }

  raise(name, worth) {
    if (this.proposal) this.stake = this.proposal; // who raises accepts what was proposed
    this.proposal = worth;
    this.raiser = name;
  }

  play(name, card) {
    this.hands[name] = this.hands[name].filter((held) => held !== card);
    this.table.push(card);
    this.played.push(card);
    this.turn = this.other(name);
    if (this.table.length < 2) return;
    const [led, followed] = this.table.map((each) => this.strength(each));
    const taker = led === followed ? null : led > followed ? this.leader : this.other(this.leader);
    this.table = [];
    this.tricks.push(taker);
    this.leader = this.turn = taker || this.leader;
    this.on("trick", taker);
    const winner = this.handWinner();
    if (winner !== undefined) this.end(winner, this.stake);
  }

  /** Cards of the rank after the vira are manilhas: above all others, each by its suit. */
  strength([rank, suit]) {
    const manilha = RANKS[(RANKS.indexOf(this.vira[0]) + 1) % RANKS.length];
    return rank === manilha ? RANKS.length + SUITS.indexOf(suit) : RANKS.indexOf(rank);
  }

  /** Who has won the hand; null, if nobody has; undefined, while it is open. */
  handWinner() {
    const [first, second, third] = this.tricks;
    for (const name of this.names) if (this.tricks.filter((taker) => taker === name).length === 2) return name;
    if (this.tricks.length > 1 && this.tricks.includes(null)) {
      const decisive = first || second || third;
      const mano = this.house.mano && !this.iron ? this.other(this.dealer) : null;
      if (decisive || this.tricks.length === 3) return decisive || mano;
    }
    return undefined;
  }

  end(winner, worth) {
    if (winner) this.points[winner] += worth;
    this.on("hand", winner);
    if (winner && this.points[winner] >= TARGET) {
      this.winner = winner;
      this.on("match", winner);
      return;
    }
    this.dealer = this.other(this.dealer);
    this.start();
  }
}

module.exports = { Deck, Truco };
