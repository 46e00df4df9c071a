"use strict";
// The search. `searcher(index)` is a function from what was typed to results, best first; below it, the page.
//
// A text is found by the stems of its words and by the groups of words alike that occur in it, and ranked by BM25. searching.py
// makes the index; an entry is: kind, name, text, places (game and number by turns), words beside it, entries near it, the number of its
// address. `asked` is what players ask, by the rule that answers.
const RULE = 0, WORD = 3, CHAPTER = 7;
const MOST_WORDS = 24; // of a question
const RARE = 1.2, LONG = 0.5; // BM25: how soon more of the same counts no more, and what a long text loses
// What a word counts in the name, beside the text or in what is asked, and in all texts near it; if it is only alike, and if it is only
// nearly known.
const NAME = 2, BESIDE = 0.5, NEAR = 0.7, ALIKE = 0.5, LIKELY = 0.7;
// A word that no text has: more letters than this and it may have one slip, or two; what a letter of an ending counts beside a slip.
const ONE_SLIP = 3, TWO_SLIPS = 7, ENDING = 0.5;
// How much the more a text counts, the more words of the question it has: the power of their share.
const WHOLE = 1.5;
// What an entry counts: by its kind; a term asked for by its name; a rule that holds in no game by itself, in the best known game,
// and in all games (in some: in proportion).
const KINDS = [1, 0.6, 0.5, 0.6, 1, 1, 0.8, 1], CALLED = 3, AGREED = 0.75, FIRST = 1.2, COMMON = 0.2;

