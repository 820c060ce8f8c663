/** The interface of both context managers, which keep the conversation within the model's context window. */
import type { UtilityModel } from '../model/utility/utility-model.js';
import type { AgentEventBody, CompressionStatus } from '../protocol/agent-events.js';
import type { Message } from '../protocol/messages.js';
import type { ArchivedTurn } from './archive/turn-archive.js';
import type { CompressionTrigger } from './compression/compress.js';
import type { MaskingReport, MaskingSettings } from './masking/tool-output-mask.js';
import type { OutputStorePorts } from './output-store.js';
import type { TokenEstimator } from './size/token-estimate.js';
import type { ContextTrace } from './trace/context-trace.js';

export type ContextEvent = Extract<AgentEventBody, { type: 'chat_compressed' | 'warning' }>;

export interface ContextManagerOptions extends OutputStorePorts {
  utility: UtilityModel;
  estimator: TokenEstimator;
  contextWindow(model: string): number;
  settings: {
    /** Share of the window at which the conversation is compressed. */
    compressionThreshold: number;
    masking: MaskingSettings;
  };
  /** Rules, plan, open todos and active skills, repeated word for word after a summary. */
  reminders(): Promise<string[]>;
  beforeCompress?(trigger: CompressionTrigger): Promise<void>;
  /** Asks the server; used only for requests with media near a limit. */
  countTokens?(messages: readonly Message[], model: string, signal: AbortSignal): Promise<number>;
  onMasked?(report: MaskingReport): void;
  /** True: compressed turns can be read from the session file. */
  isRecorded?: () => boolean;
  /** Absent: nothing is traced. */
  trace?: ContextTrace | undefined;
}

export interface PrepareInput {
  /** Without `message`. */
  history: readonly Message[];
  /** What is about to be sent. */
  message: Message;
  model: string;
  /** System prompt and tool declarations. */
  overheadTokens: number;
  promptId: string;
  signal: AbortSignal;
}

export interface Prepared {
  /** The same array when nothing changed. */
  history: readonly Message[];
  events: ContextEvent[];
  /** The message does not fit and must not be sent. */
  overflow?: { estimatedRequestTokenCount: number; remainingTokenCount: number };
}

export interface CompressInput {
  history: readonly Message[];
  model: string;
  overheadTokens: number;
  promptId: string;
  signal: AbortSignal;
  /** What the user wants kept above all. */
  focus?: string;
  /** `auto`: the server refused the conversation as too long; the user did not ask. Passed to `beforeCompress`. */
  trigger?: CompressionTrigger;
}

export interface CompressResult {
  history: readonly Message[];
  events: ContextEvent[];
  status: CompressionStatus;
  originalTokens: number;
  newTokens: number;
}

export interface ContextService {
  /** Called before each request. Throws only when cancelled. */
  prepare(input: PrepareInput): Promise<Prepared>;
  /** Called after each answer with the server's count of the last prepared request. */
  learn(promptTokens: number): void;
  /** `/compress`. */
  compress(input: CompressInput): Promise<CompressResult>;
  /** `/uncompress`: the full history before the last compression and what followed. */
  uncompress(history: readonly Message[]): readonly Message[] | undefined;
  /** The same when only the session file has the full history: `recorded` replaces `history`. */
  uncompressTo(recorded: readonly Message[], history: readonly Message[]): readonly Message[];
  /** A new conversation begins (`/clear`). */
  reset(): void;
  /** Whether there are removed turns to recall. */
  hasArchive(): boolean;
  /** Takes the id or an unambiguous beginning of it. */
  recall(turnId: string): Message | undefined;
  listTurns(): ArchivedTurn[];
  /** Called after resuming a compressed session, with its full history. */
  archiveHistory(history: readonly Message[]): void;
  /** Stops background work. */
  dispose?(): void;
}
