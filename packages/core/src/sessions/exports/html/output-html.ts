/** Renders tool displays. Other programs write session files too: an unknown display is shown as JSON. */
import type { AnsiToken, GrepDisplay, ToolResultDisplay } from '../../../protocol/tool-display.js';
import type { RedactValue } from '../../recording/redact-record.js';
import { diffHtml } from './diff-html.js';
import { escapeHtml } from './escape-html.js';
import type { RenderMarkdown } from './markdown-html.js';

export interface Rendering {
  markdown: RenderMarkdown;
  redact: RedactValue;
  /** Formats an ISO time for the reader. */
  time(iso: string): string;
  /** The work of the sub-agent that a call has run; empty: none is known. */
  agentOf?: (callId: string) => string;
}

export function displayHtml(display: ToolResultDisplay, isMarkdown: boolean, rendering: Rendering): string {
  if (typeof display === 'string')
    return isMarkdown ? `<div class="prose">${rendering.markdown(display)}</div>\n` : outputHtml(display);
  if (Array.isArray(display)) return terminalHtml(display, rendering.redact);
  if (typeof display !== 'object' || display === null) return '';
  if ('fileDiff' in display && typeof display.fileDiff === 'string') return diffHtml(display.fileDiff);
  if ('todos' in display && Array.isArray(display.todos)) return todosHtml(display.todos);
  if ('matches' in display && Array.isArray(display.matches))
    return listHtml(display.summary, display.matches.map(matchLine));
  if ('files' in display && Array.isArray(display.files)) return listHtml(display.summary, display.files);
  if ('recentActivity' in display && Array.isArray(display.recentActivity)) {
    const { result, agentName, recentActivity } = display;
    const activities = recentActivity.map((activity) => activity?.content);
    const report =
      typeof result === 'string' ? `<div class="prose">${rendering.markdown(result)}</div>\n` : '';
    return listHtml(`Sub-agent ${agentName}`, activities) + report;
  }
  if ('summary' in display && typeof display.summary === 'string') return outputHtml(display.summary);
  return outputHtml(JSON.stringify(display, null, 2));
}

const MAX_OUTPUT_CHARS = 200_000;

/** Of a text that is too long, only the beginning and the end. */
export function outputHtml(text: string): string {
  const trimmed = text.replace(/\s+$/, '');
  if (trimmed === '') return '';
  if (trimmed.length <= MAX_OUTPUT_CHARS) return pre(escapeHtml(trimmed));
  const tail = MAX_OUTPUT_CHARS / 4;
  const left = trimmed.length - MAX_OUTPUT_CHARS;
  return (
    pre(escapeHtml(trimmed.slice(0, MAX_OUTPUT_CHARS - tail))) +
    `<p class="more">… ${left} characters left out; the export as JSON has them</p>\n` +
    pre(escapeHtml(trimmed.slice(-tail)))
  );
}

/** HTML drops a line break right after the tag, so one is added. */
function pre(html: string): string {
  return `<pre class="output">\n${html}</pre>\n`;
}

function terminalHtml(lines: readonly unknown[], redact: RedactValue): string {
  const html = lines.map((line) => (Array.isArray(line) ? lineHtml(line, redact) : '')).join('\n');
  return html.trim() === '' ? '' : pre(html.trimEnd());
}

function lineHtml(tokens: readonly (Partial<AnsiToken> | null)[], redact: RedactValue): string {
  const text = tokens.map((token) => textOf(token)).join('');
  const clean = redact(text);
  // A secret may span tokens of several colours.
  if (clean !== text) return escapeHtml(clean);
  return tokens.map(tokenHtml).join('').trimEnd();
}

const STYLES = ['bold', 'italic', 'underline', 'dim', 'inverse'] as const;

/** The sixteen colours that follow the page's theme; others would be unreadable on one of the two. */
function tokenHtml(token: Partial<AnsiToken> | null): string {
  const text = escapeHtml(textOf(token));
  const { fg } = token ?? {};
  const classes: string[] = STYLES.filter((style) => token?.[style] === true).map((style) => `t-${style}`);
  if (typeof fg === 'string' && /^(?:\d|1[0-5])$/.test(fg)) classes.push(`c${Number(fg) % 8}`);
  return classes.length > 0 && text.trim() !== ''
    ? `<span class="${classes.join(' ')}">${text}</span>`
    : text;
}

function textOf(token: Partial<AnsiToken> | null): string {
  return typeof token?.text === 'string' ? token.text : '';
}

const TODO_STATES: Readonly<Record<string, string>> = {
  pending: 'open',
  in_progress: 'in progress',
  completed: 'done',
  cancelled: 'cancelled',
  blocked: 'blocked',
};

function todosHtml(todos: readonly ({ description?: unknown; status?: unknown } | null)[]): string {
  const items = todos.map((todo) => {
    const status = Object.hasOwn(TODO_STATES, String(todo?.status)) ? String(todo?.status) : 'pending';
    const text = escapeHtml(String(todo?.description ?? ''));
    return `<li class="${status}"><span class="unseen">${TODO_STATES[status]}: </span>${text}</li>`;
  });
  return `<ul class="todos">\n${items.join('\n')}\n</ul>\n`;
}

function matchLine(match: Partial<GrepDisplay['matches'][number]> | null): string {
  return `${match?.filePath}:${match?.lineNumber}: ${match?.line}`;
}

function listHtml(summary: unknown, lines: readonly unknown[]): string {
  const head = typeof summary === 'string' && summary !== '' ? `<p>${escapeHtml(summary)}</p>\n` : '';
  return head + outputHtml(lines.map((line) => String(line ?? '')).join('\n'));
}
