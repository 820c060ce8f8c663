/** Compresses a long conversation: replaces the older part by a summary and keeps the newer part unchanged. */
import { messageOf } from '../../base/errors.js';
import type { UtilityModel } from '../../model/utility/utility-model.js';
import { createLog } from '../../platform/log.js';
import type { CompressionStatus } from '../../protocol/agent-events.js';
import type { Message } from '../../protocol/messages.js';
import { ContextGraphBuilder } from '../graph/build.js';
import type { OutputStore } from '../output-store.js';
import type { TokenEstimator } from '../size/token-estimate.js';
import { findSplit } from './compress-split.js';
import { truncateOldResponses } from './compress-truncate.js';
import { compressionAlias, writeSnapshot } from './snapshot.js';
import { promptsToRepeat, reminderMessage, summaryMessages } from './summary-messages.js';
import { fitTranscript, renderTranscript, type Turn } from './transcript.js';

const log = createLog('context');

export type CompressionTrigger = 'manual' | 'auto';

export interface CompressionPorts {
  utility: UtilityModel;
  estimator: TokenEstimator;
  store: OutputStore;
  contextWindow(model: string): number;
  /** Rules, plan, open todos and active skills, repeated word for word after a summary. */
  reminders(): Promise<string[]>;
  /** Called only when the conversation is really going to be compressed. */
  beforeCompress?(trigger: CompressionTrigger): Promise<void>;
}

export interface CompressionRequest {
  history: readonly Message[];
  model: string;
  promptId: string;
  trigger: CompressionTrigger;
  /** Tokens of the whole request before compression. */
  originalTokens: number;
  /** Tokens of system prompt and tool declarations. */
  overheadTokens: number;
  /** Do not summarise, because an earlier summary was longer than the turns it replaced. */
  onlyTruncate?: boolean;
  focus?: string;
  /** The server refused the conversation as too long, so it would also refuse the full transcript. */
  wasRefused?: boolean;
  /** Preset to use instead of the one for the model. */
  alias?: string;
  maxSnapshotTokens?: number;
  /** Index of the first message that stays. Absent: the newest 30 % stay. */
  keepFrom?: number;
}

export interface CompressionOutcome {
  status: CompressionStatus;
  /** The same array as given unless something became shorter. */
  history: readonly Message[];
  originalTokens: number;
  newTokens: number;
  /** The turns that the summary replaced. */
  summarised: readonly Turn[];
  /** Why there is no summary, for the user. */
  problem?: string;
}

/** Share of the model's window for the transcript. */
const TRANSCRIPT_SHARE = 0.8;
/** Share of a refused conversation that is sent: the real window is unknown. */
const REFUSED_SHARE = 0.5;

export class ChatCompressionService {
  private readonly graph = new ContextGraphBuilder();

  constructor(private readonly ports: CompressionPorts) {}

