/** A page as text: its accessibility tree, one element per line, each with a uid to act on. */
import type { Page } from 'playwright-core';

export interface PageSnapshot {
  text: string;
  /** What the line says about an element, by uid. */
  labels: ReadonlyMap<string, string>;
}

/** Below the length at which results are shortened: the agent could not read the rest from a file. */
const MAX_CHARACTERS = 30_000;
const HIDDEN = '••••••';

/** @param number of this snapshot, part of each uid: a uid of an earlier one is refused */
export async function takeSnapshot(page: Page, number: number, timeoutMs: number): Promise<PageSnapshot> {
  const secrets = await passwordsIn(page);
  const tree = await page.ariaSnapshot({ mode: 'ai', timeout: timeoutMs });
  const title = await page.title();
  const { lines, labels } = withUids(tree, number, secrets);
  const root = `RootWebArea ${JSON.stringify(title)} url=${JSON.stringify(page.url())}`;
  return { text: bounded([root, ...lines.map((line) => `  ${line}`)]), labels };
}

/** Turns `- button "Send" [ref=e2]: text` into `uid=1_e2 button "Send": text`. */
export function withUids(
  tree: string,
  number: number,
  secrets: readonly string[] = [],
): { lines: string[]; labels: Map<string, string> } {
  const labels = new Map<string, string>();
  const lines = tree.split('\n').flatMap((line) => {
    const [, indent = '', rest = line] = /^(\s*)- (.*)$/.exec(line) ?? [];
    const ref = /\[ref=(\w+)\]/.exec(outsideQuotes(rest))?.[1];
    const shown = hide(rest.replace(/ \[ref=\w+\]| \[cursor=pointer\]/g, '').replace(/:$/, ''), secrets);
    if (shown.trim() === '') return [];
    if (ref === undefined) return [`${indent}${shown}`];
    const uid = `${number}_${ref}`;
    labels.set(uid, shown);
    return [`${indent}uid=${uid} ${shown}`];
  });
  return { lines, labels };
}

/** Names of elements are the page's own text and may look like a reference. */
function outsideQuotes(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\]: .*$/, ']');
}

/** Only where it is the whole value: a short password may be part of any word. */
function hide(line: string, secrets: readonly string[]): string {
  const at = line.lastIndexOf(': ');
  if (at < 0 || !/^textbox\b/.test(line)) return line;
  const value = line.slice(at + 2);
  const isSecret = secrets.some((secret) => value === secret || value === JSON.stringify(secret));
  const holdsLongOne = secrets.some((secret) => secret.length > 5 && line.includes(secret));
  return isSecret || holdsLongOne ? `${line.slice(0, line.indexOf(': '))}: ${HIDDEN}` : line;
}

async function passwordsIn(page: Page): Promise<string[]> {
  const frames = await Promise.all(
    page.frames().map((frame) =>
      frame
        .locator('input[type=password]')
        .evaluateAll((inputs) => inputs.map((input) => (input as unknown as { value: string }).value))
        // A frame may go away meanwhile.
        .catch((): string[] => []),
    ),
  );
  return frames.flat().filter(Boolean);
}

function bounded(lines: readonly string[]): string {
  let length = 0;
  for (const [at, line] of lines.entries()) {
    length += line.length + 1;
    if (length <= MAX_CHARACTERS) continue;
    const note = `[${lines.length - at} more lines are left out: the page is too long.]`;
    return [...lines.slice(0, at), note].join('\n');
  }
  return lines.join('\n');
}
