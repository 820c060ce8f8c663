/** The only place where our requests become bodies of the Messages API. */
import type { Message } from '../../protocol/messages.js';
import type { FunctionDeclaration } from '../../protocol/tool-declaration.js';
import type { GenerateRequest, GenerationSettings, ToolChoice } from '../content-generator.js';
import type { Provider } from '../providers.js';
import { beginsWith } from '../wire/begins-with.js';
import { wireJson } from '../wire/wire-json.js';
import { WrittenBytes } from '../wire/written-bytes.js';
import { Conversation } from './conversation.js';
import { lowerSchema } from './lower-schema.js';
import { EPHEMERAL, type TextBlock, type WireMessage, type WireTool, wireName } from './wire.js';

const DEFAULT_MAX_TOKENS = 8192;
const SMALLEST_THINKING = 1024;
/** Turns that are serialized together; longer lists would survive the first garbage collection. */
const BATCH = 256;

export type RequestTarget = Pick<Provider, 'id' | 'maxOutputTokens' | 'supportsTools' | 'supportsImages'>;

export interface WriteOptions {
  stream?: boolean;
  /** For counting tokens: without limits and sampling. */
  countOnly?: boolean;
  /** The model's output before it paused; it continues from there. */
  paused?: readonly Readonly<Record<string, unknown>>[];
}

/** Writes requests; the serialized conversation is kept, so that a new turn costs only itself. */
export class RequestWriter {
  private bytes = new WrittenBytes();
  private written: Message[] = [];
  private conversation: Conversation | undefined;
  private usesTools = false;

  constructor(private readonly target: RequestTarget) {}

  /** The body, in pieces. */
  write(request: GenerateRequest, options: WriteOptions = {}): Buffer[] {
    const tools = this.target.supportsTools ? (request.tools ?? []) : [];
    const conversation = this.advance(request.messages, tools.length > 0);
    const choice = tools.length > 0 && !options.countOnly ? choiceOf(request.toolChoice) : undefined;
    // A forced call and thinking exclude each other.
    const canThink = conversation.canThink && choice?.type !== 'any' && choice?.type !== 'tool';
    const rest = {
      model: request.model,
      ...(!options.countOnly && sampling(request.settings, this.target, canThink)),
      ...(options.stream && { stream: true }),
      ...systemOf(request),
      ...(tools.length > 0 && { tools: wireTools(tools) }),
      ...(choice && { tool_choice: choice }),
    };
    // Caching costs extra and pays off only for conversations that continue.
    const tail = tools.length > 0 ? withCacheMark(conversation.tail()) : conversation.tail();
    const said = (options.paused ?? []).filter((block) => !isBlankText(block));
    const paused = said.length > 0 ? [{ role: 'assistant', content: said }] : [];
    const last = [...tail, ...paused].map((message) => wireJson(message)).join(',');
    return [
      Buffer.from(`${wireJson(rest).slice(0, -1)},"messages":[`),
      ...this.bytes.pieces(),
      Buffer.from(`${last}]}`),
    ];
  }

  private advance(messages: readonly Message[], usesTools: boolean): Conversation {
    const isContinued = usesTools === this.usesTools && beginsWith(messages, this.written);
    if (!isContinued || !this.conversation) {
      const { id, supportsImages } = this.target;
      this.conversation = new Conversation({ provider: id, supportsImages, usesTools });
      this.usesTools = usesTools;
      this.bytes = new WrittenBytes();
      this.written = [];
    }
    const over: WireMessage[] = [];
    for (let index = this.written.length; index < messages.length; index++) {
      const message = messages[index] as Message;
      this.conversation.add(message, over);
      this.written.push(message);
      if (over.length >= BATCH) this.putTurns(over.splice(0));
    }
    this.putTurns(over);
    return this.conversation;
  }

  /** A list is serialized faster than its items; the brackets are removed. */
  private putTurns(turns: readonly WireMessage[]): void {
    if (turns.length > 0) this.bytes.append(`${wireJson(turns).slice(1, -1)},`);
  }
}

/** From the name on the wire back to the declared one. */
export function toolNames(tools: readonly FunctionDeclaration[] = []): (wire: string) => string {
  const names = new Map(tools.map(({ name }) => [wireName(name), name]));
  return (wire) => names.get(wire) ?? wire;
}

