/** A recorded conversation: the lines of a session file, and the whole as it is loaded. */
import type { MessageOrigin, Part } from './messages.js';
import type { ToolCallStatus } from './tool-calls.js';
import type { ToolResultDisplay } from './tool-display.js';

/** The record format version that we write. */
export const SESSION_FORMAT_VERSION = 1;

export type SessionKind = 'main' | 'subagent';

export interface MemoryScratchpad {
  version: 1;
  workflowSummary?: string;
  toolSequence?: string[];
  touchedPaths?: string[];
  validationStatus?: 'passed' | 'failed' | 'unknown';
}

/** The first line of a file; later `$set` lines change single fields. */
export interface SessionMetadata {
  sessionId: string;
  /** SHA-256 of the project's root. */
  projectHash: string;
  /** ISO times. */
  startTime: string;
  lastUpdated: string;
  kind: SessionKind;
  /** Of a sub-agent: its name, and the session and call that started it. */
  agentName?: string;
  parentSessionId?: string;
  parentCallId?: string;
  formatVersion?: number;
  /** Added to the workspace by the user. */
  directories?: string[];
  /** One line: what the user wanted, or the name the user gave. */
  summary?: string;
  memoryScratchpad?: MemoryScratchpad | string;
}

/** Written after every message, so that a listing needs to read only the end of the file. */
export interface SessionCounts {
  messageCount: number;
  userMessageCount: number;
  /** Shortened in the file. */
  firstUserMessage?: string;
  hasUserOrAssistantMessage: boolean;
}

export type MessageType = 'user' | 'gemini' | 'info' | 'error' | 'warning';

export interface RecordedThought {
  subject: string;
  description: string;
  timestamp: string;
}

export interface RecordedTokens {
  input: number;
  output: number;
  cached: number;
  thoughts?: number;
  tool?: number;
  total: number;
}

export interface ToolCallRecord {
  id: string;
  name: string;
  args: Record<string, unknown>;
  /** The response to the model; absent or null before there is one. */
  result?: Part[] | null;
  status: ToolCallStatus;
  timestamp: string;
  agentId?: string;
  displayName?: string;
  description?: string;
  resultDisplay?: ToolResultDisplay;
  renderOutputAsMarkdown?: boolean;
  /** Opaque thought signature that came with the call. */
  thoughtSignature?: string;
  /** Position among the parts of the answer, if not after all others. */
  partIndex?: number;
}

export interface MessageRecord {
  id: string;
  timestamp: string;
  /** Newer versions may have more types; those are kept and shown, not sent. */
  type: MessageType | (string & {});
  content: string | Part | Part[];
  /** What the user typed, when it differs. */
  displayContent?: string | Part[];
  toolCalls?: ToolCallRecord[];
  thoughts?: RecordedThought[];
  tokens?: RecordedTokens | null;
  model?: string;
  /** Set where `type` does not say it: summaries, corrections, reminders. */
  origin?: MessageOrigin;
  /** Shown, but not part of the conversation with the model: the request failed. */
  notSent?: boolean;
}

/** A session as loaded. */
export interface ConversationRecord extends SessionMetadata, SessionCounts {
  messages: MessageRecord[];
  /** Messages came after the scratchpad was written; undefined without one. */
  memoryScratchpadIsStale?: boolean;
  /** Number of older messages that were not read because only the end was requested. */
  omittedMessages?: number;
  /** Transcripts of the sub-agents that worked for it, oldest first; only if they were asked for. */
  agents?: ConversationRecord[];
  /** Lines of unknown kinds, unchanged. */
  unknownRecords?: unknown[];
  /** Problems to report: a torn line, skipped lines, records of a newer version. */
  problems?: string[];
}
