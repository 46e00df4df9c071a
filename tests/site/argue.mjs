// Plays lines on the page's own code, and compares each step with what Python has told: node argue.mjs FOLDER < lines.json
import { readFileSync } from "node:fs";
import { isDeepStrictEqual as same } from "node:util";

const folder = process.argv[2];
const { Table, LogFault, readLine, writeLine, toFragment, fromFragment } = await import(`${folder}/argument.js`);
const tables = new Map();
async function table(name) {
  if (!tables.has(name)) {
    const rules = JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));
    tables.set(name, await Table.make(rules, readFileSync(`${folder}/${name}.wasm`)));
  }
  return tables.get(name);
}

let steps = 0, faults = 0, longest = 0;
const wrong = [];
for (const { game, line, told, error } of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    const log = readLine(line), fragment = toFragment(line);
    if (writeLine(log) !== line || fromFragment(fragment) !== line) wrong.push([line, "not the same line", fromFragment(fragment)]);
    longest = Math.max(longest, fragment.length);
    const found = (await table(game)).play(log).steps;
    if (error) { wrong.push([line, "python: ", error, found.map((s) => s.status)]); continue; }
    if (found.length !== told.length) wrong.push([line, told.length, found.length]);
    told.forEach((step, at) => {
      if (!found[at]) return;
      const mine = { status: found[at].status, rules: [...found[at].rules].sort(), seen: step.seen && found[at].seen };
      const theirs = { status: step.status, rules: [...step.rules].sort(), seen: step.seen };
      if (!same(mine, theirs)) wrong.push([line, at, JSON.stringify(theirs), JSON.stringify(mine)]);
      steps += 1;
    });
  } catch (fault) {
    if (!(fault instanceof LogFault)) throw fault;
    faults += 1;
    if (!error) wrong.push([line, "page: ", fault.message]);
  }
}
console.log(JSON.stringify({ steps, faults, longest, wrong: wrong.slice(0, 20), count: wrong.length }));
