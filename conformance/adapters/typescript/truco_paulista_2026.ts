// Adapter for Truco-Paulista2026 (github.com/Eduhn26/Truco-Paulista2026, commit 3a6c9a4), the backend without its transport:
// Truco Paulista for two and four. It expects Match with its snapshots, Card, and RoomManager. Nothing has to be built; put
// this file and pipe.ts into the engine's folder, so that its tsconfig.json is found:
//
//   esbuild truco_paulista_2026.ts --bundle --platform=node --outfile=adapter.js
//   truco-spec test --variant paulista -- node adapter.js
//
// The domain keeps neither turns nor leader; RoomManager does, asked here as by GameGateway, which needs a server to run.
import { Match } from "@game/domain/entities/match";
import { Card } from "@game/domain/value-objects/card";
import { RoomManager } from "@game/gateway/multiplayer/room-manager";
import { type Action, type Asked, type Cards, type Script, type Seen, type Table, serve } from "./pipe.ts";

const itself = ["shuffle", "desce", "deal", "cut", "keep", "no-familia", "keep-exposed", "ask-card", "put-back"];
const omits = [
  ...["cover", "turn-up", "pass", "burn", "look", "keep-card", "familia", "challenge", "burn-exposed", "looked", "draw-surplus"],
  ...["show-surplus", "sobe", "signal", "bad-shuffle", "bad-cut", "wrong-end", "boast", "discuss", "talk", "ask-strength", "show"],
  ...["expose", "misdeal", "joga", "bate", "vem", "mata", "cai"], // it has one way to accept
];
const always = {
  "raise-beyond-need": "allowed",
  "peek-truco": "no",
  "peek-raise": "never",
  "brink-call": "void",
  "out-of-turn-card": "void",
  iron: "own-seen",
};
const hello = {
  protocol: 1,
  name: "Truco-Paulista2026",
  version: "3a6c9a4",
  homepage: "https://github.com/Eduhn26/Truco-Paulista2026",
  variants: { paulista: { players: [2, 4], always, omits, itself } },
  observes: ["acting", "stake", "proposal", "trick", "leader", "hand", "score", "winner", "deal"],
};

const SUITS: Record<string, string> = { C: "P", H: "C", S: "E", D: "O" };
const LETTERS: Record<string, string> = { P: "C", C: "H", E: "S", O: "D" };
const SEATS = ["T1A", "T2A", "T1B", "T2B"] as const;
const ROOM = "room";
const card = (name: string) => Card.from(name[0]! + SUITS[name[1]!]);
const named = (text: string) => text[0]! + LETTERS[text[1]!];
const mode = (players: string[]) => (players.length === 4 ? "2v2" : "1v1");

class PaulistaTable implements Table {
  match: Match;
  room = new RoomManager();
  players: string[];
  dealer: string;
  tricks = 0;

  constructor({ players, dealer, score }: Script) {
    this.players = players;
    this.dealer = dealer;
    this.room.ensureRoom(ROOM, mode(players));
    const unnamed = { displayName: null, publicName: null, publicSlug: null };
    for (const who of players) this.room.join(ROOM, who, { playerToken: who, userId: who, ...unnamed });
    const [playerOne, playerTwo] = [0, 1].map((team) => {
      const [, points] = Object.entries(score).find(([who]) => players.indexOf(who) % 2 === team) ?? [];
      return points ?? 0;
    });
    const points = { playerOne: playerOne!, playerTwo: playerTwo! };
    this.match = Match.fromSnapshot({ pointsToWin: 12, state: "waiting", score: points, currentHand: null });
  }

  /** It deals by itself; then the cards of the script replace its own. */
  layOut(deal: Cards): boolean {
    if (this.match.getState() !== "waiting") return false;
    const { players } = this;
    const before = this.match.toSnapshot().currentHand, first = (players.indexOf(this.dealer) + 1) % players.length;
    // who won the hand before opens; who opens the first one, by chance there, is of the script
    this.room.beginHand(ROOM, before ? { lastLoserPlayerId: before.winner } : { startingSeatId: SEATS[first]! });
    const vira = card(deal.vira![0]!);
    this.match.start(vira.getRank(), mode(players));
    const snapshot = this.match.toSnapshot();
    const hands = players.map((who) => deal[who]!.map((name) => card(name).toString()));
    const dealt = { viraCard: vira.toString(), playerOneHand: hands[0]!, playerTwoHand: hands[1]! };
    const currentHand = { ...snapshot.currentHand!, ...dealt };
    if (hands.length === 4) currentHand.seatHands = Object.fromEntries(SEATS.map((seat, at) => [seat, hands[at]!]));
    this.match = Match.fromSnapshot({ ...snapshot, currentHand });
    this.tricks = 0;
    return true;
  }

