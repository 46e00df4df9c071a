// The pipe of an adapter: requests and answers, one line of JSON each. It knows no engine; copy it with template.ts.
import { createInterface } from "node:readline";

/** What an adapter tells: an object of JSON. */
export type Seen = Record<string, unknown>;
export type Cards = Record<string, string[]>;
/** An action has a player and exactly one of play, cover and say. */
export type Action = { player: string; text: string; play?: string; cover?: string; say?: string };
export type Setup = { variant: string; options: Record<string, string>; players: string[]; dealer: string };
export type Hand = { deal: Cards; actions: Action[] };
export type Script = Setup & { teams: string[][]; score: Record<string, number>; mode: string; hands: Hand[] };
/** A request for your own deals. */
export type Asked = Setup & { times: number; seed: number };

/** One script on your implementation. */
export interface Table {
  layOut(deal: Cards): boolean;
  act(action: Action): string | true | null; // null when it was taken
  look(): Seen;
}

export type Adapter = { hello: Seen; itself: string[]; begin: (script: Script) => Table; deals?: (asked: Asked) => Cards[] };

function hand(table: Table, itself: string[], { deal, actions }: Hand): Seen {
  if (!table.layOut(deal)) return { seen: actions.map(() => ({ refused: "not-now" })) };
  const start = table.look();
  const seen = actions.map((action) => {
    if (itself.includes((action.say ?? "").split(" ")[0]!)) return {};
    const refused = table.act(action);
    return refused ? { ...table.look(), refused } : table.look();
  });
  return { start, seen };
}

export function serve({ hello, itself, begin, deals }: Adapter): void {
  console.log = console.error; // only answers go to standard output; whatever else is printed is a log
  const run = (script: Script): Seen => {
    const table = begin(script);
    return { hands: script.hands.map((each) => hand(table, itself, each)) };
  };
  createInterface({ input: process.stdin }).on("line", (line) => {
    const request = JSON.parse(line);
    if (request.do === "bye") process.exit(0);
    let answer: Seen;
    try {
      if (request.do === "hello") answer = hello;
      else answer = request.do === "run" ? run(request.script) : { deals: deals!(request.deal) };
    } catch (error) {
      answer = { error: String(error) }; // the implementation failed; the next script may do better
      console.error(error);
    }
    process.stdout.write(JSON.stringify({ id: request.id, ...answer }) + "\n");
  });
}
