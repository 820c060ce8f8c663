/** The items of the conversation history, as data. `ui/history/lines.ts` draws them. */
import type {
  AnsiOutput,
  NetDiff,
  SessionMetrics,
  ToolCallStatus,
  ToolResultDisplay,
} from '@gemini-cli/core';

/** A tool call in the history. */
export interface ToolView {
  callId: string;
  name: string;
  displayName: string;
  description: string;
  status: ToolCallStatus;
  /** The result, or the output so far. */
  display?: ToolResultDisplay | AnsiOutput;
  /** Whether the text of `display` is Markdown. */
  isMarkdown?: boolean;
  error?: string;
  durationMs?: number;
  /** Name of the sub-agent that made the call. */
  agent?: string;
}

export interface StatsView {
  sessionId: string;
  metrics: SessionMetrics;
  wallMs: number;
  auth?: string;
  account?: string;
  tier?: string;
  /** In US dollars, if prices are known. */
  cost?: number;
  /** Dollars by sub-agent, where prices are known. */
  agentCosts?: Readonly<Record<string, number>>;
  quota?: { model: string; usedPercent: number; resetTime?: string }[];
}

/** The name that the command contract promises for session statistics. */
export type SessionStatsState = StatsView;

export interface AboutView {
  version: string;
  commit?: string;
  model: string;
  sandbox: string;
  /** How commands that run without asking are sandboxed. */
  containment?: string;
  os: string;
  auth: string;
  tier?: string;
  account?: string;
  ide?: string;
}

export interface ListRow {
  name: string;
  /** Beside the name, dim. */
  note?: string;
  /** Below it, indented; Markdown is not interpreted. */
  detail?: string;
  status?: 'success' | 'warning' | 'error';
}

export interface HelpView {
  commands: {
    /** Those of one group follow each other. */
    group?: string;
    name: string;
    altNames?: string[];
    description: string;
    subCommands?: { name: string; description: string }[];
  }[];
  keys: { keys: string; action: string }[];
}

export type HistoryItemWithoutId =
  /** `shown`: with labels in place of long pastes. */
  | { type: 'user'; text: string; shown?: string }
  | { type: 'user_shell'; text: string }
  /** `isContinued`: a later part of a long answer, drawn without a mark. */
  | { type: 'gemini'; text: string; isContinued?: boolean; model?: string }
  | { type: 'thinking'; subject: string; text: string }
  | { type: 'tool_group'; tools: readonly ToolView[] }
  | {
      type: 'info' | 'warning' | 'error' | 'hint';
      text: string;
      /** What the user can do about it. */
      advice?: string;
    }
  | {
      type: 'compression';
      isPending: boolean;
      /** Absent while pending; `NOOP` means that there was nothing to compress. */
      status?: string;
      originalTokens?: number;
      newTokens?: number;
    }
  | { type: 'model_change'; model: string; reason?: string }
  | { type: 'stats'; stats: StatsView }
  | { type: 'model_stats'; metrics: SessionMetrics }
  | { type: 'tool_stats'; metrics: SessionMetrics }
  | { type: 'about'; about: AboutView }
  | { type: 'help'; help: HelpView }
  /** Tools, MCP servers, skills, agents, chats, policies, … */
  | { type: 'list'; title: string; rows: readonly ListRow[]; empty: string }
  /** What the session changed. `isWhole`: long diffs are not cut. */
  | { type: 'diff'; files: readonly NetDiff[]; cwd: string; isWhole: boolean }
  | { type: 'markdown'; text: string }
  /** The summary at the end; without `stats` only the goodbye. */
  | { type: 'quit'; stats?: StatsView; resume?: string; notes?: readonly string[] };

export type HistoryItem = HistoryItemWithoutId & { id: number };

/** The item types by the names that commands use. Not an `enum`, so that the values are plain strings. */
export const MessageType = {
  USER: 'user',
  USER_SHELL: 'user_shell',
  GEMINI: 'gemini',
  INFO: 'info',
  WARNING: 'warning',
  ERROR: 'error',
  HINT: 'hint',
  TOOL_GROUP: 'tool_group',
  COMPRESSION: 'compression',
  STATS: 'stats',
  MODEL_STATS: 'model_stats',
  TOOL_STATS: 'tool_stats',
  ABOUT: 'about',
  HELP: 'help',
  QUIT: 'quit',
} as const satisfies Record<string, HistoryItemWithoutId['type']>;
export type MessageType = (typeof MessageType)[keyof typeof MessageType];