  act({ player, play, say }: Action): string | true | null {
    const at = this.players.indexOf(player), by = at % 2 ? "P2" : "P1", seatId = SEATS[at]!, { match, room } = this;
    const words: Record<string, () => void> = {
      truco: () => match.requestTruco(by),
      seis: () => match.raiseToSix(by),
      nove: () => match.raiseToNine(by),
      doze: () => match.raiseToTwelve(by),
      aceito: () => match.acceptBet(by),
      corro: () => match.declineBet(by),
      jogo: () => match.acceptMaoDeOnze(by),
      fujo: () => match.declineMaoDeOnze(by),
    };
    if (!play && !words[say!]) return "not-offered";
    const { betState } = match.toSnapshot().currentHand!, asked = betState === "awaiting_response";
    const raise = ["truco", "seis", "nove", "doze"].indexOf(say!);
    if ((play || raise === 0 || (raise > 0 && !asked)) && !room.isPlayersTurn(player, ROOM)) return "not-your-turn";
    try {
      if (play) match.play(by, card(play), { seatId });
      else words[say!]!();
      if (play) this.passTurn();
      if (say === "jogo") room.setCurrentTurnSeat(ROOM, seatId); // who accepts leads
    } catch (why) {
      return String(why).includes("not in player hand") ? "not-held" : true;
    }
    return null;
  }

  /** As GameGateway does after a card. */
  passTurn() {
    const { state, currentHand } = this.match.toSnapshot(), { room } = this;
    if (state !== "in_progress") return void room.clearTurn(ROOM);
    const [before, now] = currentHand!.rounds.slice(-2);
    const winner = now && !now.orderedPlays!.length ? before!.winningOwnerId : null;
    if (winner) room.beginRound(ROOM, winner as (typeof SEATS)[number]);
    else room.advanceTurn(ROOM);
  }

  /** Whose turn it is, or the side that has something to answer. */
  acting(): string[] {
    const hand = this.match.toSnapshot().currentHand!, other = hand.requestedBy === "P1" ? "P2" : "P1";
    const asked = hand.specialDecisionPending ? hand.specialDecisionBy : hand.requestedBy && other;
    return this.players.filter((who, at) => (asked ? asked === (at % 2 ? "P2" : "P1") : this.room.isPlayersTurn(who, ROOM)));
  }

  look(): Seen {
    const side = (who: string | null) => who && this.players[who === "P1" ? 0 : 1]!;
    const { state, score, pointsToWin, currentHand } = this.match.toSnapshot(), hand = currentHand!;
    const done = hand.rounds.filter(({ finished }) => finished);
    const last = done.length > this.tricks ? this.match.getCurrentHand()!["rounds"][done.length - 1]!.getResult() : null;
    this.tricks = done.length;
    const points = { [side("P1")!]: score.playerOne, [side("P2")!]: score.playerTwo };
    const winner = state === "finished" ? side(this.match.getScore().hasWinner(pointsToWin)) : null;
    const seen: Seen = { trick: last === "TIE" ? "tie" : side(last), leader: null, hand: null, score: points, winner };
    if (winner) seen.acting = [];
    if (hand.finished) return { ...seen, hand: side(hand.winner) ?? "drawn" };
    seen.acting = this.acting();
    if (last) seen.leader = seen.acting[0]!;
    if (!hand.specialDecisionPending) seen.stake = hand.currentValue;
    return { ...seen, proposal: hand.pendingValue };
  }
}

function deals({ players, times }: Asked): Cards[] {
  return Array.from({ length: times }, () => {
    const match = new Match(12);
    match.start(undefined, mode(players));
    const { seatHands, playerOneHand, playerTwoHand, viraCard } = match.toSnapshot().currentHand!;
    const hands = players.length === 4 ? SEATS.map((seat) => seatHands![seat]!) : [playerOneHand, playerTwoHand];
    const held = players.map((who, at) => [who, hands[at]!.map(named)]);
    return { ...Object.fromEntries(held), vira: [named(viraCard!)] };
  });
}

serve({ hello, itself, begin: (script) => new PaulistaTable(script), deals });
