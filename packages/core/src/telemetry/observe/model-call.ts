/** Records one model request, from its start to its end, as events and spans. */
import type { GenerateRequest, GenerateResponse, UsageMetadata } from '../../model/content-generator.js';
import { partsOf } from '../../model/content-generator.js';
import type { Part } from '../../protocol/messages.js';
import {
  inputMessages,
  joinParts,
  outputMessages,
  sentContents,
  systemInstructions,
} from '../catalog/gen-ai.js';
import { newSpan, type Traces } from '../export/traces.js';
import { JsonText, type SpanContext, type TelemetryRecorder } from '../record.js';
import { describeFailure } from './failure.js';
import { type ModelOutcome, recordModelMetrics } from './model-metrics.js';

export interface ModelObservation {
  recorder: TelemetryRecorder;
  traces: Traces;
  now: () => number;
  /** As OpenTelemetry names it, e.g. `gcp.gemini`. */
  provider: string;
  server?: { address: string; port: number };
}

export class ModelCall {
  private readonly started: number;
  private readonly parent: SpanContext | undefined;
  private readonly context: SpanContext;
  private firstChunkAt: number | undefined;
  private readonly parts: Part[] = [];
  private finishReason: string | undefined;
  private usage: UsageMetadata = {};
  private answeredBy: string | undefined;
  private isOver = false;

  constructor(
    private readonly request: GenerateRequest,
    private readonly observation: ModelObservation,
  ) {
    const { recorder, traces, now } = observation;
    const { model, promptId, role, messages, tools, systemInstruction } = request;
    this.started = now();
    this.parent = traces.of(promptId);
    this.context = newSpan(this.parent);
    if (tools) traces.learnTools(tools);
    if (systemInstruction && traces.isNewSystemPrompt(systemInstruction)) this.recordSystemPrompt();
    const request_text = new JsonText(() => sentContents(messages));
    recorder.event(
      'gemini_cli.api_request',
      { model, prompt_id: promptId, role, request_text },
      this.context,
    );
  }

  add(chunk: GenerateResponse): void {
    this.firstChunkAt ??= this.observation.now();
    this.parts.push(...partsOf(chunk));
    this.finishReason = chunk.candidates?.[0]?.finishReason ?? this.finishReason;
    this.usage = { ...this.usage, ...chunk.usageMetadata };
    this.answeredBy = chunk.modelVersion ?? this.answeredBy;
  }

  succeed(): void {
    const outcome = this.end();
    const { usage, request } = this;
    this.observation.recorder.event(
      'gemini_cli.api_response',
      {
        model: outcome.model,
        status_code: 200,
        duration_ms: outcome.durationMs,
        input_token_count: usage.promptTokenCount ?? 0,
        output_token_count: usage.candidatesTokenCount ?? 0,
        cached_content_token_count: usage.cachedContentTokenCount ?? 0,
        thoughts_token_count: usage.thoughtsTokenCount ?? 0,
        tool_token_count: usage.toolUsePromptTokenCount ?? 0,
        total_token_count: usage.totalTokenCount ?? 0,
        prompt_id: request.promptId,
        finish_reasons: this.finishReasons,
        response_text: new JsonText(() => ({ role: 'model', parts: joinParts(this.parts) })),
        role: request.role,
      },
      this.context,
    );
    this.conclude(outcome);
  }

  fail(error: unknown): void {
    const outcome = this.end(error);
    const { request } = this;
    const { message, type, status } = describeFailure(error);
    this.observation.recorder.event(
      'gemini_cli.api_error',
      {
        'error.message': message,
        model_name: request.model,
        duration: outcome.durationMs,
        prompt_id: request.promptId,
        error_type: type,
        status_code: status,
        role: request.role,
      },
      this.context,
    );
    this.conclude(outcome);
  }

  /** The caller stopped reading before the end: only the span records it. */
  abandon(): void {
    if (!this.isOver) this.end(new Error('cancelled'));
  }

  private get finishReasons(): string[] {
    return this.finishReason ? [this.finishReason] : [];
  }

  private end(error?: unknown): ModelOutcome {
    this.isOver = true;
    const { recorder, now } = this.observation;
    const { request, usage, started } = this;
    const endMs = now();
    const failure = error === undefined ? undefined : describeFailure(error);
    recorder.span({
      name: 'llm_call',
      context: this.context,
      parent: this.parent,
      startMs: started,
      endMs,
      attributes: {
        'gen_ai.prompt.name': request.promptId,
        'gen_ai.request.model': request.model,
        'gen_ai.response.model': this.answeredBy,
        'gen_ai.usage.input_tokens': usage.promptTokenCount,
        'gen_ai.usage.output_tokens': usage.candidatesTokenCount,
        'gen_ai.tool.definitions': request.tools && new JsonText(() => request.tools),
        ...this.conversation(),
      },
      error: failure?.message,
    });
    return {
      model: this.answeredBy ?? request.model,
      durationMs: endMs - started,
      waitedMs: (this.firstChunkAt ?? endMs) - started,
      usage,
      failure,
    };
  }

  private conclude(outcome: ModelOutcome): void {
    const { recorder, provider, server } = this.observation;
    const { request, usage } = this;
    const identity = {
      'gen_ai.operation.name': 'generate_content',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': request.model,
      'server.address': server?.address,
      'server.port': server?.port,
    };
    recorder.event(
      'gen_ai.client.inference.operation.details',
      {
        ...identity,
        ...this.conversation(),
        'gen_ai.response.finish_reasons': this.finishReasons.map((reason) => reason.toLowerCase()),
        'gen_ai.usage.input_tokens': usage.promptTokenCount,
        'gen_ai.usage.output_tokens': usage.candidatesTokenCount,
        'gen_ai.request.temperature': request.settings?.temperature,
        'gen_ai.request.top_p': request.settings?.topP,
        'gen_ai.request.top_k': request.settings?.topK,
        'gen_ai.request.max_tokens': request.settings?.maxOutputTokens,
      },
      this.context,
    );
    recordModelMetrics(recorder, outcome, request.role, {
      ...identity,
      'gen_ai.response.model': this.answeredBy,
    });
  }

  private conversation() {
    const { messages, systemInstruction } = this.request;
    return {
      'gen_ai.input.messages': new JsonText(() => inputMessages(messages)),
      'gen_ai.output.messages': new JsonText(() => outputMessages(joinParts(this.parts), this.finishReason)),
      'gen_ai.system_instructions': instructions(systemInstruction),
    };
  }

  private recordSystemPrompt(): void {
    this.observation.recorder.span({
      name: 'system_prompt',
      context: newSpan(this.parent),
      parent: this.parent,
      startMs: this.started,
      endMs: this.started,
      attributes: {
        'gen_ai.prompt.name': 'system',
        'gen_ai.system_instructions': instructions(this.request.systemInstruction),
      },
    });
  }
}

function instructions(text: string | undefined): JsonText | undefined {
  return text === undefined ? undefined : new JsonText(() => systemInstructions(text));
}
