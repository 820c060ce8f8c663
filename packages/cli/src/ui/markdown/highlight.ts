/** Highlights code. highlight.js and its grammars load when first needed; until then code is shown plain. */
import type { HLJSApi } from 'highlight.js';
import { languageOf, loadGrammar } from './grammars.js';

/** Code of one scope (`keyword`, `string`, …; empty: plain), without line breaks. */
export interface CodeRun {
  text: string;
  scope: string;
}

/** Longer code, or code with longer lines, is data: it is not coloured. */
const MAX_CODE = 100_000;
const MAX_LINE = 2_000;

let engine: HLJSApi | undefined;
const loaded = new Set<string>();
const loading = new Map<string, Promise<void>>();
const listeners = new Set<() => void>();
let version = 0;

/** Grows when a grammar has loaded, so that callers know to draw again. */
export function grammarVersion(): number {
  return version;
}

/** Called after a grammar has loaded. @returns unsubscribes */
export function onGrammarLoaded(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** True while a grammar loads: text that is written only once should wait for it. */
export function grammarsPending(): boolean {
  return loading.size > 0;
}

/** Resolves when no grammar is loading. */
export async function grammarsLoaded(): Promise<void> {
  while (loading.size > 0) await Promise.all(loading.values());
}

/** Starts loading a grammar; true when it is loaded or the language has none. */
export function prepareLanguage(name: string): boolean {
  const language = languageOf(name);
  if (!language || loaded.has(language)) return true;
  if (!loading.has(language)) {
    const task = load(language).finally(() => {
      loading.delete(language);
      loaded.add(language);
      version++;
      for (const listener of listeners) listener();
    });
    loading.set(language, task);
  }
  return false;
}

/** One array of runs per line; plain while the grammar loads. */
export function highlightLines(code: string, name: string): CodeRun[][] {
  const language = languageOf(name);
  const isReady = language !== undefined && prepareLanguage(language);
  if (!isReady || !engine?.getLanguage(language) || !isReadable(code)) return plainLines(code);
  try {
    return runsOf(engine.highlight(code, { language, ignoreIllegals: true }).value);
  } catch {
    // A grammar that fails on odd code costs the colours, not the code.
    return plainLines(code);
  }
}

async function load(language: string): Promise<void> {
  try {
    const [core, grammar] = await Promise.all([import('highlight.js/lib/core'), loadGrammar(language)]);
    engine ??= core.default;
    if (grammar) engine.registerLanguage(language, grammar);
  } catch {
    // Without its grammar the code is shown plain.
  }
}

function isReadable(code: string): boolean {
  if (code.length > MAX_CODE) return false;
  for (let start = 0; start < code.length; ) {
    const end = code.indexOf('\n', start);
    if ((end < 0 ? code.length : end) - start > MAX_LINE) return false;
    if (end < 0) break;
    start = end + 1;
  }
  return true;
}

function plainLines(code: string): CodeRun[][] {
  return code.split('\n').map((text) => (text === '' ? [] : [{ text, scope: '' }]));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#x27;': "'",
};

/** Parses the HTML that highlight.js writes: spans with a class, and five entities. */
function runsOf(html: string): CodeRun[][] {
  const lines: CodeRun[][] = [];
  let line: CodeRun[] = [];
  const scopes: string[] = [];
  for (const [piece, className] of html.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    if (className !== undefined) scopes.push(scopeOf(className) || (scopes.at(-1) ?? ''));
    else if (piece === '</span>') scopes.pop();
    else {
      const text = piece.includes('&')
        ? piece.replace(/&(?:lt|gt|amp|quot|#x27);/g, (name) => ENTITIES[name] ?? name)
        : piece;
      const scope = scopes.at(-1) ?? '';
      for (const [index, part] of text.split('\n').entries()) {
        if (index > 0) {
          lines.push(line);
          line = [];
        }
        if (part !== '') line.push({ text: part, scope });
      }
    }
  }
  lines.push(line);
  return lines;
}

/** `hljs-title function_` is a title; `language-xml` is not a scope. */
function scopeOf(className: string): string {
  const first = className.split(' ')[0] ?? '';
  return first.startsWith('hljs-') ? first.slice('hljs-'.length) : '';
}
