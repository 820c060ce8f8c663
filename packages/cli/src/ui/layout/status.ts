/** The status rows above the input: current work, approval mode, context summary. */
import { ApprovalMode } from '@gemini-cli/core';
import type { Look } from '../look.js';
import type { Retry, RunningHook, UiState } from '../store/state.js';
import { cleanLine } from '../text/clean.js';
import { cutText } from '../text/columns.js';
import { type Span, span } from '../text/spans.js';
import { textWidth } from '../text/width.js';
import type { Style } from '../themes/style.js';
import { row } from './row.js';
import { duration } from './time.js';

export interface StatusOptions {
  now: number;
  /** Counts up while work is running. */
  tick: number;
  showSpinner: boolean;
  showShortcutsHint: boolean;
  showContextSummary: boolean;
  /** Replaces `Thinking...`. */
  witty?: string;
  /** Replaces the hint at the right. */
  tip?: string;
}

const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
/** Fewer columns of a failure's name say nothing. */
const MIN_FAILURE = 8;

export function statusLines(state: UiState, look: Look, options: StatusOptions): string[] {
  if (state.isMinimal) return state.streaming === 'idle' ? [] : [activityRow(state, look, options)];
  const { theme, paint, width, screenReader } = look;
  const rule = screenReader ? [] : [paint('─'.repeat(width), { color: theme.border.default })];
  const first = activityRow(state, look, options);
  return [...(first === '' ? [] : [first]), ...rule, ...modeRow(state, look, options)];
}

function activityRow(state: UiState, look: Look, options: StatusOptions): string {
  const { theme, screenReader } = look;
  const dim: Style = { color: theme.text.secondary };
  const hint =
    options.showShortcutsHint && look.width >= 80 && !state.isMinimal ? [span('? for shortcuts', dim)] : [];
  if (state.streaming === 'idle') {
    // Hooks also run when a session starts or ends.
    const left = state.hooks.length > 0 ? [span(` ${hooksText(state.hooks)}`, dim)] : [];
    return left.length + hint.length === 0 ? '' : row(left, hint, look);
  }
  if (state.isShellWaiting && !state.isShellFocused) {
    return row(
      [span(' Shell awaiting input (press tab to focus)', { color: theme.status.warning })],
      [],
      look,
    );
  }
  const spinner =
    options.showSpinner && !screenReader
      ? ` ${SPINNER[options.tick % SPINNER.length]} `
      : screenReader
        ? ''
        : ' ';
  const isAsking = state.streaming === 'waiting_for_confirmation';
  if (state.retry && !isAsking) {
    const text = retryText(state.retry, options.now, look.width - textWidth(spinner));
    return row(
      [span(spinner, { color: theme.text.accent }), span(text, { color: theme.text.primary })],
      [],
      look,
    );
  }
  const time = duration(options.now - state.startedAt);
  const left: Span[] = [
    span(spinner, { color: theme.text.accent }),
    span(isAsking ? 'Waiting for your answer' : workText(state, options), {
      color: theme.text.primary,
      italic: true,
    }),
    span(isAsking ? '' : ` (${[...workKeys(state, look), time].join(', ')})`, dim),
  ];
  const right = options.tip ? [span(`${options.tip} `, dim)] : hint;
  return row(left, state.isShellRunning ? [] : right, look);
}

function workText(state: UiState, { witty }: StatusOptions): string {
  if (state.isShellRunning) return 'Running command...';
  if (state.hooks.length > 0) return hooksText(state.hooks);
  const isAnswering = state.pending.at(-1)?.type === 'gemini';
  return cleanLine(state.thought ?? witty ?? (isAnswering ? 'Answering...' : 'Thinking...'));
}

/** Without a name a hook goes by its command, which may be long. */
const HOOK_NAME_WIDTH = 40;

/** `Executing Hooks: format (1/2), test (2/2)` */
function hooksText(hooks: readonly RunningHook[]): string {
  const names = hooks.map(({ name, index, total }) => {
    const place = total > 1 ? ` (${index}/${total})` : '';
    return `${cutText(cleanLine(name), HOOK_NAME_WIDTH)}${place}`;
  });
  return `Executing Hook${hooks.length > 1 ? 's' : ''}: ${names.join(', ')}`;
}