  /** Returns the given history on any failure. Throws only when cancelled. */
  async compress(request: CompressionRequest, signal: AbortSignal): Promise<CompressionOutcome> {
    const { history, onlyTruncate } = request;
    const start = history.findIndex(({ origin }) => origin !== 'context');
    if (start < 0) return unchanged('NOOP', request);
    const body = history.slice(start);
    const shorter = truncateOldResponses(body, this.ports.estimator, this.ports.store);
    const split = onlyTruncate ? 0 : splitOf(request, start, shorter);
    if (split === 0) {
      return shorter === body
        ? unchanged('NOOP', request)
        : this.outcome('CONTENT_TRUNCATED', request, [...history.slice(0, start), ...shorter], []);
    }
    try {
      await this.announce(request.trigger);
      return await this.summarise(request, { start, split, shorter }, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      log.warn('compression failed', messageOf(error));
      return { ...unchanged('COMPRESSION_FAILED_EMPTY_SUMMARY', request), problem: messageOf(error) };
    }
  }

  /** A failing listener does not stop the compression. */
  private async announce(trigger: CompressionTrigger): Promise<void> {
    try {
      await this.ports.beforeCompress?.(trigger);
    } catch (error) {
      log.warn('beforeCompress failed', messageOf(error));
    }
  }

  private async summarise(
    request: CompressionRequest,
    { start, split, shorter }: { start: number; split: number; shorter: readonly Message[] },
    signal: AbortSignal,
  ): Promise<CompressionOutcome> {
    const { history, model, promptId, focus, maxSnapshotTokens: maxTokens } = request;
    const turns = this.turnsOf(history).slice(start, start + split);
    const transcript = this.transcriptFor(request, turns, shorter);
    const alias = request.alias ?? compressionAlias(model);
    const snapshot = await writeSnapshot(
      this.ports.utility,
      { alias, transcript, promptId, mainModel: model, focus, maxTokens },
      signal,
    );
    if (snapshot === '') return unchanged('COMPRESSION_FAILED_EMPTY_SUMMARY', request);
    const kept = shorter.slice(split);
    const older = turns.map(({ message }) => message);
    const reminder = reminderMessage(
      await this.ports.reminders(),
      promptsToRepeat(older, kept, this.ports.estimator),
    );
    const next = [
      ...history.slice(0, start),
      ...summaryMessages(snapshot, turns),
      ...(reminder ? [reminder] : []),
      ...kept,
    ];
    const outcome = this.outcome('COMPRESSED', request, next, turns);
    if (!Number.isFinite(outcome.newTokens))
      return unchanged('COMPRESSION_FAILED_TOKEN_COUNT_ERROR', request);
    // Some servers do not count cached tokens, so the summary must be too long by the estimate, too.
    const before = Math.max(request.originalTokens, this.tokensOf(history, request));
    if (outcome.newTokens <= before) return outcome;
    return {
      ...unchanged('COMPRESSION_FAILED_INFLATED_TOKEN_COUNT', request),
      newTokens: outcome.newTokens,
    };
  }

  /** Headers of older versions have no turn in the graph, but keep their index here. */
  private turnsOf(history: readonly Message[]): Turn[] {
    const ids = new Map(this.graph.build(history).turns.map(({ id, message }) => [message, id]));
    return history.map((message) => ({ id: ids.get(message) ?? 'turn_header', message }));
  }

  /** The full texts if they fit, otherwise the shortened ones, if necessary without their middle. */
  private transcriptFor(
    request: CompressionRequest,
    turns: readonly Turn[],
    shorter: readonly Message[],
  ): string {
    const { estimator } = this.ports;
    const window = this.ports.contextWindow(request.model) * TRANSCRIPT_SHARE;
    const refused = this.tokensOf(request.history, request) * REFUSED_SHARE;
    const room = request.wasRefused ? Math.min(window, refused) : window;
    const full = renderTranscript(turns);
    if (estimator.text(full) <= room) return full;
    const short = renderTranscript(
      turns.map(({ id, message }, index) => ({ id, message: shorter[index] ?? message })),
    );
    return fitTranscript(short, room / Math.max(1, estimator.text(short)));
  }

  private outcome(
    status: CompressionStatus,
    request: CompressionRequest,
    history: readonly Message[],
    summarised: readonly Turn[],
  ): CompressionOutcome {
    const newTokens = this.tokensOf(history, request);
    return { status, history, originalTokens: request.originalTokens, newTokens, summarised };
  }

  private tokensOf(history: readonly Message[], { overheadTokens }: CompressionRequest): number {
    return Math.round(overheadTokens + this.ports.estimator.messages(history));
  }
}

function splitOf({ keepFrom }: CompressionRequest, start: number, body: readonly Message[]): number {
  return keepFrom === undefined ? findSplit(body) : Math.max(0, keepFrom - start);
}

function unchanged(
  status: CompressionStatus,
  { history, originalTokens }: CompressionRequest,
): CompressionOutcome {
  return { status, history, originalTokens, newTokens: originalTokens, summarised: [] };
}
