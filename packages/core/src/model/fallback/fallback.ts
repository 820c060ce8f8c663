/**
 * Which model continues when one fails. The rules, in this order:
 *
 * 1. Errors that no other model would avoid (bad request, wrong key, a bug) switch nothing.
 * 2. `model.fallbacks`, wherever it is set and in every mode: the first available entry after the failed model (from
 *    the start, if that is not in the list) whose `on` matches takes over at once. The last one left gets the usual
 *    retries, since no entry follows.
 * 3. Then, when retrying is useless: the model's chain. Auto names follow theirs, without a user to ask silently,
 *    else as the action says. A chain of the user's own (`modelConfigs.modelChains`) follows its actions; an action
 *    that asks changes nothing where the user cannot answer. A model named explicitly is replaced only after
 *    asking, never headless. A server that cannot be reached is left only for a model of another provider.
 * 4. Without another model, but with a user: the user is asked whether to keep trying, if that may help, or to spend
 *    credits, if the account has some.
 * 5. A conversation that is too long moves by rule 2 only, and never to a model with a smaller context window.
 *
 * A replaced model is marked (`outage.ts`) and not asked again in this prompt; after a question it is marked only
 * once the user agreed (`accept`). So every sequence of failures ends.
 */
import type { ModelAccess } from '../catalog/resolutions.js';
import type { ModelCatalog } from '../catalog.js';
import { classifyFailure } from '../errors/api-error.js';
import { type ErrorClass, errorClassOf } from '../errors/error-class.js';
import type { ModelAvailability } from './availability.js';
import { describeOutage, markOutage, policyFailureOf } from './outage.js';
import { isOwnChain, type ModelPolicy, resolvePolicyChain } from './policy-chains.js';

export interface FallbackEntry {
  model: string;
  /** Absent: for all error classes. */
  on?: readonly ErrorClass[];
}

export interface FallbackOptions {
  catalog: ModelCatalog;
  availability: ModelAvailability;
  /** `model.fallbacks`, read by `readFallbacks`. */
  fallbacks: readonly FallbackEntry[];
  /** `modelConfigs.modelChains`, read by `readChains`. */
  chains?: Readonly<Record<string, readonly ModelPolicy[]>>;
  /** The alias or model the user asked for. */
  requestedModel: () => string;
  access: () => ModelAccess;
  /** A user can be asked. */
  isInteractive: boolean;
  isPlanMode?: () => boolean;
  now: () => number;
}

export interface FailedRequest {
  model: string;
  error: unknown;
  /** The usual retries are not used up, and the error is worth one. */
  canRetry?: boolean;
  /** The user can do more about it than choose another model, e.g. pay with credits. */
  hasOffer?: boolean;
}

export interface Next {
  /** Absent, with `ask` only: no other model is available. */
  model?: string;
  action: 'switch' | 'ask';
  /** The failed model may answer again soon. */
  canWait: boolean;
  errorClass: ErrorClass;
  /** One line for the user: what failed, and until when, if known. */
  reason: string;
}

export class FallbackPlanner {
  private readonly failedInPrompt = new Set<string>();
  private readonly accepted = new Set<string>();
  /** Models that could not be set up: not asked again in this session. */
  private readonly notSetUp = new Set<string>();
  private readonly lastFailure = new Map<string, ErrorClass>();

  constructor(private readonly options: FallbackOptions) {}

  startPrompt(): void {
    this.failedInPrompt.clear();
    this.options.availability.startTurn();
  }

  /** The model to use instead of `model` at the start of a prompt. */
  current(model: string): string {
    const { availability } = this.options;
    if (availability.isAvailable(model)) return model;
    const errorClass = this.lastFailure.get(model);
    const fallback = this.fallbackAfter(model, errorClass);
    if (fallback) return fallback;
    const config = this.chainConfig(model);
    const mayLeave = this.isAuto() || this.accepted.has(model) || isOwnChain(config);
    const chain = resolvePolicyChain(config);
    if (!mayLeave || chain[0]?.model !== model) return model;
    return this.candidateIn(chain) ?? model;
  }

  /** Tries for one request; undefined: the usual number. */
  attemptsFor(model: string): number | undefined {
    const chain = resolvePolicyChain(this.chainConfig(model));
    const isKnown = chain[0]?.model === model;
    const isOnTrial = this.options.availability.stateOf(model).kind === 'sticky_retry';
    if (isOnTrial && (this.fallbackAfter(model) || (isKnown && this.candidateIn(chain)))) return 1;
    return isKnown ? chain[0]?.maxAttempts : undefined;
  }

