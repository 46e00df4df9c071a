"use strict";
for (const section of document.querySelectorAll(".parting")) {
  const form = section.querySelector(".controls"), pair = section.querySelector(".pair");
  const ways = [...pair.children], here = Number(section.dataset.number);
  const { left, right } = form.elements;
  const told = form.querySelector("output");
  let at = here, chosen = ways.slice(0, 2);

  const steps = (way) => [...way.querySelectorAll(".step")];
  const number = (step) => Number(step.dataset.number);

  function show(wanted) {
    const all = chosen.flatMap(steps).map(number);
    if (!all.length) return;
    at = Math.max(Math.min(...all), Math.min(Math.max(...all), wanted));
    for (const way of chosen) {
      const own = steps(way), last = own.filter((step) => number(step) <= at).at(-1) || own[0];
      for (const step of own) step.hidden = step !== last;
    }
    const stopped = chosen.filter((way) => steps(way).length && Math.max(...steps(way).map(number)) < at);
    const move = document.querySelector(`#move-${at}`);
    told.textContent = (at ? `${form.dataset.move} ${at}${move ? `: ${move.textContent}` : ""}` : form.dataset.deal) + (stopped.length ? ` (${form.dataset.short})` : "");
  }

  function choose(...numbers) {
    chosen = numbers.map((number) => ways[number]);
    pair.prepend(...chosen);
    for (const way of ways) way.hidden = !chosen.includes(way);
    if (left) [left.value, right.value] = numbers.map((number) => number + 1);
    show(at);
  }

  const go = { back: () => show(at - 1), on: () => show(at + 1), here: () => show(here) };
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go]");
    if (button) go[button.dataset.go]();
  });
  section.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, summary")) return;
    const act = { ArrowLeft: go.back, ArrowRight: go.on }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  form.addEventListener("change", (event) => {
    const one = left.value - 1, two = right.value - 1;
    const before = [ways.indexOf(chosen[0]), ways.indexOf(chosen[1])];
    if (one !== two) choose(one, two);
    else choose(...(event.target === left ? [one, before[0]] : [before[1], two]));
  });
  form.addEventListener("submit", (event) => event.preventDefault());

  function bring(id) {
    const wanted = ways.findIndex((way) => way.id === id);
    if (wanted >= 0 && !chosen.includes(ways[wanted])) choose(ways.indexOf(chosen[0]), wanted);
    return ways[wanted];
  }
  section.addEventListener("click", (event) => {
    const link = event.target.closest(".ways a");
    if (link) bring(link.hash.slice(1));
  });
  function follow() {
    const way = bring(location.hash.slice(1));
    if (way) way.scrollIntoView();
  }
  addEventListener("hashchange", follow);
  form.hidden = false;
  choose(...chosen.keys());
  follow();
}
