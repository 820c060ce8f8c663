/** Experimental context manager: keeps the conversation within a budget by shortening single parts of its graph. */
import type { Message, Part } from '../../protocol/messages.js';
import { ArchivingManager } from '../archive/archiving-manager.js';
import type { CompressionOutcome, CompressionRequest, CompressionTrigger } from '../compression/compress.js';
import { eventsOf, LazyCompression } from '../compression/lazy-compression.js';
import type {
  CompressInput,
  CompressResult,
  ContextEvent,
  ContextManagerOptions,
  ContextService,
  Prepared,
  PrepareInput,
} from '../context-service.js';
import { ContextGraphBuilder } from '../graph/build.js';
import type { ContextGraph, ContextNode } from '../graph/context-graph.js';
import { lowerGraph } from '../graph/lower.js';
import { OutputStore } from '../output-store.js';
import { overflowOf } from '../size/overflow.js';
import { RequestMeter } from '../size/request-size.js';
import { agedUntil, cutNear } from './age.js';
import { BlobDegradationProcessor } from './blob-degradation.js';
import { NodeDistillationProcessor } from './distillation.js';
import { ToolMaskingProcessor } from './masking.js';
import { type NodeProcessor, runProcessors } from './processor.js';
import { type ContextLimits, type ContextProfile, type ContextProfileName, profileOf } from './profiles.js';
import { RollingSummaryProcessor } from './rolling-summary.js';
import { NodeTruncationProcessor } from './truncation.js';

const SNAPSHOT_ALIAS = 'context-snapshotter';
/** A profile may ask for more than the model's window holds. */
const MAX_WINDOW_SHARE = 0.9;
/** How much the conversation must grow before the next try, as a share of the budget. */
const PAUSE_SHARE = 0.1;

export function createGraphManager(
  options: ContextManagerOptions,
  profile: ContextProfileName,
  limits: ContextLimits,
): GraphContextManager {
  return new GraphContextManager(options, profileOf(profile, limits));
}

export class GraphContextManager extends ArchivingManager implements ContextService {
  private readonly store: OutputStore;
  private readonly meter: RequestMeter;
  private readonly compression: LazyCompression;
  private readonly builder = new ContextGraphBuilder();
  /** Nodes that replace others, by their part: messages do not contain this, and the graph is rebuilt from messages. */
  private readonly lineage = new WeakMap<Part, ContextNode>();
  private readonly rolling: RollingSummaryProcessor;
  private readonly onNewMessage: readonly NodeProcessor[];
  private readonly aboveRetained: readonly NodeProcessor[];
  private latest: PrepareInput | undefined;
  /** No snapshot below this size, after one failed or was undone. */
  private pausedUntil = 0;

  constructor(
    private readonly options: ContextManagerOptions,
    private readonly profile: ContextProfile,
  ) {
    super(options);
    const { estimator, utility } = options;
    const store = new OutputStore(options);
    const { onNewMessage: early, aboveRetained: late } = profile;
    const distil = (above: number, agedOnly: boolean) =>
      new NodeDistillationProcessor({ above, agedOnly }, utility, estimator, store);
    this.store = store;
    this.meter = new RequestMeter(options);
    this.compression = new LazyCompression(options, this.store);
    this.onNewMessage = [
      new ToolMaskingProcessor(early.maskAbove, estimator, store),
      new BlobDegradationProcessor(),
      distil(early.distillAbove, false),
    ];
    this.aboveRetained = [
      distil(late.distillAbove, true),
      new NodeTruncationProcessor(late.truncateAbove, profile.headShare, estimator, store),
    ];
    this.rolling = new RollingSummaryProcessor((history, keepFrom, signal) =>
      this.snapshot(history, keepFrom, 'auto', signal),
    );
  }

  protected async fit(input: PrepareInput): Promise<Prepared> {
    this.latest = input;
    const events: ContextEvent[] = [];
    const window = this.options.contextWindow(input.model);
    const maxTokens = Math.min(this.profile.maxTokens, window * MAX_WINDOW_SHARE);
    let history = this.takeRollingSummary(input.history, events);
    history = await this.runOn(history, this.onNewMessage, input);
    let size = this.meter.measure(history, input.overheadTokens, input.message);
    if (size.historyTokens > this.retainedTokens(window)) {
      history = await this.runOn(history, this.aboveRetained, input);
      size = this.meter.measure(history, input.overheadTokens, input.message);
    }
    if (this.wasUncompressed) this.pause(size.historyTokens);
    const total = size.historyTokens + size.messageTokens;
    if (total > window || (total > maxTokens && size.historyTokens >= this.pausedUntil)) {
      const { historyTokens, messageTokens } = size;
      this.options.trace?.waitsForCompression({ historyTokens, messageTokens, maxTokens, window });
      history = await this.snapshotNow(history, input, events);
      if (this.meter.measure(history, input.overheadTokens).historyTokens >= size.historyTokens) {
        this.pause(size.historyTokens);
      }
      size = this.meter.measure(history, input.overheadTokens, input.message);
    } else if (size.historyTokens >= this.pausedUntil) {
      this.collectInBackground(history, size.historyTokens, window);
    }
    const overflow = overflowOf(size, window);
    return { history, events, ...(overflow && { overflow }) };
  }

  learn(promptTokens: number): void {
    this.meter.learn(promptTokens);
  }

  async compress(input: CompressInput): Promise<CompressResult> {
    const { history, signal, trigger = 'manual' } = input;
    this.pausedUntil = 0;
    this.latest = { ...input, message: { role: 'user', origin: 'prompt', parts: [] } };
    const more = { focus: input.focus, wasRefused: trigger === 'auto' };
    const outcome = await this.snapshot(history, undefined, trigger, signal, more);
    this.remember(history, outcome.history, outcome);
    // The next count of the server will be for this history.
    this.meter.measure(outcome.history, input.overheadTokens);
    const { status, originalTokens, newTokens } = outcome;
    return {
      history: outcome.history,
      events: eventsOf(outcome, trigger),
      status,
      originalTokens,
      newTokens,
    };
  }

