/** Long pastes and images are shown as labels in the text; their contents are kept beside it and sent in full. */

export interface Folded {
  /** What is sent for each label. */
  readonly hidden: ReadonlyMap<string, string>;
  /** Labels that the user has opened, newest last; they can be closed again. */
  readonly opened: readonly { readonly label: string; readonly text: string }[];
}

export const NOTHING_FOLDED: Folded = { hidden: new Map(), opened: [] };

const LONG_LINES = 5;
const LONG_CHARACTERS = 500;
const LONG_NAME = 16;

export function isLongPaste(text: string): boolean {
  return text.length > LONG_CHARACTERS || countLines(text) > LONG_LINES;
}

/** @param taken returns true for a label that is in use */
export function pasteLabel(text: string, taken: (label: string) => boolean): string {
  // The newline that ends the last line begins no other one.
  const lines = countLines(text.replace(/\n$/, ''));
  const size = lines > LONG_LINES ? `${lines} lines` : `${[...text].length} chars`;
  return freeLabel(`Pasted Text: ${size}`, taken);
}

/** `[Image clipboard-…png]` */
export function imageLabel(fileName: string, taken: (label: string) => boolean): string {
  const clean = fileName.replace(/[\p{C}[\]]/gu, '');
  const dot = clean.lastIndexOf('.');
  const isLong = clean.length > LONG_NAME && dot > 0;
  return freeLabel(`Image ${isLong ? `${clean.slice(0, 10)}…${clean.slice(dot + 1)}` : clean}`, taken);
}

/** Our saved images in a recalled or edited text: `@…/images/clipboard-<ms>.png`. */
const OWN_IMAGE = /@(?:\\.|[^\s\\])*\/images\/(clipboard-\d+\.png)/g;

/** Replaces references to saved images with labels. */
export function foldImages(text: string): { text: string; folded: Folded } {
  if (!text.includes('/images/clipboard-')) return { text, folded: NOTHING_FOLDED };
  const hidden = new Map<string, string>();
  const shown = text.replace(OWN_IMAGE, (reference, name: string) => {
    const label = imageLabel(name, (one) => hidden.has(one) || text.includes(one));
    hidden.set(label, reference);
    return label;
  });
  return { text: shown, folded: { hidden, opened: [] } };
}

/** The label that contains or touches a column. */
export function labelAt(
  line: string,
  column: number,
  folded: Folded,
): { label: string; start: number } | undefined {
  for (const label of folded.hidden.keys()) {
    for (let start = line.indexOf(label); start >= 0; start = line.indexOf(label, start + label.length)) {
      if (start <= column && column <= start + label.length) return { label, start };
    }
  }
  return undefined;
}

/** Moves a position inside of a label to its start or end. */
export function outOfLabel(line: string, column: number, folded: Folded, towards: 'start' | 'end'): number {
  if (folded.hidden.size === 0) return column;
  for (const label of folded.hidden.keys()) {
    for (let start = line.indexOf(label); start >= 0; start = line.indexOf(label, start + label.length)) {
      const end = start + label.length;
      if (start < column && column < end) return towards === 'start' ? start : end;
    }
  }
  return column;
}

/** The text as it is sent. Pasted contents are not searched for labels. */
export function unfold(text: string, { hidden }: Folded): string {
  if (hidden.size === 0) return text;
  const labels = [...hidden.keys()].sort((one, other) => other.length - one.length).map(escapeRegExp);
  return text.replace(new RegExp(labels.join('|'), 'g'), (label) => hidden.get(label) ?? label);
}

export function withHidden(folded: Folded, label: string, text: string): Folded {
  return {
    hidden: new Map(folded.hidden).set(label, text),
    opened: folded.opened.filter((one) => one.label !== label),
  };
}

export function withOpened(folded: Folded, label: string): Folded {
  const hidden = new Map(folded.hidden);
  const text = hidden.get(label) ?? '';
  hidden.delete(label);
  return { hidden, opened: [...folded.opened, { label, text }] };
}

/** Forgets contents whose label was deleted. */
export function pruned(folded: Folded, lines: readonly string[]): Folded {
  if (folded.hidden.size === 0) return folded;
  const kept = [...folded.hidden].filter(([label]) => lines.some((line) => line.includes(label)));
  return kept.length === folded.hidden.size ? folded : { ...folded, hidden: new Map(kept) };
}

function freeLabel(words: string, taken: (label: string) => boolean): string {
  let label = `[${words}]`;
  for (let number = 2; taken(label); number++) label = `[${words} #${number}]`;
  return label;
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
