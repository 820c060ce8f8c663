/** The reducer: event and state in, state out. Pure, so that the screen can be tested from a list of events. */
import type { AgentEventBody, ApprovalMode } from '@gemini-cli/core';
import type { HistoryItemWithoutId } from '../../history/item.js';
import { lastTodos, onAgentEvent } from './agent-events.js';
import { settle } from './settle.js';
import {
  NO_COMMAND,
  type OpenConfirmation,
  type OpenDialog,
  type SessionFacts,
  type Toast,
  type UiState,
} from './state.js';

/** The engine's events, and events of the screen itself. */
export type UiEvent = AgentEventBody | LocalAction;

/** Keys, commands, dialogs and other events of the screen. */
type LocalAction =
  | { type: 'resized'; columns: number; rows: number }
  /** Colours have changed: everything is drawn again. */
  | { type: 'look_changed' }
  | { type: 'ready' }
  /** Work besides a request is running: a command of the user. */
  | { type: 'busy' }
  | { type: 'idle' }
  | { type: 'item_added'; item: HistoryItemWithoutId }
  | { type: 'pending_set'; item: HistoryItemWithoutId | undefined }
  | { type: 'history_loaded'; items: readonly HistoryItemWithoutId[] }
  /** The last prompt was not sent, or nothing came back for it: it returns to the input. */
  | { type: 'prompt_withdrawn' }
  /** Another conversation; the old one stays in the scrollback. */
  | { type: 'history_replaced'; items: readonly HistoryItemWithoutId[] }
  | { type: 'cleared' }
  | { type: 'facts_changed'; facts: Partial<SessionFacts> }
  | { type: 'confirmation_opened'; confirmation: OpenConfirmation }
  | { type: 'confirmation_closed' }
  | { type: 'dialog_opened'; dialog: OpenDialog }
  | { type: 'dialog_closed' }
  | { type: 'queued'; text: string }
  | { type: 'queue_taken' }
  | { type: 'toast'; toast: Toast | undefined }
  | { type: 'answer_hint'; hint: readonly string[] | undefined }
  | { type: 'approval_mode'; mode: ApprovalMode }
  | { type: 'error_counted' }
  | { type: 'switched'; what: Switch; to: boolean }
  | { type: 'toggled'; what: Switch }
  | { type: 'vim_mode'; mode: UiState['vimMode'] }
  | { type: 'scrolled'; offset: number };

export type Switch =
  | 'isShellMode'
  | 'isExpanded'
  | 'isRawMarkdown'
  | 'isMinimal'
  | 'showShortcuts'
  | 'showOpenFiles'
  | 'showTodos'
  | 'showTasks'
  | 'isShellFocused'
  | 'isShellRunning'
  | 'isShellWaiting'
  | 'isCopyMode';

/** @param now the time of the event */
export function reduce(state: UiState, event: UiEvent, now: number): UiState {
  switch (event.type) {
    case 'resized':
      return { ...state, columns: event.columns, rows: event.rows };
    case 'look_changed':
      return { ...state };
    case 'busy':
      return { ...state, streaming: 'responding', startedAt: now };
    case 'idle':
      return { ...state, streaming: 'idle', ...NO_COMMAND };
    case 'ready':
      return { ...state, isReady: true };
    case 'item_added':
      // A new prompt is new work: its own todos are shown, not those of the work before.
      return settle(event.item.type === 'user' ? { ...state, notices: [], todos: [] } : state, [event.item]);
    case 'pending_set':
      return { ...state, pending: event.item ? [event.item] : [] };
    case 'history_loaded':
      return settle(
        { ...state, history: [], lastId: 0, pending: [], todos: lastTodos(event.items) },
        event.items,
      );
    case 'prompt_withdrawn':
      return withoutLastPrompt(state);
    case 'history_replaced':
      return settle({ ...cleared(state), todos: lastTodos(event.items) }, event.items);
    case 'cleared':
      return { ...cleared(state), wipeCount: state.wipeCount + 1 };
    case 'facts_changed':
      return { ...state, facts: { ...state.facts, ...event.facts } };
    case 'confirmation_opened':
      return {
        ...state,
        confirmation: event.confirmation,
        streaming: 'waiting_for_confirmation',
        ...(state.streaming !== 'waiting_for_confirmation' && { isAskedIdle: state.streaming === 'idle' }),
      };
    case 'confirmation_closed':
      return {
        ...state,
        confirmation: undefined,
        ...(state.streaming === 'waiting_for_confirmation' && {
          streaming: state.isAskedIdle ? 'idle' : 'responding',
        }),
      };
    case 'dialog_opened':
      return { ...state, dialog: event.dialog };
    case 'dialog_closed':
      return { ...state, dialog: undefined };
    case 'queued':
      return { ...state, queue: [...state.queue, event.text] };
    case 'queue_taken':
      return { ...state, queue: [] };
    case 'answer_hint':
      return { ...state, answerHint: event.hint };
    case 'toast':
      return { ...state, toast: event.toast };
    case 'approval_mode':
      return { ...state, approvalMode: event.mode };
    case 'error_counted':
      return { ...state, errorCount: state.errorCount + 1 };
    case 'switched':
      return state[event.what] === event.to ? state : { ...state, [event.what]: event.to };
    case 'toggled':
      return { ...state, [event.what]: !state[event.what] };
    case 'vim_mode':
      return state.vimMode === event.mode ? state : { ...state, vimMode: event.mode };
    case 'scrolled':
      return { ...state, scrollOffset: Math.max(0, event.offset) };
    default:
      return onAgentEvent(state, event, now);
  }
}

function cleared(state: UiState): UiState {
  return {
    ...state,
    clearCount: state.clearCount + 1,
    history: [],
    lastId: 0,
    pending: [],
    todos: [],
    notices: [],
    scrollOffset: 0,
  };
}

const PROMPT_ITEMS: ReadonlySet<HistoryItemWithoutId['type']> = new Set(['user', 'info', 'tool_group']);

/** Attached files go with it; warnings stay. */
function withoutLastPrompt(state: UiState): UiState {
  const prompt = state.history.findLastIndex(({ type }) => type === 'user');
  if (prompt < 0) return state;
  const since = state.history.slice(prompt).filter(({ type }) => !PROMPT_ITEMS.has(type));
  return {
    ...state,
    withdrawCount: state.withdrawCount + 1,
    history: [...state.history.slice(0, prompt), ...since],
  };
}
