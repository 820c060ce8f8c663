/** The state of the whole screen. Only the reducer changes it; components select narrow parts. */
import type { ApprovalMode, ConfirmationView, Todo } from '@gemini-cli/core';
import type { DialogName } from '../../commands/dialog-name.js';
import type { HistoryItem, HistoryItemWithoutId } from '../../history/item.js';

export type StreamingState = 'idle' | 'responding' | 'waiting_for_confirmation';

export interface OpenConfirmation {
  correlationId: string;
  digest?: string;
  callId?: string;
  toolName: string;
  serverName?: string;
  subagent?: string;
  /** The tool call as the policy judges it. */
  args?: Record<string, unknown>;
  details: ConfirmationView;
  /** A tool's question over the message bus: it wants answers, not permission for a call. */
  isPlainQuestion?: boolean;
}

export interface OpenDialog {
  name: DialogName;
  props: Record<string, unknown>;
  /** Opened by the program, not by a command of the user. */
  isUnbidden?: boolean;
  /** Called with the dialog's result. */
  onClose?: (result: unknown) => void;
}

export interface Toast {
  text: string;
  tone: 'info' | 'warning' | 'error';
}

/** Facts for the footer and the status rows, as far as they are known. */
export interface SessionFacts {
  cwd: string;
  branch?: string;
  sandbox: string;
  model: string;
  auth?: string;
  account?: string;
  tier?: string;
  sessionId: string;
  contextFiles: number;
  contextFileName: string;
  /** `GEMINI_SYSTEM_MD` is in use. */
  hasOwnPrompt?: boolean;
  skills: number;
  mcpServers: number;
  mcpBlocked?: number;
  /** Their names, one per line: commands are loaded again when they change. */
  mcpPrompts?: string;
  /** The editor that is connected. */
  editor?: string;
  /** Names of the files that are open there. */
  openFiles?: readonly string[];
  backgroundTasks: number;
  trusted: boolean;
  /** Tokens that the model can read; known after its first answer. */
  contextWindow?: number;
  /** Of the model; absent when the service does not report it. */
  quotaUsedPercent?: number;
  /** `--debug`. */
  isDebug?: boolean;
}

/** A failed request that is made again. */
export interface Retry {
  /** `Server error 503`. */
  what: string;
  /** `2/10`, the try to come; empty: none is counted. */
  count: string;
  /** When the next try begins. */
  endsAt: number;
  /** All that is known about the failure. */
  details: string;
}

/** A hook that runs now: number `index` of `total` for its event. */
export interface RunningHook {
  id: string;
  name: string;
  index: number;
  total: number;
}

export interface UiState {
  columns: number;
  rows: number;
  /** True once the engine is up and messages can be sent. */
  isReady: boolean;
  /** Settled items, newest last; only the newest are kept. */
  history: readonly HistoryItem[];
  /** The number of the newest item so far; numbers are not used twice. */
  lastId: number;
  /** Counts prompts that returned to the input: what is on the screen of them goes. */
  withdrawCount: number;
  /** Counts how often the history was cleared, so that drawings of an earlier one are dropped. */
  clearCount: number;
  /** Counts how often the user asked to erase the scrollback as well. */
  wipeCount: number;
  /** Items that still change, drawn below the settled ones. */
  pending: readonly HistoryItemWithoutId[];
  streaming: StreamingState;
  /** When the running request began. */
  startedAt: number;
  thought: string | undefined;
  retry: Retry | undefined;
  hooks: readonly RunningHook[];
  confirmation: OpenConfirmation | undefined;
  /** The question belongs to no request, as that of a sign-in: after the answer the session is idle again. */
  isAskedIdle: boolean;
  dialog: OpenDialog | undefined;
  queue: readonly string[];
  todos: readonly Todo[];
  toast: Toast | undefined;
  /** Why the last key did not answer the open question. */
  answerHint: readonly string[] | undefined;
  /** Shown above the input until the next prompt. */
  notices: readonly string[];
  approvalMode: ApprovalMode;
  isShellMode: boolean;
  isExpanded: boolean;
  isRawMarkdown: boolean;
  isMinimal: boolean;
  showShortcuts: boolean;
  showOpenFiles: boolean;
  showTodos: boolean;
  showTasks: boolean;
  /** A command of the user or the model runs and can get the keyboard. */
  isShellRunning: boolean;
  /** Keys go to the running command. */
  isShellFocused: boolean;
  /** A running command waits for input. */
  isShellWaiting: boolean;
  isCopyMode: boolean;
  /** Lines scrolled up; alternate buffer only. */
  scrollOffset: number;
  vimMode: 'NORMAL' | 'INSERT' | 'VISUAL' | undefined;
  errorCount: number;
  tokens: { prompt: number; total: number };
  linesChanged: { added: number; removed: number };
  facts: SessionFacts;
}

export const NO_COMMAND = { isShellRunning: false, isShellFocused: false, isShellWaiting: false };

export function initialState(facts: SessionFacts, approvalMode: ApprovalMode): UiState {
  return {
    columns: 80,
    rows: 24,
    isReady: false,
    history: [],
    lastId: 0,
    withdrawCount: 0,
    clearCount: 0,
    wipeCount: 0,
    pending: [],
    streaming: 'idle',
    startedAt: 0,
    thought: undefined,
    retry: undefined,
    hooks: [],
    confirmation: undefined,
    isAskedIdle: false,
    dialog: undefined,
    queue: [],
    todos: [],
    toast: undefined,
    answerHint: undefined,
    notices: [],
    approvalMode,
    isShellMode: false,
    isExpanded: false,
    isRawMarkdown: false,
    isMinimal: false,
    showShortcuts: false,
    showOpenFiles: false,
    showTodos: false,
    showTasks: false,
    ...NO_COMMAND,
    isCopyMode: false,
    scrollOffset: 0,
    vimMode: undefined,
    errorCount: 0,
    tokens: { prompt: 0, total: 0 },
    linesChanged: { added: 0, removed: 0 },
    facts,
  };
}