function searcher(index) {
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}]+/gu) || [];
  const meaning = new RegExp(`\\b(${index.means.join("|")})\\b`, "g"); // plain words, of letters that it knows
  const skipped = new Set(plain(index.skip)), stems = new Map(Object.entries(index.stems));
  const stem = (word) => (skipped.has(word) ? `~${word}` : stems.get(word) ?? word);
  const stemmed = (text) => plain(text || "").map(stem);
  const tells = (base) => !base.startsWith("~"), isGroup = (term) => term.startsWith("=");

  const phrases = new Map(); // a first stem: phrases that begin with it, each with the term of its group
  const telling = (phrase) => (phrase.filter(tells).length > 1 ? phrase.filter(tells) : phrase);
  index.alike.forEach((group, n) => group.map(stemmed).map(telling).filter((phrase) => phrase.length).forEach((phrase) => {
    phrases.set(phrase[0], [...(phrases.get(phrase[0]) || []), { phrase, term: `=${n}` }]);
  }));
  // How many words a phrase takes from here, with such between them as tell nothing; 0 if it is not here.
  function taken(phrase, bases, from) {
    let at = from;
    for (const part of phrase) {
      while (at > from && at < bases.length && bases[at] !== part && !tells(bases[at])) at += 1;
      if (bases[at] !== part) return 0;
      at += 1;
    }
    return at - from;
  }
  // Every stem, and the group of every phrase: term, place, number of words.
  const termsOf = (bases) => bases.flatMap((base, at) => [
    ...(tells(base) ? [{ term: base, at, length: 1 }] : []),
    ...(phrases.get(base) || []).map(({ phrase, term }) => ({ term, at, length: taken(phrase, bases, at) }))
      .filter(({ length }) => length),
  ]);

  const postings = new Map(); // a term: the entries with it, and how much of it
  function add(n, terms, weight) {
    for (const { term } of terms) {
      if (!postings.has(term)) postings.set(term, new Map());
      postings.get(term).set(n, (postings.get(term).get(n) || 0) + weight);
    }
  }
  const games = index.variants.map(([name, called, own]) => ({ name, called, own: stemmed(own) }));
  const texts = index.entries.map(([, name, text]) => stemmed(text || name)), terms = texts.map(termsOf);
  const entries = index.entries.map(([kind, name, text, flat, beside, near, address], n) => {
    const places = flat.flatMap((game, i) => {
      const number = flat[i + 1];
      return i % 2 ? [] : [{ game: games[game], number, holds: kind !== RULE || number !== "" }];
    });
    const holding = places.filter(({ holds }) => holds), called = stemmed(name);
    add(n, terms[n], 1);
    add(n, termsOf(stemmed(beside)), BESIDE);
    if (kind < WORD || kind === CHAPTER) add(n, termsOf(stemmed(index.asked[name])), BESIDE);
    add(n, termsOf([...new Set(holding.flatMap(({ game }) => game.own))]), BESIDE);
    if (kind >= WORD && kind !== CHAPTER) add(n, termsOf(called), NAME);
    for (const other of near || []) add(n, terms[other], NEAR / near.length);
    let weight = KINDS[kind];
    if (places.length) weight *= holding.length ? 1 + COMMON * holding.length / games.length : AGREED;
    if (holding[0]?.game === games[0]) weight *= FIRST;
    return {
      kind, name, text, address: index.addresses[address || 0], places, weight, length: texts[n].filter(tells).length || 1,
      called: kind === WORD ? called.filter(tells).join(" ") : "",
    };
  });
  const rules = entries.filter(({ kind }) => kind === RULE).length;
  const mean = entries.reduce((sum, { length }) => sum + length, 0) / entries.length;

  // A word that no text has: another form of a stem, the beginning of a word, or slips; of all the one that is least changed.
  const bases = [...postings.keys(), ...phrases.keys()].filter((term) => tells(term) && !isGroup(term));
  const forms = new Map([...bases.map((base) => [base, base]), ...stems]);
  const often = (word) => (skipped.has(word) ? Infinity : postings.get(forms.get(word))?.size || 0);
  const known = [...new Set([...forms.keys(), ...skipped])].filter((form) => form.length > 2).sort((a, b) => often(b) - often(a) || 0);
  // Letters too many, missing, other or changed about, from one word to another; Infinity if more than `most`.
  function slips(one, other, most) {
    let above = [], row = [...Array(other.length + 1).keys()];
    for (let i = 1; i <= one.length && Math.min(...row) <= most; i += 1) {
      const next = [i];
      for (let j = 1; j <= other.length; j += 1) {
        const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (one[i - 1] !== other[j - 1]), swapped ? above[j - 2] + 1 : Infinity);
      }
      [above, row] = [row, next];
    }
    return row[other.length] <= most ? row[other.length] : Infinity;
  }
  function changed(word, form) {
    const longer = form.length - word.length, most = word.length > TWO_SLIPS ? 2 : word.length > ONE_SLIP ? 1 : 0;
    if (form.length > 3 && longer < 0 && longer > -6 && word.startsWith(form)) return ENDING * -longer;
    if (longer > 0 && form.startsWith(word)) return ENDING * longer;
    return most && Math.abs(longer) <= most ? slips(word, form, most) : Infinity;
  }
  function likely(word) {
    let best, least = Infinity;
    for (const form of known) {
      const all = changed(word, form);
      if (all < least) [best, least] = [form, all];
    }
    return best;
  }

  // Of each entry what every word of a question found in it.
  function scored(bases, weights) {
    const scores = new Map();
    for (const { term, at, length } of termsOf(bases)) {
      const found = postings.get(term) || new Map();
      const ruled = [...found.keys()].filter((n) => entries[n].kind === RULE).length;
      const rare = Math.log(1 + (rules - ruled + 0.5) / (ruled + 0.5)); // among rules, which most look for
      const each = weights[at] * (isGroup(term) ? ALIKE : 1) * rare / Math.sqrt(length);
      for (const [n, count] of found) {
        const won = count * (RARE + 1) / (count + RARE * (1 - LONG + LONG * entries[n].length / mean));
        if (!scores.has(n)) scores.set(n, bases.map(() => 0));
        for (let place = at; place < at + length; place += 1) scores.get(n)[place] += each * won;
      }
    }
    return scores;
  }

  return (question) => {
    const words = plain(plain(question).join(" ").replace(meaning, " ")).slice(0, MOST_WORDS), sure = words.map((word) => forms.has(word) || skipped.has(word));
    const bases = words.map((word, n) => stem(sure[n] ? word : likely(word) ?? word));
    const whole = bases.filter(tells), wanted = new Set(whole), meant = ({ game }) => game.own.some((word) => wanted.has(word));
    const ranked = [...scored(bases, sure.map((known) => (known ? 1 : LIKELY)))].map(([n, won]) => {
      const entry = entries[n], covered = won.filter((each, at) => each && tells(bases[at])).length / (whole.length || 1);
      const called = entry.called === whole.join(" ") ? CALLED : 1;
      const score = won.reduce((sum, each) => sum + each, 0) * covered ** WHOLE * entry.weight * called;
      return { ...entry, score, places: [...entry.places].sort((a, b) => meant(b) - meant(a)), others: [] };
    }).sort((a, b) => b.score - a.score);
    const holds = ({ places }) => places.some(meant), results = new Map(); // one statement that games say in several ways is one result
    for (const entry of ranked) {
      const key = `${entry.kind} ${entry.name}`, first = results.get(key);
      if (!first) results.set(key, entry);
      else if (holds(first) || !holds(entry)) first.others.push(entry);
      else results.set(key, { ...entry, score: first.score, others: [first, ...first.others] }); // as the game that is named says it
    }
    return [...results.values()];
  };
}

