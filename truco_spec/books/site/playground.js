"use strict";
(() => {
  const root = document.getElementById("playground"), find = (selector) => root.querySelector(selector);
  const rules = find("#rules"), line = find("#line"), state = find(".state"), mistakes = find(".mistakes"), frame = find("iframe"), offered = find(".offered");
  const said = JSON.parse(root.dataset.said), language = document.documentElement.lang, LONGEST = 200000;
  let worker = null, number = 0, ready = false;
  const asked = new Map();

  function say(text, name = "") { state.textContent = text; state.className = `state ${name}`; }
  function ended(fault) {
    worker?.terminate();
    [worker, ready] = [null, false];
    for (const done of asked.values()) done({ fault });
    asked.clear();
  }
  function ask(wanted) {
    if (!worker) {
      worker = new Worker("playground/worker.js", { type: "module" });
      worker.onerror = (event) => { event.preventDefault(); ended(said.offline); };
      worker.onmessage = ({ data }) => { ready = true; asked.get(data.number)?.(data.answer); asked.delete(data.number); };
    }
    const mine = ++number;
    return new Promise((done) => { asked.set(mine, done); worker.postMessage({ number: mine, wanted, text: rules.value, line: line.value, language }); });
  }

  function show(html) {
    const next = frame.cloneNode();
    next.hidden = false;
    next.src = "playground/shown.html";
    addEventListener("message", function listen({ source }) {
      if (source !== next.contentWindow) return;
      removeEventListener("message", listen);
      source.postMessage(html, "*");
    });
    find("iframe").replaceWith(next);
  }
  function list(found) {
    mistakes.replaceChildren(...found.map(({ line: at, column, message, hint }) => {
      const item = document.createElement("li"), where = document.createElement(at ? "button" : "span"), more = document.createElement("span");
      where.textContent = at ? `${at}:${column} ${message}` : message;
      if (at) where.addEventListener("click", () => {
        const before = rules.value.split("\n").slice(0, at - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
        rules.focus();
        rules.setSelectionRange(before, before + 1);
      });
      [more.className, more.textContent] = ["hint", hint];
      item.append(where, more);
      return item;
    }));
  }
  function offer(moves) {
    offered.replaceChildren(...moves.map((move) => {
      const button = document.createElement("button");
      [button.type, button.textContent] = ["button", move];
      button.addEventListener("click", () => { line.value = /\|\s*$/.test(line.value) ? `${line.value.trimEnd()} ${move}` : `${line.value.trimEnd()}, ${move}`; run("replay"); });
      return button;
    }));
  }

  async function run(wanted) {
    say(ready ? said.working : said.loading);
    find("[data-do=stop]").disabled = false;
    if (wanted === "replay" && !line.value.trim()) {
      const begun = await ask("check");
      if (begun.line) line.value = begun.line;
      else return told(begun);
    }
    find(".playing").hidden = wanted !== "replay";
    told(await ask(wanted));
  }
  function told(answer) {
    find("[data-do=stop]").disabled = asked.size === 0;
    const wrong = answer.mistakes ?? [];
    list(wrong);
    if (answer.fault) say(answer.fault, "bad");
    else if (wrong.length) say(said.wrong, "bad");
    else say(answer.title ? `${answer.title}: ${said.right}` : said.done, "good");
    if (answer.html) show(answer.html);
    if (answer.moves) offer(answer.moves);
    root.dataset.answered = String(Number(root.dataset.answered ?? 0) + 1);
  }

  // ---- links and files: the text packed, in the fragment ----
  const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
  async function packed(text) {
    const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }
  async function unpacked(fragment) {
    const bytes = Uint8Array.from(atob(fragment.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += value;
      if (text.length > LONGEST) { await reader.cancel(); throw new RangeError(); }
    }
  }
  async function opened() {
    const fragment = location.hash.slice(1);
    if (!fragment) return;
    try { rules.value = await unpacked(fragment); line.value = ""; } catch { say(said.unreadable, "bad"); }
  }
  async function link() {
    history.replaceState(null, "", `#${await packed(rules.value)}`);
    try { await navigator.clipboard.writeText(location.href); say(said.copied, "good"); } catch { say(location.href); }
  }
  function save() {
    const made = document.createElement("a");
    made.href = URL.createObjectURL(new Blob([rules.value], { type: "text/plain" }));
    made.download = `${/variant\s+([\w-]+)/.exec(rules.value)?.[1] ?? "rules"}.truco`;
    made.click();
    setTimeout(() => URL.revokeObjectURL(made.href), 10000);
  }

  root.addEventListener("click", (event) => {
    const wanted = event.target.dataset?.do;
    if (["check", "book", "replay"].includes(wanted)) run(wanted);
    else if (wanted === "stop") ended(said.stopped);
    else if (wanted === "link") link();
    else if (wanted === "save") save();
  });
  find("input[type=file]").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    if (file.size > LONGEST) say(said.unreadable, "bad");
    else { rules.value = await file.text(); line.value = ""; }
  });
  rules.addEventListener("input", () => { line.value = ""; });
  addEventListener("hashchange", opened);
  opened().then(() => { root.hidden = false; });
})();
