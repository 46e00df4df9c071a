// Plays what Python has played, and compares everything: node replay.mjs FOLDER VARIANT < steps.json
import { readFileSync } from "node:fs";
import { deepStrictEqual as same } from "node:assert";

const [, , folder, variant] = process.argv;
const { Truco } = await import(`${folder}/truco.js`);
const { players, mode, start, steps } = JSON.parse(readFileSync(0, "utf8"));
const game = await Truco.load(`${folder}/${variant}`, { players, mode, start });

const check = ({ legal, observe, views }) => {
  same(game.legalActions(), legal);
  same(game.observe(), observe);
  for (const player of players) same(game.view(player), views[player]);
};
let done = 0;
for (const step of steps) {
  check(step.before);
  const slots = game.slots().slice();
  let status;
  try {
    status = game.push(step.text);
  } catch (error) {
    if (error.name !== "IllegalAction") throw error;
    status = error.status;
    same(new Set(error.rules), new Set(step.forbid));
    same(game.slots(), slots);
    same(game.attempt(step.text), { done: false, status, rules: error.rules });
  }
  same([step.text, status], [step.text, step.status]);
  if (!step.happens) continue;
  same(new Set(game.rulesOfLastStep().map((rule) => rule.name)), new Set(step.fired));
  game.pop();
  same(game.slots(), slots);
  check(step.before);
  const { status: again, rules } = game.attempt(step.text);
  same([again, new Set(rules)], [step.status, new Set(step.fired)]);
  done += 1;
}
console.log(`${done} actions`);
