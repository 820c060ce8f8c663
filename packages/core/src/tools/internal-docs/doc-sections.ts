/** Long pages of the documentation, section by section: the agent that reads them cannot page through a result. */

/** Below the length at which results are shortened (`tools.truncateToolOutputThreshold`). */
const MAX_CHARACTERS = 30_000;

/** The page, or its beginning and the names of the sections that follow. */
export function startOfPage(text: string, path: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const end = text.lastIndexOf('\n#', MAX_CHARACTERS);
  const shown = text.slice(0, end > 0 ? end : MAX_CHARACTERS);
  const rest = headingsIn(text).filter(({ start }) => start >= shown.length);
  return `${shown}\n\n[The page is longer. Read its other sections by these paths:]\n${listOf(rest, path)}`;
}

/** The section under a heading, or undefined with the sections there are. */
export function sectionOf(text: string, path: string, name: string): { section?: string; others: string } {
  const headings = headingsIn(text);
  const at = headings.findIndex(({ title }) => slugOf(title) === slugOf(name));
  const found = headings[at];
  if (!found) return { others: listOf(headings, path) };
  const end = headings.slice(at + 1).find(({ level }) => level <= found.level)?.start ?? text.length;
  return { section: startOfPage(text.slice(found.start, end), path), others: '' };
}

interface Heading {
  title: string;
  level: number;
  start: number;
}

function headingsIn(text: string): Heading[] {
  return [...text.matchAll(/^(#{1,4}) (.+)$/gm)].map(({ 1: marks = '', 2: title = '', index }) => ({
    title: title.trim(),
    level: marks.length,
    start: index,
  }));
}

function listOf(headings: readonly Heading[], path: string): string {
  return headings.map(({ title }) => `- ${path}#${slugOf(title)}`).join('\n');
}

function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
