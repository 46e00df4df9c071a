"use strict";
(() => {
  const form = document.querySelector(".search");
  const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  const groups = [...document.querySelectorAll(".found")].map((part) => ({
    part, kind: plain(part.querySelector("h2").textContent), entries: [...part.querySelectorAll("li")],
  }));
  for (const group of groups) group.texts = group.entries.map((entry) => `${group.kind} ${plain(entry.textContent)}`);
  const all = groups.reduce((sum, group) => sum + group.entries.length, 0);
  function find() {
    const words = plain(form.elements.words.value).split(/\s+/).filter(Boolean);
    let left = 0;
    for (const { part, entries, texts } of groups) {
      const before = left;
      entries.forEach((entry, n) => {
        entry.hidden = !words.every((word) => texts[n].includes(word));
        left += !entry.hidden;
      });
      part.hidden = left === before;
    }
    form.querySelector("output").textContent = `${left} ${form.querySelector("output").dataset.of} ${all}`;
  }
  form.addEventListener("input", find);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  form.elements.words.value = new URLSearchParams(location.search).get("q") || "";
  find();
  form.elements.words.focus();
})();
