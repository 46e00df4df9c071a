// Starts the language server, and shows beside a text what the program makes of it.

import { execFile } from "node:child_process";
import * as vscode from "vscode";
import { LanguageClient, type Location as Place } from "vscode-languageclient/node";

const LARGEST = 64 * 1024 * 1024;
const HTML = ["--format", "html"];
const FITTING = "<!doctype html><style>body > svg { max-width: 100%; height: auto }</style>";
let client: LanguageClient | undefined;

function program(): string {
  return vscode.workspace.getConfiguration("truco-spec").get("command", "truco-spec");
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const checks = vscode.workspace.getConfiguration("truco-spec").get("checks", true);
  const args = ["lsp", "--stdio", ...(checks ? [] : ["--no-checks"])];
  client = new LanguageClient(
    "truco-spec",
    "Truco rules",
    { command: program(), args },
    {
      documentSelector: [{ language: "truco" }, { language: "yaml", scheme: "file" }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{truco,yaml}") },
    },
  );
  context.subscriptions.push(
    vscode.commands.registerCommand("truco-spec.showCases", showCases),
    vscode.commands.registerCommand("truco-spec.playCase", (...which) => showCase("replay", [], "Replay", which)),
    vscode.commands.registerCommand("truco-spec.disputeCase", (...which) => showCase("dispute", HTML, "Dispute", which)),
    vscode.commands.registerCommand("truco-spec.book", () => preview("rulebook", HTML, "Book")),
    vscode.commands.registerCommand("truco-spec.graph", () => preview("graph", ["--format", "svg"], "Graph")),
    vscode.commands.registerCommand("truco-spec.replay", () => preview("replay", [], "Replay")),
  );
  try {
    await client.start();
  } catch {
    const message = `“${program()} lsp” does not start. Install it: pip install 'truco-spec[editor]'`;
    void vscode.window.showErrorMessage(message);
  }
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** The command of a lens: the cases that test a statement, as a list of places. */
async function showCases(uri: string, at: { line: number; character: number }, places: Place[]): Promise<void> {
  const convert = client?.protocol2CodeConverter;
  if (!convert) return;
  await vscode.commands.executeCommand(
    "editor.action.showReferences",
    vscode.Uri.parse(uri),
    convert.asPosition(at),
    places.map((place) => convert.asLocation(place)),
  );
}

/** The other commands of a lens: what a verb writes of the first case that tests a statement. */
async function showCase(verb: string, args: string[], title: string, which: unknown[]): Promise<void> {
  show(verb, await vscode.commands.executeCommand<string>("truco-spec.logOfCase", ...which), args, title);
}

/** What a verb writes of the file in the editor, as it is saved. */
async function preview(verb: string, args: string[], title: string): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) return;
  await document.save();
  show(verb, document.uri.fsPath, args, title);
}

/** What a verb writes of a file or of a log, in a panel beside the text. */
function show(verb: string, what: string, args: string[], title: string): void {
  const panel = vscode.window.createWebviewPanel(`truco-spec.${verb}`, title, vscode.ViewColumn.Beside, {
    enableScripts: true,
    localResourceRoots: [],
  });
  panel.webview.html = "…";
  const document = vscode.window.activeTextEditor?.document;
  const folder = document && vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath;
  execFile(
    program(),
    [verb, what, ...args],
    { cwd: folder, maxBuffer: LARGEST, timeout: 120_000 },
    (error, made, complaint) => {
      panel.webview.html = made ? FITTING + made : `<pre>${escaped(complaint || String(error))}</pre>`;
    },
  );
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign] ?? sign);
}
