/** What the history shows, as data. `ui/history/lines.ts` draws it. */
import type { AnsiOutput, SessionMetrics, ToolCallStatus, ToolResultDisplay } from '@gemini-cli/core';

/** One tool call as it is shown. */
export interface ToolView {
  callId: string;
  name: string;
  displayName: string;
  description: string;
  status: ToolCallStatus;
  /** Of the finished call, or what it has shown so far. */
  display?: ToolResultDisplay | AnsiOutput;
  /** Its text is Markdown. */
  isMarkdown?: boolean;
  error?: string;
  durationMs?: number;
  /** A sub-agent's name. */
  agent?: string;
}

export interface StatsView {
  sessionId: string;
  metrics: SessionMetrics;
  wallMs: number;
  auth?: string;
  account?: string;
  tier?: string;
  /** Money of the session, where prices are known. */
  cost?: number;
  /** Rows of quota, where known. */
  quota?: { model: string; usedPercent: number; resetTime?: string }[];
}

/** The seed documents' name for what a session has used so far. */
export type SessionStatsState = StatsView;

export interface AboutView {
  version: string;
  commit?: string;
  model: string;
  sandbox: string;
  /** Whether commands that run without a question are held. */
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
    name: string;
    altNames?: string[];
    description: string;
    subCommands?: { name: string; description: string }[];
  }[];
  keys: { keys: string; action: string }[];
}

export type HistoryItemWithoutId =
  | { type: 'user'; text: string }
  | { type: 'user_shell'; text: string }
  /** `isContinued`: a later part of one long answer; it has no mark of its own. */
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
      /** Absent while pending; `NOOP` says that there was nothing. */
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
  | { type: 'markdown'; text: string }
  /** The box at the end; without `stats` only the goodbye. */
  | { type: 'quit'; stats?: StatsView; resume?: string; notes?: readonly string[] };

export type HistoryItem = HistoryItemWithoutId & { id: number };

/** The kinds of history items by the names of the seed documents. Not an `enum`: its values are the plain words of `type`. */
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
