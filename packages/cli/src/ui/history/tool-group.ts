/** Draws tool calls: one line each, or a frame around calls that show a result. */
import type { ToolView } from '../../history/item.js';
import type { Look } from '../look.js';
import { grammarVersion } from '../markdown/highlight.js';
import { cleanLine } from '../text/clean.js';
import { narrower } from '../text/narrow.js';
import { fitSpans, paintSpans, type Span, span, spansWidth } from '../text/spans.js';
import { takeWidth, textWidth } from '../text/width.js';
import type { Style } from '../themes/style.js';
import { type Styles, stylesOf } from '../themes/styles.js';
import { BOX_COLUMNS, boxed } from './box.js';
import { toolResult } from './tool-result.js';
import { TOPIC_TOOL, topicLines } from './topic.js';

type Status = ToolView['status'];

const STATUS_SYMBOLS: Record<Status, string> = {
  validating: 'o',
  scheduled: 'o',
  executing: '⊷',
  awaiting_approval: '?',
  success: '✓',
  error: 'x',
  cancelled: '-',
};

const STATUS_WORDS: Record<Status, string> = {
  validating: 'pending',
  scheduled: 'pending',
  executing: 'running',
  awaiting_approval: 'waiting for approval',
  success: 'success',
  error: 'failed',
  cancelled: 'cancelled',
};

export function toolGroupLines(tools: readonly ToolView[], look: Look): string[] {
  return tools.flatMap((tool) => toolLines(tool, look));
}

interface Drawn {
  look: Look;
  version: number;
  lines: string[];
}
/** A running call is redrawn without redrawing the others of its group. */
const drawn = new WeakMap<ToolView, Drawn>();

function toolLines(tool: ToolView, look: Look): string[] {
  const known = drawn.get(tool);
  if (known && known.look === look && known.version === grammarVersion()) return known.lines;
  const lines = linesFor(tool, look);
  drawn.set(tool, { look, version: grammarVersion(), lines });
  return lines;
}

function linesFor(tool: ToolView, look: Look): string[] {
  if (tool.name === TOPIC_TOOL && tool.status === 'success') return topicLines(tool, look);
  return look.screenReader ? screenReaderLines(tool, look) : drawLines(tool, look);
}

function drawLines(tool: ToolView, look: Look): string[] {
  if (look.compactTools && isPlainList(tool)) {
    const { summary, lines } = toolResult(tool, narrower(look, INDENT.length));
    return [titleLine(tool, summary, look), ...lines.map((line) => INDENT + line)];
  }
  const inner = narrower(look, BOX_COLUMNS);
  const result = toolResult(tool, inner);
  if (result.lines.length === 0) return [titleLine(tool, result.summary, look)];
  const style = borderStyle(tool.status, look);
  return boxed([titleLine(tool, result.summary, inner), ...result.lines], look, style);
}

const INDENT = '   ';

/** Diffs, todos and activities need no frame; program output may look like anything. */
function isPlainList({ display }: ToolView): boolean {
  return (
    typeof display === 'object' &&
    ('fileDiff' in display || 'todos' in display || 'isSubagentProgress' in display)
  );
}

/** `✓  ReadFile  a.txt → Read 20 lines`: the description is cut, never the summary. */
function titleLine(tool: ToolView, summary: string | undefined, look: Look): string {
  const styles = stylesOf(look.theme);
  const head = [
    span(`${STATUS_SYMBOLS[tool.status]}  `, statusStyle(tool.status, styles)),
    span(
      cleanLine(tool.displayName || tool.name),
      tool.status === 'cancelled' ? { ...styles.secondary, strike: true } : styles.bold,
    ),
    ...(tool.agent && tool.agent !== tool.displayName
      ? [span(` (${cleanLine(tool.agent)})`, styles.accent)]
      : []),
  ];
  const tail = summary === undefined ? [] : summarySpans(summary, tool, styles);
  const room = look.width - spansWidth(head) - spansWidth(tail) - 2;
  const description = cleanLine(tool.description).replace(/ {2,}/g, ' ');
  const middle =
    description === ''
      ? ''
      : textWidth(description) <= room
        ? description
        : `${takeWidth(description, Math.max(MIN_DESCRIPTION, room - 1)).head}…`;
  const spans: Span[] = [...head, ...(middle ? [span(`  ${middle}`, styles.secondary)] : []), ...tail];
  return paintSpans(fitSpans(spans, look.width), look.paint);
}

const MIN_DESCRIPTION = 12;

function summarySpans(summary: string, tool: ToolView, styles: Styles): Span[] {
  const counts = /^\(\+(\d+), -(\d+)\)$/.exec(summary);
  if (counts) {
    return [
      span(' (', styles.secondary),
      span(`+${counts[1]}`, styles.success),
      span(', ', styles.secondary),
      span(`-${counts[2]}`, styles.error),
      span(')', styles.secondary),
    ];
  }
  return [span(` → ${summary}`, tool.status === 'error' ? styles.error : styles.comment)];
}

function screenReaderLines(tool: ToolView, look: Look): string[] {
  const result = toolResult(tool, look);
  const parts = [`Tool ${cleanLine(tool.displayName || tool.name)}`, cleanLine(tool.description)].filter(
    (part) => part !== '',
  );
  const summary = result.summary ? `. ${result.summary}` : '';
  return [`${parts.join(' ')}: ${STATUS_WORDS[tool.status]}${summary}`, ...result.lines];
}

function borderStyle(status: Status, look: Look): Style {
  const styles = stylesOf(look.theme);
  if (status === 'awaiting_approval') return styles.warning;
  return status === 'executing' ? { color: look.theme.border.focused } : styles.border;
}

function statusStyle(status: Status, styles: Styles): Style {
  switch (status) {
    case 'success':
      return styles.success;
    case 'error':
      return styles.error;
    case 'awaiting_approval':
      return styles.warning;
    case 'executing':
      return styles.accent;
    default:
      return styles.secondary;
  }
}