if (typeof document !== "undefined") (() => {
  const MOST = 25, MOST_PLACES = 3, ANCHORS = ["rule-", "option-", "decision-"];
  const form = document.querySelector(".search"), said = JSON.parse(form.dataset.said), library = document.querySelector(".library");
  const index = JSON.parse(document.getElementById("index").textContent);
  let search; // made after the page is shown
  function make(name, ...inside) {
    const made = document.createElement(name);
    made.append(...inside);
    return made;
  }
  const soft = (...inside) => Object.assign(make("p", ...inside), { className: "soft" });
  const link = (text, address) => Object.assign(make("a", text), { href: address });
  const joined = (links) => links.flatMap((each, n) => (n ? [" · ", each] : [each]));
  const details = (summary, count, ...inside) => make("details", make("summary", `${summary} (${count})`), ...inside);
  const folded = (summary, links) => (links.length ? [details(summary, links.length, soft(...joined(links)))] : []);
  function where({ kind, name, address, places }) {
    if (address) return [soft(`${index.kinds[kind]}: `, link(name, address.endsWith("#") ? address + name : address))];
    const anchor = kind === CHAPTER ? name : kind < ANCHORS.length ? ANCHORS[kind] + name.replaceAll(" ", "-") : "words";
    const links = (held) => places.filter(({ holds }) => holds === held)
      .map(({ game, number }) => link(`${game.called} ${number}`.trim(), `rules/${game.name}.${index.language}.html#${anchor}`));
    const holding = links(true), agreed = links(false), first = holding.length ? [] : agreed.splice(0, MOST_PLACES);
    const before = holding.length ? index.kinds[kind] : said.agreed;
    return [
      soft(before && `${before}: `, ...joined(holding.splice(0, MOST_PLACES)), ...joined(first)),
      ...folded(said.games, holding),
      ...folded(first.length ? said.games : said.agreed, agreed),
    ];
  }
  const shown = (entry) => [make("p", entry.text || entry.name), ...where(entry)];
  const others = ({ others: found }) => (found.length ? [details(said.others, found.length, ...found.flatMap(shown))] : []);
  const item = (entry) => make("li", ...shown(entry), ...others(entry));
  const fill = (list, results) => list.replaceChildren(...results.slice(0, MOST).map(item));
  function draw() {
    search ??= searcher(index);
    const question = form.elements.q.value.trim(), results = search(question);
    const read = results.filter(({ address }) => address);
    fill(document.querySelector(".found"), results.filter(({ address }) => !address));
    if (library) {
      fill(library.querySelector("ol"), read);
      library.hidden = !read.length;
    }
    form.querySelector("output").textContent = question && `${results.length} ${said.found}`;
  }
  form.elements.q.value = new URLSearchParams(location.search).get("q") || "";
  form.addEventListener("input", draw);
  form.hidden = false;
  form.elements.q.focus();
  setTimeout(draw);
})();
