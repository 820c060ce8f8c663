/** A content generator with model hooks, which can change requests, answer instead of the model, and edit chunks. */
import type { ContentGenerator, GenerateRequest, GenerateResponse } from '../../model/content-generator.js';
import { partsOf } from '../../model/content-generator.js';
import type { AgentRef } from '../../protocol/agent-events.js';
import type { DenyEffect, HookPorts, StopEffect } from '../hook-ports.js';
import { AnsweredInstead, BlockedExecution, StopExecution } from '../stop-execution.js';
import { arrivedTogether } from './arrived-chunks.js';

export interface ModelHookOptions {
  hooks: HookPorts;
  agent: AgentRef;
  /** True: chunks that arrive while AfterModel works are handed over as one. Absent: each on its own. */
  joinsChunks?: boolean;
}

/** Hooks are looked up with every request: they may be enabled during a session. */
export function withModelHooks(generator: ContentGenerator, options: ModelHookOptions): ContentGenerator {
  return new HookedGenerator(generator, options);
}

class HookedGenerator implements ContentGenerator {
  constructor(
    private readonly generator: ContentGenerator,
    private readonly options: ModelHookOptions,
  ) {}

  /** Without model hooks the model's own stream: nothing in between costs time. */
  generateContentStream(request: GenerateRequest, signal: AbortSignal): AsyncIterable<GenerateResponse> {
    const { hooks } = this.options;
    const isHooked = hooks.beforeModel ?? hooks.beforeToolSelection ?? hooks.afterModel;
    return isHooked ? this.hooked(request, signal) : this.generator.generateContentStream(request, signal);
  }

  private async *hooked(first: GenerateRequest, signal: AbortSignal): AsyncGenerator<GenerateResponse> {
    const { request, response, deny } = await this.before(first, signal);
    if (response) {
      yield await this.after(request, finished(response), signal);
      if (deny !== undefined) throw new AnsweredInstead(deny);
      return;
    }
    const leaving = new AbortController();
    const { hooks, joinsChunks } = this.options;
    const stream = this.generator.generateContentStream(request, AbortSignal.any([signal, leaving.signal]));
    const chunks = hooks.afterModel && joinsChunks ? arrivedTogether(stream) : stream;
    try {
      for await (const chunk of chunks) yield await this.after(request, chunk, signal);
    } finally {
      // A hook may end the request while the server is silent.
      leaving.abort();
    }
  }

  async generateContent(first: GenerateRequest, signal: AbortSignal): Promise<GenerateResponse> {
    const { request, response } = await this.before(first, signal);
    const answer = response ? finished(response) : await this.generator.generateContent(request, signal);
    return this.after(request, answer, signal);
  }

  countTokens(request: GenerateRequest, signal: AbortSignal): Promise<{ totalTokens: number }> {
    return this.generator.countTokens(request, signal);
  }

  embedContent(...call: Parameters<ContentGenerator['embedContent']>): Promise<{ embeddings: number[][] }> {
    return this.generator.embedContent(...call);
  }

  private async before(
    original: GenerateRequest,
    signal: AbortSignal,
  ): Promise<{ request: GenerateRequest; response?: GenerateResponse; deny?: string }> {
    const { agent, hooks } = this.options;
    const effect = await hooks.beforeModel?.({ agent, signal, request: original });
    endIfAsked(effect);
    const request = effect?.request ?? original;
    if (effect?.response) {
      const { response, deny } = effect;
      return { request, response, ...(deny !== undefined && { deny }) };
    }
    const toolChoice = await hooks.beforeToolSelection?.({ agent, signal, request });
    return { request: toolChoice ? restrictTools(request, toolChoice) : request };
  }

  private async after(
    request: GenerateRequest,
    chunk: GenerateResponse,
    signal: AbortSignal,
  ): Promise<GenerateResponse> {
    const { agent, hooks } = this.options;
    const effect = await hooks.afterModel?.({ agent, signal, request, chunk });
    endIfAsked(effect);
    return effect?.chunk ? withTextOf(chunk, effect.chunk) : chunk;
  }
}

function endIfAsked(effect: (StopEffect & DenyEffect & { response?: GenerateResponse }) | undefined): void {
  if (effect?.stop !== undefined) throw new StopExecution(effect.stop);
  // A refusal with its own answer is used as the answer.
  if (effect?.deny !== undefined && !effect.response) throw new BlockedExecution(effect.deny);
}

/** The API takes no names with `AUTO`, so only the allowed tools are declared. */
export function restrictTools(
  request: GenerateRequest,
  choice: NonNullable<GenerateRequest['toolChoice']>,
): GenerateRequest {
  const { mode, allowedFunctionNames: names } = choice;
  if (mode !== 'AUTO') return { ...request, toolChoice: choice };
  if (!names) return request;
  return { ...request, tools: request.tools?.filter(({ name }) => names.includes(name)) };
}

/** A hook replaces text; calls, thoughts, token counts and the finish reason stay the model's. */
function withTextOf(original: GenerateResponse, replaced: GenerateResponse): GenerateResponse {
  const [candidate, ...others] = original.candidates ?? [];
  const text = partsOf(replaced).filter(({ functionCall }) => !functionCall);
  const thoughts = partsOf(original).filter(({ thought }) => thought);
  const rest = partsOf(original).filter((part) => !part.thought && part.text === undefined);
  const parts = [...thoughts, ...text, ...rest];
  return {
    ...original,
    candidates: [{ ...candidate, content: { role: 'model', parts } }, ...others],
  };
}

/** A hook's answer without a finish reason is complete. */
function finished(response: GenerateResponse): GenerateResponse {
  const [candidate, ...others] = response.candidates ?? [];
  if (!candidate || candidate.finishReason) return response;
  return { ...response, candidates: [{ ...candidate, finishReason: 'STOP' }, ...others] };
}
