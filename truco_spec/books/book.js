"use strict";
(() => {
  // What is printed or reached by a link inside a closed part is opened first.
  function open() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let part = target && target.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
    if (target) target.scrollIntoView();
  }
  addEventListener("hashchange", open);
  open();
})();
