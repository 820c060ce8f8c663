/** What keeps the conversation within the model's window. Contract of both managers. */
import type { UtilityModel } from '../model/utility/utility-model.js';
import type { AgentEventBody, CompressionStatus } from '../protocol/agent-events.js';
import type { Message } from '../protocol/messages.js';
import type { ArchivedTurn } from './archive/turn-archive.js';
import type { CompressionTrigger } from './compression/compress.js';
import type { MaskingReport, MaskingSettings } from './masking/tool-output-mask.js';
import type { OutputStorePorts } from './output-store.js';
import type { TokenEstimator } from './size/token-estimate.js';

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
  /** Rules, plan, open todos, active skills: said again word for word after a summary. */
  reminders(): Promise<string[]>;
  beforeCompress?(trigger: CompressionTrigger): Promise<void>;
  /** The server's count; asked only for requests with media, when it matters. */
  countTokens?(messages: readonly Message[], model: string, signal: AbortSignal): Promise<number>;
  onMasked?(report: MaskingReport): void;
  /** What is compressed can be read again from the session's file. */
  isRecorded?: () => boolean;
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
  /** The very same array when nothing had to be done. */
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
  /** `auto`: it is not the user who asks, but the server found the conversation too long. Told to `beforeCompress`. */
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
  /** Before each request. Never throws for lack of a summary; throws when cancelled. */
  prepare(input: PrepareInput): Promise<Prepared>;
  /** After each answer: the server's count of the request prepared last. */
  learn(promptTokens: number): void;
  /** `/compress`. */
  compress(input: CompressInput): Promise<CompressResult>;
  /** `/uncompress`: the full history before the last compression and what came since. */
  uncompress(history: readonly Message[]): readonly Message[] | undefined;
  /** The same where only the recording still has it: `recorded` in place of `history`. */
  uncompressTo(recorded: readonly Message[], history: readonly Message[]): readonly Message[];
  /** Another conversation begins (`/clear`). */
  reset(): void;
  /** Something left the conversation and can be recalled. */
  hasArchive(): boolean;
  /** Takes the id or an unambiguous beginning of it. */
  recall(turnId: string): Message | undefined;
  listTurns(): ArchivedTurn[];
  /** After resuming a compressed session: the full history it was made from. */
  archiveHistory(history: readonly Message[]): void;
  /** Ends work that goes on in the background. */
  dispose?(): void;
}
