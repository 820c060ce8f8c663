/** Draws every history item as painted lines wrapped to the width. The same item and look give the same lines. */
import type { HistoryItemWithoutId } from '../../history/item.js';
import type { Look } from '../look.js';
import { grammarVersion } from '../markdown/highlight.js';
import { markdownLines } from '../markdown/markdown.js';
import { wrapAnsi } from '../text/wrap.js';
import { aboutLines } from './about.js';
import { changedFilesLines } from './changed-files.js';
import { keepFirst, keepLast } from './cut.js';
import { helpLines } from './help.js';
import { listLines } from './list.js';
import { modelLines, thinkingLines } from './model.js';
import { modelStatsLines } from './model-stats.js';
import { compressionLines, modelChangeLines, noticeLines } from './notice.js';
import { quitLines } from './quit.js';
import { statsLines } from './stats.js';
import { toolGroupLines } from './tool-group.js';
import { toolStatsLines } from './tool-stats.js';
import { userLines, userShellLines } from './user.js';

export interface LinesOptions {
  /** Most rows; one of them says how many lines are hidden. */
  height?: number;
}

/** The lines are cached: callers must not change them. */
export function linesOf(
  item: HistoryItemWithoutId,
  look: Look,
  options: LinesOptions = {},
): readonly string[] {
  const { height } = options;
  // A growing answer is drawn many times a second, so only its visible part is drawn.
  if (item.type === 'gemini' && height !== undefined && !look.screenReader) {
    return modelLines(item.text, look, item.isContinued, height);
  }
  const lines = allLines(item, look);
  if (height === undefined || lines.length <= height) return lines;
  return GROWING.has(item.type) ? keepLast(lines, height, look) : keepFirst(lines, height, look);
}

/** Blank rows between two items: none between notices and between one-line tool calls. */
export function gapBefore(
  previous: HistoryItemWithoutId | undefined,
  item: HistoryItemWithoutId,
  look: Look,
): 0 | 1 {
  if (!previous || look.screenReader) return 0;
  if (linesOf(item, look).length === 0) return 0;
  const isSameKind = previous.type === item.type || (NOTICES.has(previous.type) && NOTICES.has(item.type));
  if (!isSameKind || !(NOTICES.has(item.type) || item.type === 'tool_group')) return 1;
  return item.type === 'tool_group' && (hasFrame(item, look) || hasFrame(previous, look)) ? 1 : 0;
}

const GROWING: ReadonlySet<string> = new Set(['gemini', 'thinking', 'tool_group', 'markdown']);
const NOTICES: ReadonlySet<string> = new Set(['info', 'warning', 'error', 'hint']);

function hasFrame(item: HistoryItemWithoutId, look: Look): boolean {
  return item.type === 'tool_group' && linesOf(item, look).length > item.tools.length;
}

interface Drawn {
  look: Look;
  version: number;
  lines: readonly string[];
}
const drawn = new WeakMap<HistoryItemWithoutId, Drawn>();

function allLines(item: HistoryItemWithoutId, look: Look): readonly string[] {
  const known = drawn.get(item);
  if (known && known.look === look && known.version === grammarVersion()) return known.lines;
  // Screen-reader lines start with extra words, so they are wrapped last.
  const lines = look.screenReader
    ? draw(item, look).flatMap((line) => wrapAnsi(line, look.width))
    : draw(item, look);
  drawn.set(item, { look, version: grammarVersion(), lines });
  return lines;
}

function draw(item: HistoryItemWithoutId, look: Look): readonly string[] {
  switch (item.type) {
    case 'user':
      return userLines(item, look);
    case 'user_shell':
      return userShellLines(item.text, look);
    case 'gemini':
      return modelLines(item.text, look, item.isContinued);
    case 'thinking':
      return thinkingLines(item.subject, item.text, look);
    case 'tool_group':
      return toolGroupLines(item.tools, look);
    case 'info':
    case 'warning':
    case 'error':
    case 'hint':
      return noticeLines(item, look);
    case 'compression':
      return compressionLines(item, look);
    case 'model_change':
      return modelChangeLines(item.model, item.reason, look);
    case 'stats':
      return statsLines(item.stats, look);
    case 'model_stats':
      return modelStatsLines(item.metrics, look);
    case 'tool_stats':
      return toolStatsLines(item.metrics, look);
    case 'about':
      return aboutLines(item.about, look);
    case 'help':
      return helpLines(item.help, look);
    case 'list':
      return listLines(item, look);
    case 'diff':
      return changedFilesLines(item, look);
    case 'markdown':
      return markdownLines(item.text, look);
    case 'quit':
      return quitLines(item, look);
  }
}
