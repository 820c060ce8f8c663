/** Which model answers: chosen once per prompt, switched when it fails. */
import { FatalError, messageOf } from '../base/errors.js';
import type { GoogleAccount } from '../model/create.js';
import { classifyFailure, failureText } from '../model/errors/api-error.js';
import { errorClassOf } from '../model/errors/error-class.js';
import type { FallbackPlanner, Next } from '../model/fallback/fallback.js';
import type { RoutingContext, RoutingDecision } from '../model/routing/strategy.js';
import type { AgentEventBody } from '../protocol/agent-events.js';
import type { ApprovalMode } from '../protocol/confirmation.js';
import type { Message, Part } from '../protocol/messages.js';
import type { FallbackIntent } from '../protocol/questions.js';

export interface FallbackOffer {
  from: string;
  /** Absent: no other model is available. */
  to?: string;
  /** Trying the same model again may help. */
  canWait: boolean;
  reason: string;
  /** `quota`, `overloaded`, … */
  errorClass: string;
  credits?: 'usable' | 'empty';
  canUpgrade?: boolean;
}

export interface AccountProblem {
  problem: 'verification' | 'blocked';
  reason: string;
  link?: string;
}

export interface ModelChoiceOptions {
  /** The model before the first prompt is routed. */
  first: string;
  /** The model or alias the user asked for. */
  requested: () => string;
  route: (context: RoutingContext) => Promise<RoutingDecision>;
  planner: Pick<
    FallbackPlanner,
    'startPrompt' | 'attemptsFor' | 'after' | 'accept' | 'succeeded' | 'unusable' | 'reset'
  >;
  approvalMode: () => ApprovalMode;
  /** True: a plan was approved in this session. Absent: never. */
  hasApprovedPlan?: () => boolean;
  /** Sets up a model's provider; throws what it lacks, e.g. a key. */
  prepare: (model: string) => Promise<unknown>;
  /** Tells the user about fallback models that could not be set up. */
  notice?: (message: string) => void;
  /** Absent: no user can be asked. */
  ask?: (offer: FallbackOffer, signal: AbortSignal) => Promise<FallbackIntent>;
  /** Absent: no user can be asked. */
  askAboutAccount?: (problem: AccountProblem, signal: AbortSignal) => Promise<'retry' | 'stop'>;
  /** The Google account that a model is asked with; undefined: none. */
  accountOf?: (model: string) => Promise<GoogleAccount | undefined>;
}

export interface Switched {
  model: string;
  errorClass: string;
  reason: string;
}

export class ModelChoice {
  private routed: string;
  private failedTurns = 0;
  private isUnderWay = false;

  constructor(private readonly options: ModelChoiceOptions) {
    this.routed = options.first;
  }

  /** The model of the next call. Within a prompt only a failure changes it, and the user is told. */
  get model(): string {
    return this.routed;
  }

  async startPrompt(prompt: {
    parts: Part[];
    history: readonly Message[];
    promptId: string;
    signal: AbortSignal;
  }): Promise<AgentEventBody> {
    const { options } = this;
    options.planner.startPrompt();
    this.failedTurns = this.isUnderWay ? this.failedTurns + 1 : 0;
    this.isUnderWay = true;
    const { model, source, reasoning, latencyMs } = await options.route({
      ...prompt,
      requestedModel: options.requested(),
      approvalMode: options.approvalMode(),
      hasApprovedPlan: options.hasApprovedPlan?.() ?? false,
      failedTurns: this.failedTurns,
    });
    this.routed = model;
    return { type: 'model_routed', model, source, reasoning, latencyMs };
  }

  /** The prompt succeeded; failed ones are not reported here. */
  endPrompt(): void {
    this.isUnderWay = false;
  }

  /** The user chose a model by hand: earlier failures no longer count. */
  choose(model: string): void {
    this.routed = model;
    this.failedTurns = 0;
    this.isUnderWay = false;
    this.options.planner.reset();
  }

