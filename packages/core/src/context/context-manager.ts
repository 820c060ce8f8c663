/** Keeps the conversation within the model's context window by compression and masking. */
import type { Message } from '../protocol/messages.js';
import { ArchivingManager } from './archive/archiving-manager.js';
import type { CompressionOutcome, CompressionTrigger } from './compression/compress.js';
import { eventsOf, LazyCompression } from './compression/lazy-compression.js';
import type {
  CompressInput,
  CompressResult,
  ContextEvent,
  ContextManagerOptions,
  ContextService,
  Prepared,
  PrepareInput,
} from './context-service.js';
import { maskToolOutputs } from './masking/tool-output-mask.js';
import { OutputStore } from './output-store.js';
import { overflowOf } from './size/overflow.js';
import { RequestMeter } from './size/request-size.js';
import { isCertainlyShorter } from './size/short-history.js';

/** How much the conversation grows, as a share of the window, before the next try after one that failed or was undone. */
const PAUSE_SHARE = 0.05;

export class ContextManager extends ArchivingManager implements ContextService {
  private readonly store: OutputStore;
  private readonly meter: RequestMeter;
  private readonly compression: LazyCompression;
  /** The last summary was longer than the turns it replaced. */
  private onlyTruncate = false;
  /** No automatic compression below this size. */
  private pausedUntil = 0;

  constructor(private readonly options: ContextManagerOptions) {
    super(options);
    this.store = new OutputStore(options);
    this.meter = new RequestMeter(options);
    this.compression = new LazyCompression(options, this.store);
  }

  protected async fit(input: PrepareInput): Promise<Prepared> {
    const { message, model, overheadTokens } = input;
    const { compressionThreshold, masking } = this.options.settings;
    const window = this.options.contextWindow(model);
    const events: ContextEvent[] = [];
    let { history } = input;
    if (!this.wasUncompressed && this.isFarFromLimits(input, window)) {
      this.meter.skip();
      return { history, events };
    }
    let size = this.meter.measure(history, overheadTokens, message);
    size = await this.meter.recount(size, input, window);
    if (this.wasUncompressed) this.pause(size.historyTokens, window);
    const overflows = () => size.historyTokens + size.messageTokens > window;
    const isLong = () => size.historyTokens >= compressionThreshold * window;
    const isDue = isLong() && size.historyTokens >= this.pausedUntil;
    if (isDue || overflows()) {
      const { historyTokens, messageTokens } = size;
      this.options.trace?.waitsForCompression({ historyTokens, messageTokens, compressionThreshold, window });
      const result = await this.run({ ...input, originalTokens: size.historyTokens }, 'auto');
      events.push(...result.events);
      history = result.history;
      if (result.status !== 'COMPRESSED') this.pause(size.historyTokens, window);
      size = { ...this.meter.measure(history, overheadTokens, message), messageTokens: size.messageTokens };
      // Otherwise a history that stays long would be summarised at every turn.
      if (result.status === 'COMPRESSED' && isLong()) this.pause(size.historyTokens, window);
    }
    if (size.maskableTokens >= masking.protectionThresholdTokens + masking.minPrunableThresholdTokens) {
      history = this.mask(history, message);
      size = { ...this.meter.measure(history, overheadTokens, message), messageTokens: size.messageTokens };
    }
    const overflow = overflowOf(size, window);
    return { history, events, ...(overflow && { overflow }) };
  }

  learn(promptTokens: number): void {
    this.meter.learn(promptTokens);
  }

  /** Neither compression nor masking nor an overflow is near. */
  private isFarFromLimits({ history, message, overheadTokens }: PrepareInput, window: number): boolean {
    const { compressionThreshold, masking } = this.options.settings;
    const limit = Math.min(compressionThreshold * window, masking.protectionThresholdTokens);
    return isCertainlyShorter(limit, overheadTokens, history, message);
  }

  async compress(input: CompressInput): Promise<CompressResult> {
    const { historyTokens } = this.meter.measure(input.history, input.overheadTokens);
    this.onlyTruncate = false;
    this.pausedUntil = 0;
    const { trigger = 'manual' } = input;
    const request = { ...input, originalTokens: historyTokens, wasRefused: trigger === 'auto' };
    const result = await this.run(request, trigger);
    // The next count of the server will be for this history.
    this.meter.measure(result.history, input.overheadTokens);
    return result;
  }

  private async run(
    input: CompressInput & { originalTokens: number; wasRefused?: boolean },
    trigger: CompressionTrigger,
  ): Promise<CompressResult> {
    const { history, signal, originalTokens, ...rest } = input;
    const request = {
      ...rest,
      history,
      trigger,
      originalTokens: Math.round(originalTokens),
      onlyTruncate: this.onlyTruncate,
    };
    const outcome = await this.compression.compress(request, signal);
    this.remember(history, outcome);
    const { status, newTokens } = outcome;
    const events = eventsOf(outcome, trigger);
    return { history: outcome.history, events, status, originalTokens: outcome.originalTokens, newTokens };
  }

  private remember(before: readonly Message[], outcome: CompressionOutcome): void {
    if (outcome.status === 'COMPRESSION_FAILED_INFLATED_TOKEN_COUNT') this.onlyTruncate = true;
    if (outcome.status !== 'COMPRESSED') return;
    const { originalTokens, newTokens, summarised } = outcome;
    this.options.trace?.removed({ turns: summarised.length, originalTokens, newTokens });
    this.pausedUntil = 0;
    this.archive.add(summarised);
    this.levels.push(before, outcome.history);
  }

  private pause(historyTokens: number, window: number): void {
    this.wasUncompressed = false;
    this.pausedUntil = historyTokens + window * PAUSE_SHARE;
  }

  private mask(history: readonly Message[], message: Message): readonly Message[] {
    const { settings, estimator } = this.options;
    const isPending = message.origin === 'tool_response';
    const result = maskToolOutputs(history, isPending, settings.masking, estimator, this.store);
    if (!result) return history;
    this.options.onMasked?.(result.report);
    return result.history;
  }
}
