"use strict";
(() => {
  const form = document.querySelector("form");
  const told = document.querySelector("output");
  const cases = [...document.querySelectorAll(".case")];
  const number = (value) => value.toLocaleString(document.documentElement.lang, { useGrouping: "always" });
  const texts = new Map();
  const text = (one) => {
    if (!texts.has(one)) texts.set(one, one.textContent.toLowerCase());
    return texts.get(one);
  };
  const wrong = new Set(form.dataset.negative.split(" "));

  function filter() {
    const want = Object.fromEntries([...new FormData(form)].map(([key, value]) => [key, value.trim()]));
    const clause = want.clause.toLowerCase();
    const words = want.text.toLowerCase();
    let shown = 0;
    for (const one of cases) {
      const is = one.dataset;
      const fits =
        (!want.verdict || is.verdict === want.verdict || (want.verdict === "wrong" && wrong.has(is.verdict))) &&
        (!want.level || is.level === want.level) &&
        (!want.variant || is.variant === want.variant) &&
        (!clause || is.clauses.toLowerCase().includes(clause)) &&
        (!words || text(one).includes(words));
      one.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    told.textContent = form.dataset.told.replace("{shown}", number(shown)).replace("{count}", number(cases.length));
    return want;
  }

  function remember() {
    const want = Object.entries(filter()).filter(([, value]) => value);
    const query = want.length ? `#?${new URLSearchParams(want)}` : "#";
    try {
      history.replaceState(null, "", query);
    } catch {
      // A page that is shown within another may have no address of its own.
    }
  }

  function follow() {
    const place = decodeURIComponent(location.hash.slice(1));
    if (place.startsWith("?")) {
      const want = new URLSearchParams(location.hash.slice(2));
      for (const field of form.elements) if (field.name) field.value = want.get(field.name) ?? "";
      filter();
      return;
    }
    const body = place && document.getElementById(place);
    const one = body && body.closest(".case");
    if (one) {
      one.hidden = false;
      one.open = true;
      body.scrollIntoView();
    }
  }

  form.hidden = false;
  form.addEventListener("input", remember);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(remember));
  addEventListener("hashchange", follow);
  filter();
  follow();
})();