  attemptsFor(model: string): number | undefined {
    return this.options.planner.attemptsFor(model);
  }

  succeeded(model: string): void {
    this.options.planner.succeeded(model);
  }

  /** The model to continue with after a failure; models that cannot be set up are skipped. */
  async switchAfter(failed: {
    model: string;
    error: unknown;
    isLast: boolean;
    /** Withdraws the question to the user. */
    signal: AbortSignal;
  }): Promise<Switched | 'keep_trying' | 'retry' | undefined> {
    const { planner, prepare, notice } = this.options;
    if (await this.accountIsMended(failed)) return 'retry';
    const { model: from, error, signal } = failed;
    const remedies = await this.remediesFor(from, error);
    const skipped: string[] = [];
    for (;;) {
      const hasOffer = remedies.credits !== undefined || remedies.canUpgrade === true;
      const next = planner.after({ model: from, error, canRetry: !failed.isLast, hasOffer });
      const wish = next ? await this.wishAbout(next, { from, signal, ...remedies }) : 'stop';
      const model = next?.model;
      if (wish !== 'switch' || !next || model === undefined) {
        // Tell the user; otherwise fallbacks without a key would look like no fallbacks.
        if (skipped.length > 0) notice?.(skipped.join(' '));
        return wish === 'keep_trying' || wish === 'retry' ? wish : undefined;
      }
      try {
        await prepare(model);
      } catch (error) {
        planner.unusable(model, error instanceof FatalError);
        skipped.push(asSentence(`${model} cannot be used: ${messageOf(error)}`));
        continue;
      }
      this.routed = model;
      const reason = [asSentence(next.reason), ...skipped].join(' ');
      return { model, errorClass: next.errorClass, reason };
    }
  }

  /** The user has verified an account that Google refused. */
  private async accountIsMended({
    error,
    signal,
  }: {
    error: unknown;
    signal: AbortSignal;
  }): Promise<boolean> {
    const { kind, link } = classifyFailure(error);
    if (kind !== 'validation' && kind !== 'blocked') return false;
    const problem = kind === 'validation' ? 'verification' : 'blocked';
    const question = {
      problem,
      reason: failureText(error),
      ...(link?.startsWith('https://') && { link }),
    } as const;
    return (await this.options.askAboutAccount?.(question, signal)) === 'retry';
  }

  /** What the account allows beyond another model, when its quota is used up. */
  private async remediesFor(model: string, error: unknown): Promise<Remedies> {
    if (!this.options.ask || errorClassOf(error) !== 'quota') return {};
    const account = await this.options.accountOf?.(model);
    if (!account) return {};
    const credits = account.credits.state();
    return {
      ...(credits && { credits }),
      ...(account.canUpgrade && { canUpgrade: true }),
      spend: () => account.credits.spend(),
    };
  }

  private async wishAbout(
    { action, model: to, reason, errorClass, canWait }: Next,
    { from, signal, spend, ...remedies }: Remedies & { from: string; signal: AbortSignal },
  ): Promise<'switch' | 'keep_trying' | 'retry' | 'stop'> {
    if (action === 'switch') return 'switch';
    const offer = { from, ...(to !== undefined && { to }), canWait, reason, errorClass, ...remedies };
    const intent = await this.options.ask?.(offer, signal);
    if (intent === 'retry_with_credits' && remedies.credits === 'usable') {
      spend?.();
      return 'retry';
    }
    if (intent === 'retry_later') return canWait ? 'keep_trying' : 'stop';
    if (to === undefined || (intent !== 'retry_always' && intent !== 'retry_once')) return 'stop';
    this.options.planner.accept(from, intent === 'retry_always' ? 'always' : 'once');
    return 'switch';
  }
}

interface Remedies extends Pick<FallbackOffer, 'credits' | 'canUpgrade'> {
  /** The next request may spend credits. */
  spend?: () => void;
}

/** Error messages end with or without a full stop; another sentence follows. */
function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
