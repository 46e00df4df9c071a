/** What is given cannot be used: a text without meaning, an unknown player, a value out of range. */
export class TextError extends Error {}
/** The rules do not permit an action; `rules` are the names of those that forbid it. */
export class IllegalAction extends Error {
  readonly status: "forbidden" | "not-offered" | "impossible";
  readonly rules: string[];
}
/** The rules themselves fail. */
export class PlayError extends Error {}

export interface Setup {
  /** In order of play, as many as the variant was built for; each one word. */
  players?: string[];
  /** In umpire mode whatever is possible happens, and costs what the rules lay down. */
  mode?: "strict" | "umpire";
  /** Data that begin otherwise: `{ dealer: "ana", score: { ana: 11 } }`. */
  start?: Record<string, string | number | Record<string, string | number>>;
}

export interface RuleFired {
  name: string;
  text: string;
  clauses: string[];
}

export type Observed = string | number | boolean | null | string[] | { [name: string]: Observed };

export class Truco {
  /** Read `where.json` and `where.wasm`: a name beside `truco.js`, a path or file URL in Node, a URL elsewhere. */
  static load(where: string, setup?: Setup): Promise<Truco>;
  /** Make a game of the contents of both files. */
  static make(rules: object, bytes: BufferSource, setup?: Setup): Promise<Truco>;
  readonly players: string[];
  /** The actions since the start, the last one last. */
  readonly history: readonly { readonly text: string }[];
  /** Whether nothing can be done any more. */
  readonly over: boolean;
  /** All that may be done now, or by this player, as texts: "bia truco", "chance top 4C". */
  legalActions(player?: string): string[];
  /** Let chance act until a player may; returns what was drawn. */
  draw(random?: () => number): string[];
  /** Do an action. Throws TextError, IllegalAction and PlayError, and changes nothing then. */
  push(text: string): "permitted" | "forbidden" | "not-offered";
  /** As push, but what is not permitted is no error: whether it was done, how it stands, and the rules against it. */
  attempt(text: string): {
    done: boolean;
    status: "permitted" | "forbidden" | "not-offered" | "impossible";
    rules: string[];
  };
  /** What a text may mean: actions as the numbers of the module. */
  keys(text: string): readonly bigint[];
  /** Take the last action back; returns its text. */
  pop(): string;
  /** What everybody sees, by the names of docs/protocol.md. */
  observe(): { acting: string[]; "may-speak": string[]; [name: string]: Observed };
  /** The cards that a player can tell, wherever they lie. */
  view(player: string): string[];
  /** The rules that fired in the last action. */
  rulesOfLastStep(language?: "en" | "pt" | "es"): RuleFired[];
  /** The number of sequences of this many actions of players from here. */
  perft(depth: number): number;
}