function sampling(settings: GenerationSettings = {}, target: RequestTarget, canThink: boolean) {
  const maxTokens = Math.min(
    settings.maxOutputTokens ?? target.maxOutputTokens ?? DEFAULT_MAX_TOKENS,
    target.maxOutputTokens ?? Number.POSITIVE_INFINITY,
  );
  const budget = canThink ? thinkingBudget(settings, maxTokens) : undefined;
  const { temperature, topP, topK, stopSequences } = settings;
  return {
    max_tokens: maxTokens,
    ...(budget
      ? { thinking: { type: 'enabled', budget_tokens: budget } }
      : {
          ...(temperature !== undefined && { temperature: Math.min(Math.max(temperature, 0), 1) }),
          // Newer models refuse both at once.
          ...(topP !== undefined && temperature === undefined && { top_p: topP }),
          ...(topK !== undefined && { top_k: topK }),
        }),
    ...(stopSequences?.length && { stop_sequences: stopSequences }),
  };
}

/** Only on request: older models of this family refuse it. */
function thinkingBudget({ thinkingConfig }: GenerationSettings, maxTokens: number): number | undefined {
  const level = BUDGET_OF_LEVEL[thinkingConfig?.thinkingLevel?.toLowerCase() ?? ''];
  const wanted = thinkingConfig?.thinkingBudget ?? level;
  if (wanted === undefined || wanted === 0 || maxTokens <= SMALLEST_THINKING) return undefined;
  // -1 leaves the budget to the model, but this API needs a number. The answer needs its share, too.
  const half = Math.floor(maxTokens / 2);
  const budget = wanted < 0 || wanted >= maxTokens ? half : wanted;
  return Math.max(SMALLEST_THINKING, budget);
}

const BUDGET_OF_LEVEL: Readonly<Record<string, number>> = {
  minimal: SMALLEST_THINKING,
  low: 2048,
  medium: 8192,
  high: 16_384,
};

function systemOf({ systemInstruction, settings }: GenerateRequest): { system?: TextBlock[] } {
  const schema = settings?.responseJsonSchema;
  const wantsJson = schema !== undefined || settings?.responseMimeType === 'application/json';
  const texts = [
    systemInstruction ?? '',
    wantsJson ? 'Answer with one JSON value and nothing else, no Markdown around it.' : '',
    schema === undefined ? '' : `It must fit this JSON Schema: ${JSON.stringify(schema)}`,
  ].filter((text) => text.trim());
  if (texts.length === 0) return {};
  return {
    system: texts.map((text, index) => ({
      type: 'text',
      text,
      ...(index === texts.length - 1 && { cache_control: EPHEMERAL }),
    })),
  };
}

function wireTools(tools: readonly FunctionDeclaration[]): WireTool[] {
  return tools.map(({ name, description, parametersJsonSchema }, index) => ({
    name: wireName(name),
    description,
    input_schema: lowerSchema(parametersJsonSchema),
    ...(index === tools.length - 1 && { cache_control: EPHEMERAL }),
  }));
}

const CHOICES = { AUTO: 'auto', ANY: 'any', NONE: 'none' } as const;

/** One name can be required; several cannot. */
function choiceOf(choice: ToolChoice | undefined): { type: string; name?: string } | undefined {
  if (!choice) return undefined;
  const [name, ...others] = choice.allowedFunctionNames ?? [];
  if (choice.mode === 'ANY' && name !== undefined && others.length === 0) {
    return { type: 'tool', name: wireName(name) };
  }
  return { type: CHOICES[choice.mode] };
}

function isBlankText({ type, text }: Readonly<Record<string, unknown>>): boolean {
  return type === 'text' && (typeof text !== 'string' || !text.trim());
}

/** The next request of the same conversation begins with all of this. */
function withCacheMark(turns: WireMessage[]): WireMessage[] {
  const turn = turns.at(-1);
  const block = turn?.content.at(-1);
  if (!turn || !block) return turns;
  const content = [...turn.content.slice(0, -1), { ...block, cache_control: EPHEMERAL }];
  return [...turns.slice(0, -1), { ...turn, content }];
}
