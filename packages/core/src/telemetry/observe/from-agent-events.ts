/** Records the events of a conversation. Model calls are recorded separately (`observe-model.ts`). */
import { INVALID_STREAM } from '../../base/errors.js';
import type { AgentEventBody } from '../../protocol/agent-events.js';
import { textOf } from '../../protocol/messages.js';
import { newSpan, type Traces } from '../export/traces.js';
import type { SpanContext, TelemetryRecorder } from '../record.js';
import { JsonText } from '../record.js';
import { recordModelEvent } from './model-events.js';
import { recordToolCall } from './tool-records.js';
import { ToolTimes } from './tool-times.js';

export interface ObserverOptions {
  recorder: TelemetryRecorder;
  traces: Traces;
  now: () => number;
  approvalMode: () => string;
  authType: () => string | undefined;
}

type Told<T extends AgentEventBody['type']> = Extract<AgentEventBody, { type: T }>;

interface OpenSpan {
  context: SpanContext;
  startMs: number;
}

/** One user request. */
interface Prompt extends OpenSpan {
  id: string;
  model: string;
  text: string;
  answer: string;
  /** Length of the answer when the current model turn began. */
  answerMark: number;
  modelTurns: number;
}

export class AgentEventObserver {
  private prompt: Prompt | undefined;
  /** From the first tool call of a model turn to the end of the last. */
  private batch: OpenSpan | undefined;
  private requestStartedMs = 0;
  private readonly tools: ToolTimes;

  constructor(private readonly options: ObserverOptions) {
    this.tools = new ToolTimes(options.recorder, options.now);
  }

  /** Of what runs now; undefined between prompts. */
  get span(): SpanContext | undefined {
    return this.batch?.context ?? this.prompt?.context;
  }

  handle(event: AgentEventBody): void {
    switch (event.type) {
      case 'turn_started':
        this.begin(event);
        break;
      case 'model_turn_started':
        this.beginModelTurn(event);
        break;
      case 'content':
        if (this.prompt) this.prompt.answer += event.text;
        break;
      case 'retry':
        this.recordRetry(event);
        break;
      case 'api_failure':
        this.recordFailure(event);
        break;
      case 'tool_requested':
        this.batch ??= { context: newSpan(this.prompt?.context), startMs: this.options.now() };
        this.tools.requested(event.request);
        break;
      case 'tool_status':
        this.tools.moved(event.callId, event.status);
        break;
      case 'tool_finished':
        this.finishTool(event);
        break;
      case 'turn_finished':
        this.end(event);
        break;
      default:
        this.recordModelEvent(event);
    }
  }

  private recordModelEvent(event: AgentEventBody): void {
    const { recorder, approvalMode, authType } = this.options;
    recordModelEvent(event, {
      recorder,
      within: this.prompt?.context,
      promptId: this.prompt?.id,
      approvalMode: approvalMode(),
      authType: authType(),
    });
  }

  private begin({ promptId, model, parts }: Told<'turn_started'>): void {
    const { recorder, traces, now } = this.options;
    const context = traces.open(promptId);
    const text = textOf(parts);
    this.prompt = {
      id: promptId,
      model,
      text,
      answer: '',
      answerMark: 0,
      modelTurns: 0,
      context,
      startMs: now(),
    };
    const attributes = { prompt_length: text.length, prompt_id: promptId, prompt: text };
    recorder.event('gemini_cli.user_prompt', attributes, context);
  }

  private beginModelTurn({ turn }: Told<'model_turn_started'>): void {
    this.endBatch();
    this.requestStartedMs = this.options.now();
    if (!this.prompt) return;
    this.prompt.modelTurns = turn;
    this.prompt.answerMark = this.prompt.answer.length;
  }

  private recordRetry({ cause, errorType, model, ...retry }: Told<'retry'>): void {
    const { recorder } = this.options;
    const { prompt } = this;
    const within = prompt?.context;
    if (prompt && retry.discardsOutput) prompt.answer = prompt.answer.slice(0, prompt.answerMark);
    if (cause === 'stream') {
      const attributes = {
        attempt_number: retry.attempt,
        error_type: errorType,
        retry_delay_ms: retry.delayMs,
        model,
      };
      recorder.event('gemini_cli.chat.content_retry', attributes, within);
      recorder.count('gemini_cli.chat.content_retry.count', 1, {});
    } else if (cause === 'request') {
      const attributes = {
        attempt: retry.attempt,
        max_attempts: retry.maxAttempts,
        error_type: errorType,
        delay_ms: retry.delayMs,
        model,
      };
      recorder.event('gemini_cli.network_retry_attempt', attributes, within);
      recorder.count('gemini_cli.network_retry.count', 1, { model, attempt: retry.attempt });
    }
  }

  /** Unusable answers; the model call itself records refusals of the server. */
  private recordFailure(event: Told<'api_failure'>): void {
    if (event.cause !== 'stream') return;
    const { recorder, now } = this.options;
    const within = this.prompt?.context;
    // A broken connection is not an invalid answer.
    if (event.error.type === INVALID_STREAM) {
      recorder.event('gemini_cli.chat.invalid_chunk', { 'error.message': event.error.message }, within);
      recorder.count('gemini_cli.chat.invalid_chunk.count', 1, {});
    }
    if (!event.isFinal) return;
    const attributes = {
      total_attempts: event.attempt,
      final_error_type: event.errorType,
      total_duration_ms: now() - this.requestStartedMs,
      model: event.model,
    };
    recorder.event('gemini_cli.chat.content_retry_failure', attributes, within);
    recorder.count('gemini_cli.chat.content_retry_failure.count', 1, {});
  }

  private finishTool({ call }: Told<'tool_finished'>): void {
    const { recorder, traces, now } = this.options;
    this.tools.finished(call);
    recordToolCall(call, {
      recorder,
      traces,
      endMs: now(),
      parent: this.span,
    });
  }

  private endBatch(): void {
    const { batch, prompt } = this;
    if (!batch) return;
    this.batch = undefined;
    const { recorder, now } = this.options;
    const attributes = { 'gen_ai.prompt.name': prompt?.id };
    recorder.span({
      name: 'schedule_tool_calls',
      ...batch,
      parent: prompt?.context,
      endMs: now(),
      attributes,
    });
  }

  private end({ reason, error }: Told<'turn_finished'>): void {
    this.endBatch();
    const { prompt } = this;
    if (!prompt) return;
    this.prompt = undefined;
    const { recorder, traces, now, approvalMode } = this.options;
    const attributes = { approvalMode: approvalMode(), turnCount: prompt.modelTurns };
    recorder.event('gemini_cli.conversation_finished', attributes, prompt.context);
    traces.close(prompt.id);
    recorder.span({
      name: 'user_prompt',
      context: prompt.context,
      startMs: prompt.startMs,
      endMs: now(),
      attributes: {
        'gen_ai.prompt.name': prompt.id,
        'gen_ai.request.model': prompt.model,
        'gen_ai.input.messages': message('user', prompt.text),
        'gen_ai.output.messages': message('assistant', prompt.answer),
      },
      ...(reason !== 'completed' &&
        reason !== 'stopped' &&
        reason !== 'blocked' && { error: error?.message ?? reason }),
    });
  }
}

function message(role: string, content: string): JsonText {
  return new JsonText(() => [{ role, parts: [{ type: 'text', content }] }]);
}
