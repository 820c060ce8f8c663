/** Makes utility calls beside the conversation: picks preset and model, retries, checks the answer. */
import { type BackoffRule, backoffDelay, hintedDelay } from '../../base/backoff.js';
import { UserError } from '../../base/errors.js';
import type { Clock } from '../../platform/clock.js';
import { createLog } from '../../platform/log.js';
import { type TokenUsage, textOf } from '../../protocol/messages.js';
import type {
  ContentGenerator,
  GenerateRequest,
  GenerateResponse,
  GenerationSettings,
  ServerTool,
} from '../content-generator.js';
import { partsOf } from '../content-generator.js';
import { classifyFailure, type FailureKind } from '../errors/api-error.js';
import type { OnModelNote } from '../model-note.js';
import { toUsage } from '../usage.js';
import { misfit } from '../wire/fits-schema.js';
import { firstObjectIn } from '../wire/json-in-text.js';
import type { UtilityAnswer, UtilityModel, UtilityRequest } from './utility-model.js';

const log = createLog('utility');

/** Which model and settings stand behind an alias. `ModelConfigs` satisfies it. */
export interface PresetSource {
  resolve(key: { model: string; isRetry?: boolean }): {
    model: string;
    settings: GenerationSettings;
    serverTools?: readonly ServerTool[];
  };
}

/** Replaces an unavailable model with the next of its chain. `UtilityAvailability` satisfies it. */
export interface ModelSwap {
  pick(model: string): string;
  failed(model: string, error: unknown): void;
}

export interface UtilityClientOptions {
  presets: PresetSource;
  /** Absent: a failing model has no fallback. */
  availability?: ModelSwap;
  /** The model for utility calls if the conversation has another provider; `utility-choice.ts`. */
  modelFor: (preset: string, mainModel: string | undefined) => { model: string; isGoogle: boolean };
  clock: Clock;
  random: () => number;
  /** Called with the usage of every answer. */
  onCall?: (call: UtilityCall) => void;
  onNote?: OnModelNote;
}

export interface UtilityCall {
  model: string;
  role: string;
  usage: TokenUsage;
  latencyMs: number;
}

const MAX_ATTEMPTS = 5;
/** The user waits for the result of a utility call. */
const BACKOFF: BackoffRule = { initialMs: 500, maxMs: 4_000 };
const LONGEST_WAIT_MS = 10_000;
/** Failures after which the same model later, or another one, may answer. */
const WORTH_ANOTHER = new Set<FailureKind>(['retryable', 'terminal', 'not_found']);
/** Finish reasons that a retry would get again. */
const REFUSALS = new Set(['SAFETY', 'RECITATION', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII', 'LANGUAGE']);

export class UtilityClient implements UtilityModel {
  constructor(
    private readonly generator: ContentGenerator,
    private readonly options: UtilityClientOptions,
  ) {}

  generateText(request: UtilityRequest, signal: AbortSignal): Promise<UtilityAnswer> {
    return this.ask(request, {}, signal, (answer) => answer);
  }

  generateJson(
    request: UtilityRequest & { schema: Record<string, unknown> },
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const { schema } = request;
    const form = { responseMimeType: 'application/json', responseJsonSchema: schema };
    return this.ask(request, form, signal, ({ text, response, model }) => {
      const value = firstObjectIn(text);
      const problem = value ? misfit(schema, value) : 'there is no JSON object in it';
      if (value && !problem) return value;
      this.options.onNote?.({ type: 'malformed_json', model });
      const reason = response.candidates?.[0]?.finishReason;
      const end = reason && reason !== 'STOP' ? ` (finish reason ${reason})` : '';
      throw new UnusableAnswer(`The answer cannot be used: ${problem}${end}.`);
    });
  }

  private async ask<T>(
    request: UtilityRequest,
    form: GenerationSettings,
    signal: AbortSignal,
    read: (answer: UtilityAnswer) => T,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      const wanted = this.requestFor(request, form, attempt > 1);
      const model = this.pick(wanted.model);
      try {
        const response = await this.generate({ ...wanted, model }, signal);
        return read({ text: visibleText(response, request.mayBeEmpty), response, model });
      } catch (error) {
        signal.throwIfAborted();
        const delayMs =
          attempt < MAX_ATTEMPTS ? this.nextTry(error, model, wanted.model, attempt) : undefined;
        if (delayMs === undefined) throw error;
        log.debug('retry', { alias: request.alias, model, attempt, delayMs, error });
        await this.options.clock.sleep(delayMs, signal);
      }
    }
  }

  private async generate(request: GenerateRequest, signal: AbortSignal): Promise<GenerateResponse> {
    const { clock, onCall } = this.options;
    const started = clock.now();
    const response = await this.generator.generateContent(request, signal);
    const { usageMetadata, modelVersion = request.model } = response;
    if (usageMetadata) {
      const { role } = request;
      onCall?.({
        model: modelVersion,
        role,
        usage: toUsage(usageMetadata),
        latencyMs: clock.now() - started,
      });
    }
    return response;
  }

  private requestFor(request: UtilityRequest, form: GenerationSettings, isRetry: boolean): GenerateRequest {
    const { alias, role, promptId, messages, systemInstruction, mainModel } = request;
    const preset = this.options.presets.resolve({ model: alias, isRetry });
    const { model, isGoogle } = this.options.modelFor(preset.model, mainModel);
    return {
      model,
      role,
      promptId,
      messages,
      ...(systemInstruction !== undefined && { systemInstruction }),
      ...(isGoogle && preset.serverTools?.length && { serverTools: preset.serverTools }),
      settings: { ...preset.settings, ...form },
    };
  }

  private pick(model: string): string {
    return this.options.availability?.pick(model) ?? model;
  }

  /** How long to wait before the next try; undefined: there is none. */
  private nextTry(error: unknown, model: string, wanted: string, attempt: number): number | undefined {
    const { random, availability } = this.options;
    if (error instanceof UnusableAnswer) return error.isFinal ? undefined : 0;
    const { kind, delayMs } = classifyFailure(error);
    if (!WORTH_ANOTHER.has(kind)) return undefined;
    availability?.failed(model, error);
    if (this.pick(wanted) !== model) return 0;
    if (kind !== 'retryable') return undefined;
    if (delayMs === undefined) return backoffDelay(BACKOFF, attempt, random());
    return delayMs > LONGEST_WAIT_MS ? undefined : hintedDelay(delayMs, random());
  }
}

/** The model answered, but not as requested. */
class UnusableAnswer extends UserError {
  override readonly name = 'UnusableAnswer';
  constructor(
    message: string,
    /** A retry would get the same. */
    readonly isFinal = false,
  ) {
    super(message);
  }
}

function visibleText(response: GenerateResponse, mayBeEmpty = false): string {
  const text = textOf(partsOf(response)).trim();
  if (text) return text;
  const { blockReason } = response.promptFeedback ?? {};
  if (blockReason) throw new UnusableAnswer(`The provider blocked the request (${blockReason}).`, true);
  const reason = response.candidates?.[0]?.finishReason ?? 'none given';
  if (mayBeEmpty && reason === 'STOP') return '';
  throw new UnusableAnswer(`The answer is empty (finish reason ${reason}).`, REFUSALS.has(reason));
}