  dispose(): void {
    this.rolling.dispose();
  }

  /** Resolves when no background work is running. */
  settled(): Promise<void> {
    return this.rolling.settled();
  }

  /** The graph of the history, with the nodes that its nodes replaced. */
  graphOf(history: readonly Message[]): ContextGraph {
    const { turns } = this.builder.build(history);
    return {
      turns: turns.map((turn) => {
        if (!turn.nodes.some(({ payload }) => this.lineage.has(payload))) return turn;
        return { ...turn, nodes: turn.nodes.map((node) => this.withLineage(node)) };
      }),
    };
  }

  private pause(historyTokens: number): void {
    this.wasUncompressed = false;
    this.pausedUntil = historyTokens + this.profile.maxTokens * PAUSE_SHARE;
  }

  private withLineage(node: ContextNode): ContextNode {
    const known = this.lineage.get(node.payload);
    return known ? { ...known, turnId: node.turnId } : node;
  }

  private async runOn(
    history: readonly Message[],
    processors: readonly NodeProcessor[],
    { signal, promptId, model }: PrepareInput,
  ): Promise<readonly Message[]> {
    const before = this.graphOf(history);
    const aged = agedUntil(
      before.turns.map(({ message }) => message),
      this.retainedTokens(this.options.contextWindow(model)),
      this.options.estimator,
    );
    const after = await runProcessors(before, processors, aged, { signal, promptId, model });
    if (after === before) return history;
    for (const [index, turn] of after.turns.entries()) {
      const old = before.turns[index];
      if (!old || turn === old) continue;
      this.archive.add([old]);
      for (const node of turn.nodes) if (node.replacesId !== undefined) this.lineage.set(node.payload, node);
    }
    return lowerGraph(after);
  }

  private takeRollingSummary(history: readonly Message[], events: ContextEvent[]): readonly Message[] {
    const taken = this.rolling.take(history);
    if (!taken) return history;
    this.remember(history, taken.history, taken.outcome, 'ROLLING_SUMMARY');
    events.push(...eventsOf(taken.outcome, 'auto'));
    return taken.history;
  }

  private async snapshotNow(
    history: readonly Message[],
    { model, signal }: PrepareInput,
    events: ContextEvent[],
  ): Promise<readonly Message[]> {
    const keepFrom = this.cutOf(history, this.options.contextWindow(model));
    const outcome = await this.snapshot(history, keepFrom || undefined, 'auto', signal);
    this.remember(history, outcome.history, outcome);
    events.push(...eventsOf(outcome, 'auto'));
    return outcome.history;
  }

  private collectInBackground(history: readonly Message[], historyTokens: number, window: number): void {
    const { normalizedTokens = 0, coalescingTokens } = this.profile;
    if (this.rolling.isRunning || historyTokens <= Math.max(normalizedTokens, this.retainedTokens(window)))
      return;
    const keepFrom = this.cutOf(history, window);
    const isSummary = ({ origin }: Message) =>
      origin === 'summary' || origin === 'reminder' || origin === 'context';
    const old = history.slice(0, keepFrom).filter((message) => !isSummary(message));
    if (this.options.estimator.messages(old) >= coalescingTokens) this.rolling.start(history, keepFrom);
  }

  private cutOf(history: readonly Message[], window: number): number {
    return cutNear(history, agedUntil(history, this.retainedTokens(window), this.options.estimator));
  }

  private retainedTokens(window: number): number {
    return Math.min(this.profile.retainedTokens, window / 2);
  }

  private snapshot(
    history: readonly Message[],
    keepFrom: number | undefined,
    trigger: CompressionTrigger,
    signal: AbortSignal,
    more: Pick<CompressionRequest, 'focus' | 'wasRefused'> = {},
  ): Promise<CompressionOutcome> {
    const { model = '', promptId = '', overheadTokens = 0 } = this.latest ?? {};
    const originalTokens = Math.round(this.options.estimator.messages(history) + overheadTokens);
    const maxSnapshotTokens = this.profile.snapshotTokens;
    const alias = SNAPSHOT_ALIAS;
    return this.compression.compress(
      {
        history,
        model,
        promptId,
        trigger,
        originalTokens,
        overheadTokens,
        ...more,
        alias,
        maxSnapshotTokens,
        keepFrom,
      },
      signal,
    );
  }

  private remember(
    before: readonly Message[],
    after: readonly Message[],
    outcome: CompressionOutcome,
    type: 'SNAPSHOT' | 'ROLLING_SUMMARY' = 'SNAPSHOT',
  ): void {
    if (outcome.status !== 'COMPRESSED') return;
    const { originalTokens, newTokens } = outcome;
    const turns = outcome.summarised.length;
    this.options.trace?.removed({
      turns,
      originalTokens,
      newTokens,
      retainedTokens: this.profile.retainedTokens,
    });
    const summarised = new Set(outcome.summarised.map(({ message }) => message));
    const abstractsIds = this.graphOf(before).turns.flatMap(({ message, nodes }) =>
      summarised.has(message) ? nodes.map(({ id }) => id) : [],
    );
    this.archive.add(outcome.summarised);
    this.levels.push(before, after);
    const summary = after.find(({ origin }) => origin === 'summary');
    const node =
      summary && this.builder.build(after).turns.find(({ message }) => message === summary)?.nodes[0];
    if (node) this.lineage.set(node.payload, { ...node, type, abstractsIds });
  }
}
