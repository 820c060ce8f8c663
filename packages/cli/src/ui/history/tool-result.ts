/** Draws the result of a tool call by its kind: a summary beside the name, lines below it, or both. */
import type { AnsiOutput, FileDiff, TodoList, ToolResultDisplay } from '@gemini-cli/core';
import type { ToolView } from '../../history/item.js';
import type { Look } from '../look.js';
import { markdownLines } from '../markdown/markdown.js';
import { cleanLine } from '../text/clean.js';
import { fitSpans, paintSpans, span, wrapSpans } from '../text/spans.js';
import { stylesOf } from '../themes/styles.js';
import { ansiOutputLines, textOutputLines } from '../tools/ansi-output.js';
import { diffCounts, diffHead, diffLines } from '../tools/diff.js';
import { LIVE_ROWS, type SubagentProgress, subagentLines, subagentSummary } from '../tools/subagent.js';
import { todoCount, todoLines } from '../tools/todos.js';
import { hiddenNote } from './cut.js';

/** Columns kept for a tool's name and the start of its description beside an error. */
const TITLE_ROOM = 30;
/** Most rows of output, of a diff, and of a sub-agent's activities. */
export const RESULT_ROWS = 15;

export interface ToolResultView {
  /** After the description: `→ Read 20 lines`, `(+3, -1)`. */
  summary?: string;
  lines: string[];
}

type Display = ToolResultDisplay | AnsiOutput;

export function toolResult(tool: ToolView, look: Look): ToolResultView {
  const { display, error } = tool;
  // Most tools show the user the same text that the model got.
  const isError = typeof display === 'string' && error !== undefined && oneLine(display) === oneLine(error);
  const shown = display === undefined || isError ? { lines: [] } : displayResult(display, tool, look);
  if (tool.status !== 'error' || !error) return shown;
  return withError(shown, error, look);
}

function displayResult(display: Display, tool: ToolView, look: Look): ToolResultView {
  const limit = look.expanded ? Number.POSITIVE_INFINITY : RESULT_ROWS;
  if (typeof display === 'string') return textResult(display, tool, look, limit);
  if (isAnsiOutput(display)) return noted(ansiOutputLines(display, look, limit), 'above', look);
  if ('fileDiff' in display) return diffResult(display, look, limit);
  if ('todos' in display) return todoResult(display, look);
  if ('isSubagentProgress' in display) return subagentResult(display, look, limit);
  const entries =
    'matches' in display
      ? matchLines(display, look)
      : 'files' in display
        ? fileLines(display.files, look)
        : [];
  const summary = cleanLine(display.summary);
  return look.compactTools && !look.expanded
    ? { summary, lines: [] }
    : { summary, lines: entries.slice(0, limit) };
}

function textResult(text: string, tool: ToolView, look: Look, limit: number): ToolResultView {
  const trimmed = text.trim();
  if (trimmed === '') return { lines: [] };
  if (!trimmed.includes('\n') && trimmed.length < look.width)
    return { summary: cleanLine(trimmed), lines: [] };
  if (!tool.isMarkdown) return noted(textOutputLines(text, look, limit), 'above', look);
  const lines = markdownLines(text, look);
  return noted({ lines: lines.slice(0, limit), hidden: Math.max(0, lines.length - limit) }, 'more', look);
}

function diffResult(display: FileDiff, look: Look, limit: number): ToolResultView {
  const { added, removed } = countsOf(display);
  const summary = `(+${added}, -${removed})`;
  if (limit === Number.POSITIVE_INFINITY) return { summary, lines: diffLines(display, look) };
  return { summary, ...noted(diffHead(display, look, limit), 'more', look) };
}

function countsOf(display: FileDiff): { added: number; removed: number } {
  const stat = display.diffStat;
  if (!stat) return diffCounts(display.fileDiff);
  return {
    added: stat.model_added_lines + stat.user_added_lines,
    removed: stat.model_removed_lines + stat.user_removed_lines,
  };
}

function todoResult({ todos }: TodoList, look: Look): ToolResultView {
  if (todos.length === 0) return { summary: 'cleared', lines: [] };
  const { done, total } = todoCount(todos);
  // The list is above the input, and can be unfolded there.
  const isFolded = look.compactTools && !look.expanded && !look.screenReader;
  return { summary: `${done}/${total} completed`, lines: isFolded ? [] : todoLines(todos, look) };
}

/** While it works its last steps, at the end its report; expanded both. */
function subagentResult(progress: SubagentProgress, look: Look, limit: number): ToolResultView {
  const { state, result } = progress;
  const summary = subagentSummary(progress);
  const head = summary === '' ? {} : { summary };
  const isLive = state === 'running';
  const steps = (rows: number) => noted(subagentLines(progress, look, rows), 'above', look).lines;
  if (state === undefined || look.expanded || result === undefined || isLive) {
    const lines = steps(isLive && !look.expanded ? LIVE_ROWS : limit);
    const report = look.expanded && !isLive ? reportLines(result, look, limit) : [];
    return { ...head, lines: [...lines, ...report] };
  }
  return { ...head, lines: reportLines(result, look, limit) };
}

function reportLines(result: string | undefined, look: Look, limit: number): string[] {
  if (!result?.trim()) return [];
  const lines = markdownLines(result, look);
  return noted({ lines: lines.slice(0, limit), hidden: Math.max(0, lines.length - limit) }, 'more', look)
    .lines;
}

function matchLines(display: Extract<Display, { matches: unknown }>, look: Look): string[] {
  const styles = stylesOf(look.theme);
  return display.matches.map(({ filePath, lineNumber, line }) =>
    paintSpans(
      fitSpans(
        [
          span(`${cleanLine(filePath)}:${lineNumber}: `, styles.secondary),
          span(cleanLine(line).trim(), styles.primary),
        ],
        look.width,
      ),
      look.paint,
    ),
  );
}

function fileLines(files: readonly string[], look: Look): string[] {
  const { secondary } = stylesOf(look.theme);
  return files.map((file) =>
    paintSpans(fitSpans([span(cleanLine(file), secondary)], look.width), look.paint),
  );
}

function withError(shown: ToolResultView, error: string, look: Look): ToolResultView {
  const text = oneLine(error);
  if (shown.lines.length === 0 && !shown.summary && text.length <= look.width - TITLE_ROOM)
    return { summary: text, lines: [] };
  const rows = wrapSpans([span(text, stylesOf(look.theme).error)], look.width).map((row) =>
    paintSpans(row, look.paint),
  );
  const limit = look.expanded ? rows.length : RESULT_ROWS;
  return { ...shown, lines: [...shown.lines, ...rows.slice(0, limit)] };
}

function oneLine(text: string): string {
  return cleanLine(text).trim();
}

function noted(
  { lines, hidden }: { lines: string[]; hidden: number },
  where: 'above' | 'more',
  look: Look,
): { lines: string[] } {
  if (hidden === 0) return { lines };
  const note = hiddenNote(hidden, where, look);
  return { lines: where === 'above' ? [note, ...lines] : [...lines, note] };
}

function isAnsiOutput(display: Display): display is AnsiOutput {
  return Array.isArray(display);
}
