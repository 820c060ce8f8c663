/** What hooks changed in the stable form, applied to our own requests and answers. Wrong types are skipped. */
import { isObject } from '../../base/objects.js';
import type {
  GenerateRequest,
  GenerateResponse,
  GenerationSettings,
  ToolChoice,
} from '../../model/content-generator.js';
import type { Message } from '../../protocol/messages.js';
import { hasText, isText } from './to-llm.js';

/**
 * Only what the hook names changes: system instruction, tools, media, calls and every other option stay.
 * @param resolveModel from a name or alias to a model
 */
export function applyRequest(
  request: GenerateRequest,
  edited: Record<string, unknown>,
  resolveModel: (name: string) => string,
): GenerateRequest {
  const { model, messages, config } = edited;
  const given = Array.isArray(messages) ? messages.filter(isMessage) : undefined;
  const isOtherModel = typeof model === 'string' && model !== '' && model !== request.model;
  return {
    ...request,
    ...(isOtherModel && { model: resolveModel(model) }),
    ...(given && withMessages(request, given)),
    ...(isObject(config) && { settings: { ...request.settings, ...settingsOf(config) } }),
  };
}

interface GivenMessage {
  role: 'user' | 'model' | 'system';
  content: string;
}

function isMessage(value: unknown): value is GivenMessage {
  if (!isObject(value) || typeof value['content'] !== 'string') return false;
  return value['role'] === 'user' || value['role'] === 'model' || value['role'] === 'system';
}

/** One to one with the messages that have text; surplus ones are appended, missing ones stay as they are. */
function withMessages(
  request: GenerateRequest,
  given: readonly GivenMessage[],
): Pick<GenerateRequest, 'messages' | 'systemInstruction'> {
  const spoken = given.filter((message): message is GivenMessage & { role: 'user' | 'model' } => {
    return message.role !== 'system';
  });
  let next = 0;
  const messages = request.messages.map((message) => {
    if (!hasText(message)) return message;
    const edit = spoken[next++];
    return edit ? withText(message, edit.content) : message;
  });
  const surplus = spoken.slice(next).map(({ role, content }): Message => {
    return { role, origin: role === 'model' ? 'model' : 'correction', parts: [{ text: content }] };
  });
  const rules = given
    .filter(({ role, content }) => role === 'system' && !request.systemInstruction?.includes(content))
    .map(({ content }) => content);
  const systemInstruction = [request.systemInstruction ?? '', ...rules].filter(Boolean).join('\n\n');
  return {
    messages: [...messages, ...surplus],
    ...(systemInstruction !== '' && { systemInstruction }),
  };
}

/** The new text stands where the first text was; other parts stay. */
function withText(message: Message, text: string): Message {
  const before = message.parts.filter(isText);
  if (before.map((part) => part.text).join('') === text) return message;
  const [first] = before;
  const parts = message.parts.flatMap((part) => {
    if (!isText(part)) return [part];
    return part === first && text !== '' ? [{ ...part, text }] : [];
  });
  // Providers refuse a message without parts.
  return { ...message, parts: parts.length > 0 ? parts : [{ text }] };
}

const NUMBERS = [
  'temperature',
  'maxOutputTokens',
  'topP',
  'topK',
  'candidateCount',
  'presencePenalty',
  'frequencyPenalty',
] as const;

function settingsOf(config: Record<string, unknown>): GenerationSettings {
  const { stopSequences } = config;
  const numbers = NUMBERS.flatMap((key) =>
    typeof config[key] === 'number' && Number.isFinite(config[key]) ? [[key, config[key]]] : [],
  );
  return {
    ...Object.fromEntries(numbers),
    ...(Array.isArray(stopSequences) && {
      stopSequences: stopSequences.filter((text) => typeof text === 'string'),
    }),
  };
}

/** Undefined: nothing is restricted. Names without a mode count as `AUTO`. */
export function toToolChoice(config: unknown): ToolChoice | undefined {
  if (!isObject(config)) return undefined;
  const mode = (['AUTO', 'ANY', 'NONE'] as const).find((known) => known === config['mode']);
  const { allowedFunctionNames: names } = config;
  if (!mode && !Array.isArray(names)) return undefined;
  return {
    mode: mode ?? 'AUTO',
    ...(Array.isArray(names) &&
      mode !== 'NONE' && { allowedFunctionNames: names.filter((name) => typeof name === 'string') }),
  };
}

/** A hook's answer. Undefined: it has no text. */
export function toResponse(given: unknown): GenerateResponse | undefined {
  if (!isObject(given)) return undefined;
  const { candidates, text, usageMetadata } = given;
  const read = (Array.isArray(candidates) ? candidates : []).filter(isObject).map(toCandidate);
  const spoken = read.some(({ content }) => content.parts.length > 0);
  if (!spoken && typeof text !== 'string') return undefined;
  const made = spoken ? read : [{ ...read[0], content: contentOf([{ text: String(text) }]) }];
  return { candidates: made, ...(isObject(usageMetadata) && { usageMetadata: countsOf(usageMetadata) }) };
}

const COUNTS = ['promptTokenCount', 'candidatesTokenCount', 'totalTokenCount'] as const;

function countsOf(usage: Record<string, unknown>): Record<string, number> {
  return Object.fromEntries(
    COUNTS.flatMap((key) => (typeof usage[key] === 'number' ? [[key, usage[key]] as const] : [])),
  );
}

function toCandidate({ content, finishReason, index }: Record<string, unknown>) {
  const parts = isObject(content) && Array.isArray(content['parts']) ? content['parts'] : [];
  const texts = parts
    .map((part: unknown) => (isObject(part) ? part['text'] : part))
    .filter((text): text is string => typeof text === 'string' && text !== '');
  return {
    content: contentOf(texts.map((text) => ({ text }))),
    ...(typeof finishReason === 'string' && { finishReason }),
    ...(typeof index === 'number' && { index }),
  };
}

function contentOf(parts: { text: string }[]): { role: 'model'; parts: { text: string }[] } {
  return { role: 'model', parts };
}
