/** Chooses the model for a prompt: the first strategy with an answer decides. */
import { messageOf } from '../../base/errors.js';
import { createLog } from '../../platform/log.js';
import type { OnModelNote } from '../model-note.js';
import type { RoutingContext, RoutingDecision, RoutingStrategy } from './strategy.js';

const log = createLog('routing');

export class ModelRouter {
  /** @param strategies in order; the last one must always answer */
  constructor(
    private readonly strategies: readonly RoutingStrategy[],
    private readonly now: () => number,
    private readonly onNote?: OnModelNote,
  ) {}

  async route(context: RoutingContext): Promise<RoutingDecision> {
    const started = this.now();
    for (const strategy of this.strategies) {
      const choice = await this.ask(strategy, context, started);
      if (!choice) continue;
      const decision = { ...choice, source: strategy.source, latencyMs: this.now() - started };
      log.debug('model chosen', decision);
      return decision;
    }
    throw new Error('no routing strategy had an answer');
  }

  /** A failing strategy is skipped, so that the user still gets an answer. */
  private async ask(strategy: RoutingStrategy, context: RoutingContext, started: number) {
    try {
      return await strategy.route(context);
    } catch (error) {
      log.debug(`${strategy.source} failed`, messageOf(error));
      if (context.signal.aborted) return undefined;
      this.onNote?.({
        type: 'routing_failed',
        model: context.requestedModel,
        source: strategy.source,
        message: messageOf(error),
        latencyMs: this.now() - started,
        approvalMode: context.approvalMode,
      });
      return undefined;
    }
  }
}
