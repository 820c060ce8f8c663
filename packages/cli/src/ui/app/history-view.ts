/** The history as a window that scrolls, for a screen of our own. Lines of items that are out of sight are not kept. */
import type { HistoryItem, HistoryItemWithoutId } from '../history/item.js';
import { gapBefore, linesOf } from '../history/lines.js';
import type { Look } from '../look.js';
import type { UiState } from '../store/state.js';
import { narrower } from '../text/narrow.js';

const TRACK = '│';
const THUMB = '┃';

export class HistoryView {
  private head: readonly string[] = [];
  private readonly drawn = new Map<number, readonly string[]>();
  private look: Look | undefined;
  maxScroll = 0;

  setHead(lines: readonly string[]): void {
    this.head = lines;
  }

  clear(): void {
    this.drawn.clear();
  }

  lines(state: UiState, look: Look, room: number): string[] {
    if (room <= 0) return [];
    const narrow = narrower(look, 2);
    this.forgetOtherLook(look);
    const all = [
      ...this.head,
      ...state.history.flatMap((item, index) => this.linesOf(item, state.history[index - 1], narrow)),
      ...state.pending.flatMap((item, index) => [
        ...gap(state.pending[index - 1] ?? state.history.at(-1), item, narrow),
        ...linesOf(item, narrow),
      ]),
    ];
    this.maxScroll = Math.max(0, all.length - room);
    const offset = Math.min(state.scrollOffset, this.maxScroll);
    const first = Math.max(0, all.length - room - offset);
    const shown = all.slice(first, first + room);
    while (shown.length < room) shown.push('');
    return this.maxScroll === 0 ? shown : withBar(shown, first / this.maxScroll, all.length, look);
  }

  private linesOf(item: HistoryItem, before: HistoryItem | undefined, look: Look): readonly string[] {
    const known = this.drawn.get(item.id);
    if (known) return known;
    const lines = [...gap(before, item, look), ...linesOf(item, look)];
    this.drawn.set(item.id, lines);
    return lines;
  }

  private forgetOtherLook(look: Look): void {
    const before = this.look;
    this.look = look;
    const isSame =
      before &&
      before.width === look.width &&
      before.theme === look.theme &&
      before.expanded === look.expanded &&
      before.renderMarkdown === look.renderMarkdown;
    if (!isSame) this.drawn.clear();
  }
}

function gap(before: HistoryItemWithoutId | undefined, item: HistoryItemWithoutId, look: Look): string[] {
  return gapBefore(before, item, look) === 1 ? [''] : [];
}

function withBar(lines: string[], position: number, total: number, look: Look): string[] {
  const size = Math.max(1, Math.round((lines.length * lines.length) / total));
  const start = Math.round(position * (lines.length - size));
  return lines.map((line, index) => {
    const isThumb = index >= start && index < start + size;
    const color = isThumb ? look.theme.text.secondary : look.theme.border.default;
    // To the last column, however long the line is.
    return `${line}\x1b[0m\x1b[${look.width}G${look.paint(isThumb ? THUMB : TRACK, { color })}`;
  });
}
