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
/** A request for your own deals; with `match` they are the hands of one match. */
export type Asked = Setup & { times: number; seed: number; match?: boolean };

type Maybe<T> = T | Promise<T>;

/** One script on your implementation. Each method may be async. */
export interface Table {
  layOut(deal: Cards): Maybe<boolean>;
  act(action: Action): Maybe<string | true | null>; // null when it was taken
  look(): Maybe<Seen>;
}

export type Adapter = {
  hello: Seen;
  itself: string[];
  begin: (script: Script) => Maybe<Table>;
  deals?: (asked: Asked) => Maybe<Cards[]>;
};

async function entry(table: Table, itself: string[], action: Action): Promise<Seen> {
  if (itself.includes((action.say ?? "").split(" ")[0]!)) {
    const { trick, leader, hand, ...stands } = await table.look(); // without what speaks of one action alone
    return stands;
  }
  const refused = await table.act(action);
  const seen = await table.look();
  return refused ? { ...seen, refused } : seen;
}

async function hand(table: Table, itself: string[], { deal, actions }: Hand): Promise<Seen> {
  if (!(await table.layOut(deal))) return { seen: actions.map(() => ({ refused: "not-now" })) };
  const start = await table.look(), seen: Seen[] = [];
  for (const action of actions) seen.push(await entry(table, itself, action));
  return { start, seen };
}

export async function serve({ hello, itself, begin, deals }: Adapter): Promise<void> {
  console.log = console.error; // only answers go to standard output; whatever else is printed is a log
  const run = async (script: Script): Promise<Seen> => {
    const table = await begin(script), hands: Seen[] = [];
    for (const each of script.hands) hands.push(await hand(table, itself, each));
    return { hands };
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    if (request.do === "bye") process.exit(0);
    let answer: Seen;
    try {
      if (request.do === "hello") answer = hello;
      else answer = request.do === "run" ? await run(request.script) : { deals: await deals!(request.deal) };
    } catch (error) {
      answer = { error: String(error) }; // the implementation failed; the next script may do better
      console.error(error);
    }
    process.stdout.write(JSON.stringify({ id: request.id, ...answer }) + "\n");
  }
}
