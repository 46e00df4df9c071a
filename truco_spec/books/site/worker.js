// Python in a worker of its own: it is loaded when the first question comes, and whoever asked can end it.
import { loadPyodide } from "./pyodide.mjs";

const begun = (async () => {
  const [python, held] = await Promise.all([
    loadPyodide({ indexURL: new URL("./", import.meta.url).href }),
    fetch(new URL("rules.zip", import.meta.url)).then((found) => { if (!found.ok) throw new Error("rules.zip"); return found.arrayBuffer(); }),
  ]);
  python.unpackArchive(held, "zip", { extractDir: "/rules" });
  return python.runPython("import sys; sys.path.insert(0, '/rules'); from truco_spec.books.playground import answer; answer");
})();

onmessage = async ({ data: { number, wanted, text, line, language } }) => {
  try {
    const answer = await begun;
    postMessage({ number, answer: JSON.parse(answer(wanted, text, line, language)) });
  } catch (error) {
    postMessage({ number, answer: { fault: String(error.message ?? error).slice(-600) } });
  }
};
