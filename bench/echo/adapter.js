// The least adapter: whatever it is asked, it was permitted, and the stake is one. It measures the runner.
"use strict";

const variants = { paulista: { players: [2, 4] } };
const hello = { protocol: 1, name: "echo", version: "1", variants, observes: ["acting", "stake", "proposal"] };
const seen = { acting: ["P0"], stake: 1, proposal: null };

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const request = JSON.parse(line);
    if (request.do === "bye") process.exit(0);
    const hands = request.script?.hands.map((hand) => ({ start: seen, seen: hand.actions.map(() => seen) }));
    process.stdout.write(JSON.stringify({ id: request.id, ...(hands ? { hands } : hello) }) + "\n");
  });
