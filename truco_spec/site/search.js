"use strict";
(() => {
  const form = document.querySelector(".search");
  const entries = [...document.querySelectorAll(".found > li")];
  const texts = entries.map((entry) => entry.textContent.toLowerCase().normalize("NFD").replace(/\p{M}/gu, ""));
  function find() {
    const words = form.elements.words.value.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").split(/\s+/).filter(Boolean);
    let left = 0;
    entries.forEach((entry, n) => {
      entry.hidden = !words.every((word) => texts[n].includes(word));
      left += !entry.hidden;
    });
    form.querySelector("output").textContent = `${left} of ${entries.length}`;
  }
  form.addEventListener("input", find);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  form.elements.words.value = new URLSearchParams(location.search).get("q") || "";
  find();
  form.elements.words.focus();
})();
