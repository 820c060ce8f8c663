/** Finds fenced code blocks in Markdown: between lines of at least three backticks or tildes. */

export interface Fence {
  mark: string;
  length: number;
}

/** The fence that a line opens. Any indentation is accepted: the block may be in a list item. */
export function openingFence(line: string): Fence | undefined {
  const [marks, info] = marksOf(line);
  // Backticks on both sides are inline code.
  if (marks === '' || (marks.startsWith('`') && info.includes('`'))) return undefined;
  return { mark: marks.charAt(0), length: marks.length };
}

export function closesFence(line: string, { mark, length }: Fence): boolean {
  const [marks, rest] = marksOf(line);
  return marks.startsWith(mark) && marks.length >= length && rest.trim() === '';
}

export interface FencedBlock {
  /** Offsets of the block, its fences included. */
  start: number;
  end: number;
  content: string;
  /** False: it reaches to the end of the text. */
  isClosed: boolean;
}

/** In order, also inside block quotes. Takes linear time for any text. */
export function fencedBlocks(text: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: { fence: Fence; start: number; contentStart: number } | undefined;
  const add = (contentEnd: number, end: number, isClosed: boolean) => {
    if (!open) return;
    const { start, contentStart } = open;
    blocks.push({
      start,
      end,
      content: text.slice(contentStart, Math.max(contentStart, contentEnd)),
      isClosed,
    });
  };
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline + 1;
    const line = text.slice(start, end).replace(/^[ \t>]+/, '');
    if (!open) {
      const fence = openingFence(line);
      if (fence) open = { fence, start, contentStart: end };
    } else if (closesFence(line, open.fence)) {
      add(start - 1, end, true);
      open = undefined;
    }
    start = end;
  }
  add(text.length, text.length, false);
  return blocks;
}

/** The marks at the start of a line, and the rest of it. */
function marksOf(line: string): [marks: string, rest: string] {
  const [, marks = '', rest = ''] = /^\s*(`{3,}|~{3,})(.*)/s.exec(line) ?? [];
  return [marks, rest];
}
