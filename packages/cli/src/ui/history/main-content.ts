/** Conversation items as lines: for the scrollback, and as a scrolling window in the alternate buffer. */
import type { HistoryItem, HistoryItemWithoutId } from '../../history/item.js';
import type { Look } from '../look.js';
import type { UiState } from '../store/state.js';
import { narrower } from '../text/narrow.js';
import { gapBefore, linesOf } from './lines.js';

const TRACK = '│';
const THUMB = '┃';

/** Joins items. @param before the item above them; @param height of the screen, if the items still change */
export function contentLines(
  items: readonly HistoryItemWithoutId[],
  before: HistoryItemWithoutId | undefined,
  look: Look,
  height?: number,
): string[] {
  return items.flatMap((item, index) => {
    const lines = linesOf(item, look, height === undefined ? {} : { height });
    const hasGap = lines.length > 0 && gapBefore(items[index - 1] ?? before, item, look) === 1;
    return hasGap ? ['', ...lines] : lines;
  });
}

/** What still changes, without the call that is asked about: the question below it says the same. */
export function shownPending({ pending, confirmation }: UiState): readonly HistoryItemWithoutId[] {
  const asked = confirmation?.callId;
  if (asked === undefined) return pending;
  return pending.flatMap((item): HistoryItemWithoutId[] => {
    if (item.type !== 'tool_group') return [item];
    const tools = item.tools.filter(({ callId }) => callId !== asked);
    return tools.length > 0 ? [{ ...item, tools }] : [];
  });
}

/** Each settled item is drawn once; a frame copies only the lines it shows. */
export class ContentWindow {
  private head: readonly string[] = [];
  private readonly drawn = new Map<number, readonly string[]>();
  private look: Look | undefined;
  maxScroll = 0;
  /** Lines below the window. New lines are added to it, so that the text being read does not move. */
  private offset = 0;
  private scrolledTo = 0;
  private total = 0;

  setHead(lines: readonly string[]): void {
    this.head = lines;
  }

  clear(): void {
    this.drawn.clear();
  }

  lines(state: UiState, look: Look, room: number): string[] {
    if (room <= 0) return [];
    const narrow = narrower(look, 2);
    const isSameLook = this.forgetOtherLook(look);
    const { history } = state;
    const blocks = [this.head];
    for (const [index, item] of history.entries())
      blocks.push(this.linesOf(item, history[index - 1], narrow));
    blocks.push(contentLines(shownPending(state), history.at(-1), narrow));
    const total = blocks.reduce((sum, { length }) => sum + length, 0);
    this.maxScroll = Math.max(0, total - room);
    this.follow(state.scrollOffset, isSameLook ? total - this.total : 0);
    this.total = total;
    const first = this.maxScroll - this.offset;
    const shown = slice(blocks, first, first + room);
    while (shown.length < room) shown.push('');
    return this.maxScroll === 0 ? shown : withBar(shown, first / this.maxScroll, total, look);
  }

  /** The window's position, also before it is drawn: several keys may come in one read. */
  offsetOf({ scrollOffset }: Pick<UiState, 'scrollOffset'>): number {
    return scrollOffset === this.scrolledTo ? this.offset : scrollOffset;
  }

  private follow(scrollOffset: number, grown: number): void {
    const isReading = scrollOffset > 0 && scrollOffset === this.scrolledTo;
    const wanted = isReading ? this.offset + grown : scrollOffset;
    this.scrolledTo = scrollOffset;
    this.offset = Math.max(0, Math.min(wanted, this.maxScroll));
  }

  private linesOf(item: HistoryItem, before: HistoryItem | undefined, look: Look): readonly string[] {
    const known = this.drawn.get(item.id);
    if (known) return known;
    const lines = contentLines([item], before, look);
    this.drawn.set(item.id, lines);
    return lines;
  }

  private forgetOtherLook(look: Look): boolean {
    const before = this.look;
    this.look = look;
    const isSame =
      before &&
      before.width === look.width &&
      before.theme === look.theme &&
      before.expanded === look.expanded &&
      before.renderMarkdown === look.renderMarkdown;
    if (!isSame) this.drawn.clear();
    return isSame === true;
  }
}

/** Lines `from` to `to` of all blocks together. */
function slice(blocks: readonly (readonly string[])[], from: number, to: number): string[] {
  const lines: string[] = [];
  let start = 0;
  for (const block of blocks) {
    const end = start + block.length;
    if (end > from && start < to) lines.push(...block.slice(Math.max(0, from - start), to - start));
    start = end;
  }
  return lines;
}

function withBar(lines: string[], position: number, total: number, look: Look): string[] {
  const size = Math.max(1, Math.round((lines.length * lines.length) / total));
  const start = Math.round(position * (lines.length - size));
  return lines.map((line, index) => {
    const isThumb = index >= start && index < start + size;
    const color = isThumb ? look.theme.text.secondary : look.theme.border.default;
    // The scroll bar is in the last column, whatever the line's length.
    return `${line}\x1b[0m\x1b[${look.width}G${look.paint(isThumb ? THUMB : TRACK, { color })}`;
  });
}
