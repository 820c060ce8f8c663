/** Imports the compression service at first use and turns its outcome into events. */
import type { ContextEvent, ContextManagerOptions } from '../context-service.js';
import type { OutputStore } from '../output-store.js';
import type {
  ChatCompressionService,
  CompressionOutcome,
  CompressionRequest,
  CompressionTrigger,
} from './compress.js';

export class LazyCompression {
  private service: ChatCompressionService | undefined;

  constructor(
    private readonly options: ContextManagerOptions,
    private readonly store: OutputStore,
  ) {}

  async compress(request: CompressionRequest, signal: AbortSignal): Promise<CompressionOutcome> {
    // Few sessions need it.
    const { ChatCompressionService: Service } = await import('./compress.js');
    const { options, store } = this;
    this.service ??= new Service({
      utility: options.utility,
      estimator: options.estimator,
      store,
      contextWindow: (model) => options.contextWindow(model),
      reminders: () => options.reminders(),
      beforeCompress: async (trigger) => options.beforeCompress?.(trigger),
    });
    return this.service.compress(request, signal);
  }
}

export function eventsOf(outcome: CompressionOutcome, trigger: CompressionTrigger): ContextEvent[] {
  const { status, originalTokens, newTokens, problem } = outcome;
  if (problem !== undefined) {
    const message = `The conversation could not be summarised (${problem}). It continues at full length.`;
    return [{ type: 'warning', message, code: 'compression_failed', reason: problem }];
  }
  if (status === 'NOOP' && trigger === 'auto') return [];
  return [{ type: 'chat_compressed', status, originalTokens, newTokens }];
}
