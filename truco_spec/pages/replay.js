"use strict";
(() => {
  const form = document.querySelector(".controls");
  const tracks = [...document.querySelectorAll(".track")];
  const slider = form.elements.at;
  const player = form.querySelector('[data-go="play"]');
  const status = form.querySelector('[role="status"]');
  const PACE = 1400;
  let at = 0, timer = 0;

  const track = () => tracks.find((each) => !form.elements.mode || each.dataset.mode === form.elements.mode.value);
  const moments = () => [...track().querySelectorAll(".moment")];
  const text = (part) => (part ? part.textContent.trim().replace(/\s+/g, " ") : "");

  function show(number, quiet) {
    const all = moments();
    at = Math.max(0, Math.min(all.length - 1, number));
    for (const each of tracks) each.hidden = each !== track();
    all.forEach((moment, n) => { moment.hidden = n !== at; });
    slider.max = all.length - 1;
    slider.value = at;
    slider.setAttribute("aria-valuetext", text(all[at].querySelector("h2")));
    if (!quiet) status.textContent = `${text(all[at].querySelector("h2"))}. ${text(all[at].querySelector(".remark"))}`;
    if (!quiet && location.protocol !== "about:") history.replaceState(null, "", `#${all[at].id}`);
    if (at === all.length - 1) pause();
  }

  function see() {
    const seat = form.elements.seat.value;
    for (const card of document.querySelectorAll(".card")) {
      const open = seat === "" || card.dataset.seen[Number(seat)] === "1";
      card.firstElementChild.setAttribute("href", open ? `#card-${card.dataset.face}` : "#card-back");
      card.setAttribute("aria-label", open ? card.dataset.name : "a hidden card");
    }
    for (const each of document.querySelectorAll(".seat")) {
      const seats = Number(each.parentElement.dataset.players);
      const turned = (Number(each.dataset.seat) - Number(seat || 0) + seats) % seats;
      each.className = each.className.replace(/at-\d+/, `at-${Math.floor((turned * 12) / seats)}`);
    }
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    player.setAttribute("aria-pressed", "false");
  }

  function play() {
    if (timer) return pause();
    if (at === moments().length - 1) show(0);
    player.setAttribute("aria-pressed", "true");
    timer = setInterval(() => show(at + 1), PACE);
  }

  const go = { first: () => show(0), back: () => show(at - 1), on: () => show(at + 1), last: () => show(Infinity), play };
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last", " ": "play" };

  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go]");
    if (!button) return;
    if (button.dataset.go !== "play") pause();
    go[button.dataset.go]();
  });
  slider.addEventListener("input", () => { pause(); show(Number(slider.value)); });
  form.elements.seat.addEventListener("change", see);
  if (form.elements.mode) form.elements.mode.addEventListener("change", () => show(at));
  form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    const within = (kinds) => event.target instanceof Element && event.target.closest(kinds);
    if (event.altKey || event.ctrlKey || event.metaKey || within("select, input, summary")) return;
    if (event.key === " " && within("button")) return;
    if (!(event.key in keys)) return;
    event.preventDefault();
    if (event.key !== " ") pause();
    go[keys[event.key]]();
  });

  let from = null;
  document.addEventListener("touchstart", (event) => {
    from = event.target.closest(".table") && event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  document.addEventListener("touchend", (event) => {
    if (!from) return;
    const { clientX, clientY } = event.changedTouches[0];
    const aside = clientX - from.clientX;
    if (Math.abs(aside) > 40 && Math.abs(aside) > 2 * Math.abs(clientY - from.clientY)) { pause(); show(at + (aside < 0 ? 1 : -1)); }
    from = null;
  }, { passive: true });

  function follow() {
    const [, mode, number] = location.hash.match(/^#([a-z]+)-(\d+)$/) || [];
    if (mode && form.elements.mode && tracks.some((each) => each.dataset.mode === mode)) form.elements.mode.value = mode;
    show(mode ? Number(number) : 0, true);
  }
  addEventListener("hashchange", follow);
  form.hidden = false;
  for (const each of document.querySelectorAll(".help")) each.hidden = false;
  for (const each of document.querySelectorAll(".mode")) each.hidden = true;
  see();
  follow();
})();