  /** The model that continues after a failed request; undefined: none. The caller restarts its count of attempts. */
  after({ model, error, canRetry = false, hasOffer = false }: FailedRequest): Next | undefined {
    const errorClass = errorClassOf(error);
    if (!errorClass) return undefined;
    const failed = { model, error, errorClass };
    const reason = describeOutage(failed, this.options.now());
    const { kind, network = false } = classifyFailure(error);
    const canWait = kind === 'retryable';
    const fallback = this.fallbackAfter(model, errorClass);
    if (fallback) {
      this.abandon(failed);
      return { model: fallback, action: 'switch', errorClass, reason, canWait };
    }
    if (canRetry || errorClass === 'context_too_long') return undefined;
    const config = this.chainConfig(model);
    const chain = resolvePolicyChain(config);
    const [policy] = chain;
    const reachable = network ? chain.filter((entry) => !isSameServer(entry.model, model)) : chain.slice(1);
    const candidate = policy?.model === model ? this.candidateIn([policy, ...reachable]) : undefined;
    const action = policy && this.actionOf(policy, error, isOwnChain(config));
    if (!candidate || !action) {
      return this.options.isInteractive && (canWait || hasOffer)
        ? { action: 'ask', errorClass, reason, canWait }
        : undefined;
    }
    this.lastFailure.set(model, errorClass);
    if (action === 'switch') this.abandon(failed, policy);
    return { model: candidate, action, errorClass, reason, canWait };
  }

  /** The user agreed to replace `model`: for the session, or for this prompt. */
  accept(model: string, span: 'always' | 'once'): void {
    this.failedInPrompt.add(model);
    this.accepted.add(model);
    const reason = this.lastFailure.get(model) === 'quota' ? 'quota' : 'unavailable';
    if (span === 'always') this.options.availability.markTerminal(model, reason);
    else this.options.availability.markStickyRetry(model, reason);
  }

  /**
   * A candidate could not be set up: finds the next one.
   * @param isForGood waiting is useless, e.g. a key is missing
   */
  unusable(model: string, isForGood: boolean): void {
    this.failedInPrompt.add(model);
    if (isForGood) this.notSetUp.add(model);
  }

  succeeded(model: string): void {
    this.options.availability.markHealthy(model);
    this.lastFailure.delete(model);
    this.accepted.delete(model);
  }

  /** The user chose a model by hand. */
  reset(): void {
    this.options.availability.reset();
    this.failedInPrompt.clear();
    this.accepted.clear();
    this.notSetUp.clear();
    this.lastFailure.clear();
  }

  private abandon(
    failed: { model: string; error: unknown; errorClass: ErrorClass },
    policy?: ModelPolicy,
  ): void {
    this.failedInPrompt.add(failed.model);
    this.lastFailure.set(failed.model, failed.errorClass);
    markOutage(this.options.availability, failed, this.options.now(), policy?.stateTransitions);
  }

  /** @param errorClass absent: any */
  private fallbackAfter(model: string, errorClass?: ErrorClass): string | undefined {
    const { catalog, access } = this.options;
    const entries = this.options.fallbacks.map(({ model: name, on }) => ({
      model: catalog.resolve(name, access()),
      on,
    }));
    const position = entries.findIndex((entry) => entry.model === model);
    return entries
      .slice(position + 1)
      .filter(({ on }) => !on || !errorClass || on.includes(errorClass))
      .filter((entry) => errorClass !== 'context_too_long' || this.mayReadMore(entry.model, model))
      .find((entry) => entry.model !== model && this.isFree(entry.model))?.model;
  }

  private mayReadMore(candidate: string, model: string): boolean {
    const [known, failed] = [candidate, model].map((name) => this.options.catalog.statedContextWindow(name));
    return known === undefined || failed === undefined || known > failed;
  }

  /** The first available model behind the head of the chain; without one, the last resort. */
  private candidateIn([head, ...rest]: readonly ModelPolicy[]): string | undefined {
    const untried = rest.filter(({ model }) => model !== head?.model && this.mayBeAsked(model));
    const available = untried.find(({ model }) => this.isFree(model));
    return (available ?? untried.find(({ isLastResort }) => isLastResort))?.model;
  }

  private isFree(model: string): boolean {
    return this.mayBeAsked(model) && this.options.availability.isAvailable(model);
  }

  private mayBeAsked(model: string): boolean {
    return !this.failedInPrompt.has(model) && !this.notSetUp.has(model);
  }

  private actionOf(policy: ModelPolicy, error: unknown, isOwn: boolean): Next['action'] | undefined {
    const { isInteractive, isPlanMode } = this.options;
    const isSilent = policy.actions[policyFailureOf(error)] === 'silent';
    if (isOwn) return isSilent ? 'switch' : isInteractive ? 'ask' : undefined;
    if (this.isAuto()) return isSilent || !isInteractive ? 'switch' : 'ask';
    if (!isInteractive) return undefined;
    return isPlanMode?.() ? 'switch' : 'ask';
  }

  private isAuto(): boolean {
    return this.options.catalog.isAuto(this.options.requestedModel());
  }

  private chainConfig(model: string) {
    const { catalog, access, chains, requestedModel, isPlanMode } = this.options;
    return {
      getModel: requestedModel,
      getActiveModel: () => model,
      catalog,
      access: access(),
      ...(chains && { chains }),
      isPlanMode: isPlanMode?.() ?? false,
    };
  }
}

/** Models named `provider/model` share the provider's server; all others are Google's. */
function isSameServer(one: string, other: string): boolean {
  const [provider, otherProvider] = [one, other].map((name) => name.slice(0, Math.max(0, name.indexOf('/'))));
  return provider === otherProvider;
}
