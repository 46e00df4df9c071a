// The search of a page in Node: its own script, and the index in it. Questions stand on stdin, as a JSON list; for each the results, best first.
//   node ask.mjs PAGE
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

const page = readFileSync(process.argv[2], "utf8");
const [, index] = page.match(/<script type="application\/json" id="index">(.*?)<\/script>/s);
const [, script] = page.match(/<script>(.*?)<\/script>/s);
const search = runInThisContext(`${script};searcher`)(JSON.parse(index));
const told = ({ kind, name, text, places }) => ({ kind, name, text, places: places.map(({ game, number }) => [game.name, number]) });
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map((question) => search(question).filter(({ address }) => !address).slice(0, 10).map(told))));
