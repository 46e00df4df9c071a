// The five places of template.ts, filled for a toy: Truco Paulista for two, with open cards and no word.
import { type Action, type Asked, type Cards, type Script, type Seen, type Table, serve } from "./pipe.ts";

const RANKS = "4567QJKA23", SUITS = "DSHC";
const itself = ["shuffle", "cut", "deal"];
const omits = ["cover", "truco", "seis", "nove", "doze", "aceito", "corro", "jogo", "fujo", "turn-up"];
const hello = {
  protocol: 1,
  name: "toy",
  version: "1",
  variants: { paulista: { players: [2], omits, itself } },
  observes: ["acting", "stake", "trick", "leader", "hand", "deal"],
};

class Toy implements Table {
  players: string[];
  dealer: number;
  turn = 0;
  cards: Cards = {};
  lies: string | null = null; // the card that leads the trick
  won: string[] = [];
  over = true;
  happened: Seen = {};

  constructor({ players, dealer }: Script) {
    this.players = players;
    this.dealer = 1 - players.indexOf(dealer); // before the first hand
  }

  layOut(deal: Cards): boolean {
    if (!this.over) return false;
    this.turn = this.dealer;
    this.dealer = 1 - this.dealer;
    this.cards = deal;
    this.won = [];
    this.over = false;
    this.happened = {};
    return true;
  }

  async act({ player, play }: Action): Promise<string | null> {
    this.happened = {};
    if (this.over) return "not-now";
    if (!play) return "not-offered";
    if (player !== this.players[this.turn]) return "not-your-turn";
    const held = this.cards[player]!;
    if (!held.includes(play)) return "not-held";
    this.cards[player] = held.filter((card) => card !== play);
    let leader = 1 - this.turn;
    if (!this.lies) {
      this.lies = play;
      this.turn = leader;
      return null;
    }
    const led = this.strength(this.lies), follows = this.strength(play);
    if (follows > led) leader = this.turn;
    const trick = follows === led ? "tie" : this.players[leader]!;
    this.lies = null;
    this.turn = leader;
    this.won.push(trick);
    const hand = this.winner();
    this.over = hand !== null;
    this.happened = hand ? { trick, hand } : { trick, leader: this.players[leader] };
    return null;
  }

  look(): Seen {
    const due = this.over ? {} : { acting: [this.players[this.turn]], stake: 1 };
    return { trick: null, leader: null, hand: null, ...due, ...this.happened };
  }

  strength(card: string): number {
    const rank = RANKS.indexOf(card[0]!), vira = RANKS.indexOf(this.cards.vira![0]![0]!);
    return rank === (vira + 1) % RANKS.length ? RANKS.length + SUITS.indexOf(card[1]!) : rank;
  }

  /** Takes two tricks, or the first that was not tied where one was. */
  winner(): string | null {
    const first = this.won.find((who) => who !== "tie") ?? "drawn";
    const two = this.players.find((player) => this.won.filter((who) => who === player).length === 2);
    return two ?? (this.won.length === 3 || (this.won.includes("tie") && first !== "drawn") ? first : null);
  }
}

function deals({ players: [one, two], times, seed }: Asked): Cards[] {
  let state = seed;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  return Array.from({ length: times }, () => {
    const pack = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => ({ card: rank + suit, at: random() })));
    const cards = pack.sort((a, b) => a.at - b.at).map(({ card }) => card);
    return { [one!]: cards.slice(0, 3), [two!]: cards.slice(3, 6), vira: cards.slice(6, 7) };
  });
}

serve({ hello, itself, begin: (script) => new Toy(script), deals });
