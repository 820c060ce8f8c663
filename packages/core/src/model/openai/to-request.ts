/** The only place where our messages become a body of `chat/completions`. */
import type { Message } from '../../protocol/messages.js';
import type { GenerateRequest, GenerationSettings, ToolChoice } from '../content-generator.js';
import type { Provider } from '../providers.js';
import { beginsWith } from '../wire/begins-with.js';
import { wireJson } from '../wire/wire-json.js';
import { WrittenBytes } from '../wire/written-bytes.js';
import type { Dialect } from './dialect.js';
import { isSent, type LoweringOptions, lowerRun, missingAnswers, type OpenCall } from './messages.js';
import { wireName } from './names.js';
import { toParameters } from './schema.js';
import type { ChatMessage } from './wire.js';

/** Messages that are serialized together: a list is faster than its items one by one. */
const BATCH = 256;

/**
 * Writes requests. Complete runs of messages (another role follows) are kept as bytes, so that a new turn costs
 * only itself, however long the conversation is.
 */
export class ChatRequestWriter {
  private bytes = new WrittenBytes();
  /** The messages that are in `bytes`. */
  private written: Message[] = [];
  /** Calls of the last run in `bytes`. */
  private open: OpenCall[] = [];
  private runs = 0;
  private key = '';

  /** The body, in pieces. */
  write(request: GenerateRequest, provider: Provider, dialect: Dialect, stream: boolean): Buffer[] {
    const options = { provider: provider.id, tools: dialect.tools, images: provider.supportsImages };
    const system = systemText(request, dialect);
    const first = system ? jsonList([{ role: 'system', content: system }]) : '';
    const last = this.advance(request.messages, options);
    const end = last.length > 0 ? (this.bytes.isEmpty ? '' : ',') + jsonList(last) : '';
    const comma = first && (!this.bytes.isEmpty || end) ? ',' : '';
    const head = `{"model":${JSON.stringify(request.model)},"messages":[${first}${comma}`;
    const rest = wireJson(restOf(request, provider, dialect, stream));
    return [Buffer.from(head), ...this.bytes.pieces(), Buffer.from(`${end}],${rest.slice(1)}`)];
  }

  /** Keeps all runs but the last, which may still grow. @returns the last run */
  private advance(messages: readonly Message[], options: LoweringOptions): ChatMessage[] {
    const key = `${options.provider} ${options.tools} ${options.images}`;
    const isContinued = key === this.key && beginsWith(messages, this.written);
    if (!isContinued) this.restart(key);
    const batch: ChatMessage[] = [];
    let run: Message[] = [];
    let done = this.written.length;
    for (let index = done; index < messages.length; index++) {
      const message = messages[index] as Message; // the index is in range
      if (!isSent(message)) continue;
      if (run.length > 0 && run[0]?.role !== message.role) {
        this.keep(run, options, batch);
        run = [];
        done = index;
      }
      run.push(message);
    }
    for (let index = this.written.length; index < done; index++) {
      this.written.push(messages[index] as Message); // the index is in range
    }
    this.putAll(batch);
    if (run.length === 0) return missingAnswers(this.open);
    const last = lowerRun(run, this.open, this.runs, options);
    return [...last.messages, ...missingAnswers(last.open)];
  }

  private restart(key: string): void {
    this.bytes = new WrittenBytes();
    this.written = [];
    this.open = [];
    this.runs = 0;
    this.key = key;
  }

  private keep(run: readonly Message[], options: LoweringOptions, batch: ChatMessage[]): void {
    const { messages, open } = lowerRun(run, this.open, this.runs++, options);
    this.open = open;
    batch.push(...messages);
    if (batch.length >= BATCH) this.putAll(batch.splice(0));
  }

  private putAll(batch: readonly ChatMessage[]): void {
    if (batch.length > 0) this.bytes.append((this.bytes.isEmpty ? '' : ',') + jsonList(batch));
  }
}

/** A list without its brackets. */
function jsonList(messages: readonly ChatMessage[]): string {
  return wireJson(messages).slice(1, -1);
}

function systemText({ systemInstruction = '', settings }: GenerateRequest, dialect: Dialect): string {
  const wanted = jsonInstruction(settings, dialect);
  return [systemInstruction, wanted].filter(Boolean).join('\n\n');
}