/** What Esc, Tab and Ctrl+B do now. With the keyboard at the command, all but one key are typed into it. */
function workKeys({ isShellRunning, isShellFocused }: UiState, { width }: Look): string[] {
  if (isShellFocused) return [];
  if (!isShellRunning) return ['esc to cancel'];
  const background = width >= 85 ? ['ctrl+b to background'] : [];
  return ['tab to type into it', ...background, 'esc to cancel'];
}

/**
 * `Server error 503 · retrying in 6s (2/10) · esc to cancel`; on a narrow screen the failure is cut first, then the
 * words around the countdown.
 */
function retryText({ what, count, endsAt }: Retry, now: number, width: number): string {
  const seconds = Math.max(0, Math.ceil((endsAt - now) / 1000));
  const tries = count && ` (${count})`;
  const next = seconds > 0 ? `retrying in ${seconds}s` : 'retrying';
  const rest = ` · ${next}${tries} · esc to cancel`;
  const room = width - textWidth(rest);
  if (room >= MIN_FAILURE) return `${cutText(cleanLine(what), room)}${rest}`;
  const short = seconds > 0 ? `retry in ${seconds}s` : next;
  const forms = [
    `${next}${tries} · esc to cancel`,
    `${short}${tries} · esc to cancel`,
    `${short} · esc to cancel`,
  ];
  return forms.find((form) => textWidth(form) <= width) ?? cutText(short, width);
}

function modeRow(state: UiState, look: Look, options: StatusOptions): string[] {
  const { theme } = look;
  const dim: Style = { color: theme.text.secondary };
  const left = [span(' '), ...modeSpans(state, look)];
  const summary = options.showContextSummary ? contextSummary(state) : '';
  const right = summary ? [span(`${summary} `, dim)] : [];
  if (look.width >= 80 || right.length === 0) return [row(left, right, look)];
  return [row(left, [], look), row([span(' '), ...right], [], look)];
}

function modeSpans(state: UiState, { theme }: Look): Span[] {
  const dim: Style = { color: theme.text.secondary };
  if (state.isShellFocused)
    return [span('typing into the command (shift+tab to leave)', { color: theme.status.warning })];
  if (state.isShellMode) {
    const how = state.streaming === 'idle' ? ' (esc to disable)' : '';
    return [span(`shell mode enabled${how}`, { color: theme.ui.symbol })];
  }
  if (state.isCopyMode) return [span('copy mode: any key leaves', { color: theme.status.warning })];
  if (state.isRawMarkdown) return [span('raw markdown mode', dim)];
  switch (state.approvalMode) {
    case ApprovalMode.YOLO:
      return [span('YOLO', { color: theme.status.error, bold: true }), span(' (ctrl+y to toggle)', dim)];
    case ApprovalMode.AUTO_EDIT:
      return [span('auto-accept edits', { color: theme.status.warning }), span(' (shift+tab to plan)', dim)];
    case ApprovalMode.PLAN:
      return [span('plan', { color: theme.status.success }), span(' (shift+tab to leave)', dim)];
    default:
      return [span('Shift+Tab to accept edits', dim)];
  }
}

/** Users of Gemini CLI know this sign of a system prompt of their own. */
const OWN_PROMPT = '|⌐■_■|';

/** Zero counts are omitted. */
function contextSummary({ facts }: UiState): string {
  const {
    openFiles = [],
    contextFiles,
    contextFileName,
    hasOwnPrompt,
    skills,
    mcpServers,
    mcpBlocked = 0,
    backgroundTasks,
  } = facts;
  const many = (count: number, word: string) =>
    count === 0 ? '' : `${count} ${word}${count === 1 ? '' : 's'}`;
  const tasks =
    backgroundTasks === 0
      ? ''
      : `${backgroundTasks} background process${backgroundTasks === 1 ? '' : 'es'} (ctrl+b to view)`;
  const parts = [
    hasOwnPrompt ? OWN_PROMPT : '',
    openFiles.length > 0 ? `${many(openFiles.length, 'open file')} (F4 to view)` : '',
    many(contextFiles, `${cleanLine(contextFileName)} file`),
    [many(mcpServers, 'MCP server'), mcpBlocked > 0 ? `${mcpBlocked} Blocked` : '']
      .filter(Boolean)
      .join(', '),
    many(skills, 'skill'),
    tasks,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
