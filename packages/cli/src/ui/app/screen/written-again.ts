/** Which lines are written again when a part of the conversation on the screen is drawn anew. */
import type { SettledLine } from '../../../terminal/settled-lines.js';

export interface Block {
  lines: string[];
  /** Undefined: its lines stay as they are. */
  block: number | undefined;
}

export interface BlockSource {
  /** A block in its present form; undefined: it is not part of the conversation any more. */
  draw(block: number): string[] | undefined;
  /** Its lines that were not erased. */
  kept(block: number): string[];
}

/** What replaces erased lines: nothing is lost, and nothing is repeated that is still above them. */
export function writtenAgain(erased: readonly SettledLine[], { draw, kept }: BlockSource): Block[] {
  return groups(erased).flatMap(({ lines, block }): Block[] => {
    if (block === undefined) return [{ lines, block }];
    const drawn = draw(block);
    return drawn ? [{ lines: covering(drawn, lines, kept(block)), block }] : [];
  });
}

/**
 * The newest lines for an empty screen: those that fit into `room` rows, and in any case all blocks from `atLeastFrom` on.
 * @param blocks newest first
 */
export function newestLines(blocks: Iterable<Block>, room: number, atLeastFrom = Infinity): Block[] {
  const chosen: Block[] = [];
  let left = room;
  for (const { lines, block } of blocks) {
    const isNeeded = (block ?? 0) >= atLeastFrom;
    if (left <= 0 && !isNeeded) break;
    chosen.unshift({ lines: isNeeded ? lines : lines.slice(-left), block });
    left -= lines.length;
  }
  return chosen;
}

function groups(lines: readonly SettledLine[]): Block[] {
  const found: Block[] = [];
  for (const { text, block } of lines) {
    const last = found.at(-1);
    if (last && last.block === block) last.lines.push(text);
    else found.push({ lines: [text], block });
  }
  return found;
}

/** The end of a block that says what its erased lines said. Wrapping moves blanks and borders, never letters. */
function covering(drawn: string[], erased: readonly string[], kept: readonly string[]): string[] {
  if (kept.length === 0) return drawn;
  let missing = lettersIn(erased);
  // Another form, e.g. a table that became a list: no telling where the erased part begins.
  if (lettersIn(drawn) !== missing + lettersIn(kept)) return drawn;
  let first = drawn.length;
  while (first > 0 && missing > 0) {
    first--;
    missing -= lettersIn(drawn.slice(first, first + 1));
  }
  return drawn.slice(first);
}

function lettersIn(lines: readonly string[]): number {
  const plain = lines.join('').replace(/\x1b\[[0-9;:?]*[A-Za-z]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)/g, '');
  return plain.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
