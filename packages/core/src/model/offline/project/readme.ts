/** The first words of a README, as its author wrote them. */

export interface Readme {
  title?: string;
  /** The opening prose, without badges, pictures and markup around it. */
  opening?: string;
  headings: string[];
}

const MAX_OPENING = 600;

export function readReadme(content: string): Readme {
  const lines = visibleLines(content);
  const title =
    /^#\s+(.+)$/.exec(lines.find((line) => /^#\s+\S/.test(line)) ?? '')?.[1] ?? underlinedTitle(lines);
  const headings = lines.flatMap((line) => /^##\s+(.+?)\s*#*$/.exec(line)?.[1] ?? []);
  return {
    title: title ? plain(title) : undefined,
    opening: openingOf(lines),
    headings: headings.map(plain).filter(Boolean),
  };
}

export function firstSentence(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return /^.+?[.!?](?=\s|$)/.exec(flat)?.[0] ?? flat;
}

function openingOf(lines: readonly string[]): string | undefined {
  const paragraphs: string[] = [];
  let current: string[] = [];
  const close = () => {
    const text = plain(current.join(' '));
    if (isProse(text)) paragraphs.push(text);
    current = [];
  };
  for (const [index, line] of lines.entries()) {
    const breaks = line.trim() === '' || /^(?:#|\||={3,}|-{3,}|\s*[-*+]\s|\s*\d+[.)]\s|\.\. )/.test(line);
    const isTitle = /^(?:={3,}|-{3,})\s*$/.test(lines[index + 1] ?? '');
    if (breaks || isTitle) {
      close();
      // A later section is not the opening; one paragraph under the title is.
      if (/^##/.test(line) && paragraphs.length > 0) break;
      continue;
    }
    current.push(line.replace(/^>\s?/, '').trim());
    if (paragraphs.join(' ').length > MAX_OPENING) break;
  }
  close();
  return shortenParagraphs(paragraphs.slice(0, 2));
}

function shortenParagraphs(paragraphs: readonly string[]): string | undefined {
  const [first, second] = paragraphs;
  if (first === undefined) return undefined;
  const whole = second === undefined || first.length > 300 ? first : `${first}\n\n${second}`;
  if (whole.length <= MAX_OPENING) return whole;
  const cut = whole.slice(0, MAX_OPENING);
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('.\n'));
  return end > MAX_OPENING / 3 ? cut.slice(0, end + 1) : `${cut.trimEnd()}…`;
}

/** Without front matter, comments, code blocks and HTML-only lines. */
function visibleLines(content: string): string[] {
  const text = content
    .replace(/^\uFEFF?---\n[\s\S]*?\n---\n/, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^(?:```|~~~)[\s\S]*?^(?:```|~~~).*$/gm, '');
  return text.split(/\r?\n/);
}

function underlinedTitle(lines: readonly string[]): string | undefined {
  const index = lines.findIndex((line) => /^={3,}\s*$/.test(line));
  return index > 0 ? lines[index - 1]?.trim() : undefined;
}

/** Markdown and HTML markup taken off, the words kept. */
function plain(text: string): string {
  return text
    .replace(/\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)/g, '')
    .replace(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g, '')
    .replace(/\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<[^>]+>/g, '')
    .replace(/(\*\*|__)(.+?)\1/g, '$2')
    .replace(/:[a-z_]+:/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function isProse(text: string): boolean {
  return (
    text.length >= 20 && /[a-z]{2,}\s+\S+\s+\S+/i.test(text) && !/^(?:\[[^\]]*\]:|\S+: https?:)/.test(text)
  );
}
