// The page's own code in Node. FOLDER holds argument.js, truco.js and the modules; what is asked stands on stdin, as JSON.
//   node argue.mjs FOLDER played   lines with what Python told of each step: what differs
//   node argue.mjs FOLDER decided  lines, each with its table: what gave the last move's observations
//   node argue.mjs FOLDER hostile  fragments of links: how many could be read and played; anything but a LogFault is thrown
import { readFileSync } from "node:fs";
import { isDeepStrictEqual as same } from "node:util";

const [, , folder, what] = process.argv;
const { Table, LogFault, readLine, writeLine, toFragment, fromFragment } = await import(`${folder}/argument.js`);
const tables = new Map();
async function table(name) {
  if (!tables.has(name)) {
    const rules = JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));
    tables.set(name, await Table.make(rules, readFileSync(`${folder}/${name}.wasm`)));
  }
  return tables.get(name);
}

async function played(logs) {
  let steps = 0;
  const wrong = [];
  for (const { table: name, line, told } of logs) {
    try {
      const log = readLine(line), fragment = toFragment(line);
      if (writeLine(log) !== line || fromFragment(fragment) !== line) wrong.push([line, fragment]);
      const found = (await table(name)).play(log).steps;
      if (found.length !== told.length) wrong.push([line, "steps", told.length, found.length]);
      told.slice(0, found.length).forEach((step, at) => {
        const { status, rules, seen } = found[at];
        const mine = { status, rules: [...rules].sort(), seen: step.seen && seen };
        if (!same(mine, { ...step, rules: [...step.rules].sort() })) wrong.push([line, at, step, mine]);
        steps += 1;
      });
    } catch (fault) {
      if (!(fault instanceof LogFault)) throw fault;
      wrong.push([line, fault.message]);
    }
  }
  return { steps, wrong };
}

async function decided(logs) {
  const found = [];
  for (const { table: name, line } of logs) found.push((await table(name)).play(readLine(line)).steps.at(-1).why);
  return found;
}

async function hostile({ table: name, fragments }) {
  let read = 0, played = 0;
  const here = await table(name);
  for (const fragment of fragments) {
    try {
      const log = readLine(fromFragment(fragment));
      read += 1;
      if (log.players.length !== here.rules.seats) continue;
      here.play(log);
      played += 1;
    } catch (fault) {
      if (!(fault instanceof LogFault)) throw new Error(`${fragment}: ${fault.stack}`);
      if (fault.detail.length > 60) throw new Error(`${fragment}: a long message`);
    }
  }
  return { read, played };
}

console.log(JSON.stringify(await { played, decided, hostile }[what](JSON.parse(readFileSync(0, "utf8")))));