/** If the server cannot enforce a format, the model is asked for it. */
function jsonInstruction(settings: GenerationSettings | undefined, { json }: Dialect): string {
  const schema = settings?.responseJsonSchema;
  if (schema !== undefined && json !== 'schema') {
    return `Answer with one JSON value and nothing else. It has to fit this schema: ${JSON.stringify(schema)}`;
  }
  const wantsJson = settings?.responseMimeType === 'application/json';
  // OpenAI requires the word "JSON" in the prompt for `json_object`.
  return wantsJson && schema === undefined ? 'Answer with one JSON value and nothing else.' : '';
}

function restOf(request: GenerateRequest, provider: Provider, dialect: Dialect, stream: boolean) {
  const { model, tools = [], toolChoice, settings = {} } = request;
  return {
    stream,
    ...(stream && dialect.usage && { stream_options: { include_usage: true } }),
    ...(tools.length > 0 && dialect.tools && { tools: tools.map(toTool), tool_choice: choiceOf(toolChoice) }),
    ...sampling(settings, model, provider),
    ...outputLimit(settings, model, provider, dialect),
    ...responseFormat(settings, dialect),
    ...effort(settings, model, provider, dialect),
  };
}

const CHOICES = { AUTO: 'auto', ANY: 'required', NONE: 'none' } as const;

/** One name can be required; for several there is no field that all servers know. */
function choiceOf({ mode, allowedFunctionNames = [] }: ToolChoice = { mode: 'AUTO' }) {
  const [name, ...others] = allowedFunctionNames;
  if (mode !== 'ANY' || name === undefined || others.length > 0) return CHOICES[mode];
  return { type: 'function', function: { name: wireName(name) } };
}

function toTool({ name, description, parametersJsonSchema }: NonNullable<GenerateRequest['tools']>[number]) {
  const parameters = toParameters(parametersJsonSchema);
  return { type: 'function', function: { name: wireName(name), description, parameters } };
}

function sampling(settings: GenerationSettings, model: string, provider: Provider) {
  const { temperature, topP, topK, stopSequences, seed, presencePenalty, frequencyPenalty } = settings;
  // OpenAI's reasoning models refuse all of them.
  if (isOpenAiReasoner(model, provider)) return { ...(seed !== undefined && { seed }) };
  const takesTopK = provider.isLocal || provider.id === 'openrouter';
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(topK !== undefined && takesTopK && { top_k: topK }),
    ...(stopSequences?.length && { stop: stopSequences }),
    ...(seed !== undefined && { seed }),
    ...(presencePenalty !== undefined && { presence_penalty: presencePenalty }),
    ...(frequencyPenalty !== undefined && { frequency_penalty: frequencyPenalty }),
  };
}

function outputLimit(settings: GenerationSettings, model: string, provider: Provider, dialect: Dialect) {
  const limits = [settings.maxOutputTokens, provider.maxOutputTokens].filter((limit) => limit !== undefined);
  if (limits.length === 0) return {};
  const limit = Math.min(...limits);
  const isNew = dialect.newLimit || isOpenAiReasoner(model, provider);
  return isNew ? { max_completion_tokens: limit } : { max_tokens: limit };
}

function responseFormat(settings: GenerationSettings, { json }: Dialect) {
  const { responseJsonSchema: schema, responseMimeType } = settings;
  if (json === 'none') return {};
  if (schema !== undefined && json === 'schema') {
    return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } };
  }
  const wantsJson = schema !== undefined || responseMimeType === 'application/json';
  return wantsJson ? { response_format: { type: 'json_object' } } : {};
}

const EFFORTS: Readonly<Record<string, string>> = {
  MINIMAL: 'low',
  LOW: 'low',
  MEDIUM: 'medium',
  HIGH: 'high',
};

function effort(settings: GenerationSettings, model: string, provider: Provider, dialect: Dialect) {
  const level = EFFORTS[settings.thinkingConfig?.thinkingLevel?.toUpperCase() ?? ''];
  const isRefused = provider.id === 'openai' && !isOpenAiReasoner(model, provider);
  return level && dialect.effort && !isRefused ? { reasoning_effort: level } : {};
}

function isOpenAiReasoner(model: string, { id }: Provider): boolean {
  return id === 'openai' && /^(o\d|gpt-5)/.test(model) && !model.includes('-chat');
}
