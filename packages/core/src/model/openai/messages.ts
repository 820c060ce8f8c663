/** Converts a run of messages of one role to chat messages. It depends only on the calls of the run before. */
import type { FunctionResponse, Message, Part } from '../../protocol/messages.js';
import { wireJson } from '../wire/wire-json.js';
import { wireId, wireName } from './names.js';
import { unpackDetails } from './reasoning-details.js';
import type { ChatMessage, ContentPiece, ToolCall } from './wire.js';

export interface LoweringOptions {
  /** Id of the provider. */
  provider: string;
  tools: boolean;
  images: boolean;
}

/** A call that the next run has to answer. */
export interface OpenCall {
  /** The id in the history. */
  id: string | undefined;
  name: string;
  wireId: string;
}

export interface Lowered {
  messages: ChatMessage[];
  open: OpenCall[];
}

const NO_RESPONSE = 'Error: this call was not answered; whether it ran is not known.';

/** Whether a part of the message is sent at all; thoughts are not. */
export function isSent(message: Message): boolean {
  return message.parts.some((part) => !part.thought && (part.text !== '' || part.functionCall !== undefined));
}

/** @param run neighbours of one role, @param number of the run, for ids that are missing */
export function lowerRun(
  run: readonly Message[],
  open: readonly OpenCall[],
  number: number,
  options: LoweringOptions,
): Lowered {
  return run[0]?.role === 'model'
    ? lowerModelRun(run, number, options)
    : { messages: lowerUserRun(run, open, options), open: [] };
}

/** Replaces answers that never came. */
export function missingAnswers(open: readonly OpenCall[]): ChatMessage[] {
  return open.map((call) => ({ role: 'tool', tool_call_id: call.wireId, content: NO_RESPONSE }));
}

function lowerModelRun(run: readonly Message[], number: number, options: LoweringOptions): Lowered {
  const open: OpenCall[] = [];
  const calls: ToolCall[] = [];
  const texts: string[] = [];
  let used: Set<string> | undefined;
  let details: unknown[] | undefined;
  for (const { parts } of run) {
    let text = '';
    for (const part of parts) {
      if (part.thought) continue;
      const { functionCall } = part;
      details ??= unpackDetails(options.provider, part.thoughtSignature);
      if (!functionCall) text += modelText(part);
      else if (!options.tools) text += callAsText(functionCall.name, functionCall.args);
      else {
        const wanted = wireId(functionCall.id || `call_${number}_${calls.length}`);
        used ??= new Set();
        const id = used.has(wanted) ? `call_${number}_${calls.length}` : wanted;
        used.add(id);
        open.push({ id: functionCall.id, name: functionCall.name, wireId: id });
        calls.push({
          id,
          type: 'function',
          function: { name: wireName(functionCall.name), arguments: wireJson(functionCall.args ?? {}) },
        });
      }
    }
    if (text) texts.push(text);
  }
  const message: ChatMessage = {
    role: 'assistant',
    content: texts.length > 0 ? texts.join('\n\n') : null,
  };
  if (calls.length > 0) message.tool_calls = calls;
  if (details) message.reasoning_details = details;
  return { messages: [message], open };
}

function modelText(part: Part): string {
  if (part.text !== undefined) return part.text;
  if (part.executableCode)
    return `\n\`\`\`${part.executableCode.language.toLowerCase()}\n${part.executableCode.code}\n\`\`\`\n`;
  if (part.codeExecutionResult) return `\n[output of the code]\n${part.codeExecutionResult.output ?? ''}\n`;
  return mediaNote(part);
}

/** Answers to the calls first, in order of the calls; then the user's text, and the media of both. */
function lowerUserRun(
  run: readonly Message[],
  open: readonly OpenCall[],
  options: LoweringOptions,
): ChatMessage[] {
  const usual = lowerUsualTurn(run, open);
  if (usual) return [usual];
  const messages: ChatMessage[] = [];
  const pieces: ContentPiece[] = [];
  const stray = answerCalls(run, open, messages, pieces, options);
  for (const { parts } of run) {
    for (const part of parts) {
      const response = part.functionResponse;
      if (part.thought) continue;
      if (!response) addPieces(part, pieces, options);
      else if (stray.has(response)) {
        // Its call was compressed away, or tools are disabled: the content is still useful.
        pieces.push({ type: 'text', text: `[result of ${response.name}]\n${responseText(response)}` });
        addMedia(response, pieces, options);
      }
    }
  }
  if (pieces.length > 0) messages.push({ role: 'user', content: joinPieces(pieces) });
  return messages;
}

/** Shortcut for the most frequent turns: the result of the only call, or a text while no call is open. */
function lowerUsualTurn(run: readonly Message[], open: readonly OpenCall[]): ChatMessage | undefined {
  const parts = run[0]?.parts;
  const part = parts?.[0];
  if (!part || part.thought || run.length > 1 || parts.length > 1 || open.length > 1) return undefined;
  const { text, functionResponse: response } = part;
  const call = open[0];
  if (!call) return text && !response ? { role: 'user', content: text } : undefined;
  if (!call.id || response?.id !== call.id || response.parts?.length) return undefined;
  return { role: 'tool', tool_call_id: call.wireId, content: responseText(response) };
}

const NONE: ReadonlySet<FunctionResponse> = new Set();

/** One message per call; responses without a call are left over. */
function answerCalls(
  run: readonly Message[],
  open: readonly OpenCall[],
  messages: ChatMessage[],
  pieces: ContentPiece[],
  options: LoweringOptions,
): ReadonlySet<FunctionResponse> {
  const responses: FunctionResponse[] = [];
  for (const { parts } of run) {
    for (const { functionResponse } of parts) if (functionResponse) responses.push(functionResponse);
  }
  if (responses.length === 0) {
    messages.push(...missingAnswers(open));
    return NONE;
  }
  const left = new Set(responses);
  const answers = matchResponses(open, left);
  for (const [index, call] of open.entries()) {
    const response = answers[index];
    if (response) {
      messages.push({ role: 'tool', tool_call_id: call.wireId, content: responseText(response) });
      addMedia(response, pieces, options);
    } else messages.push(...missingAnswers([call]));
  }
  return left;
}

/** By id; without matching ids, by name in order. Removes what it finds from `left`. */
function matchResponses(
  open: readonly OpenCall[],
  left: Set<FunctionResponse>,
): (FunctionResponse | undefined)[] {
  const take = (fits: (response: FunctionResponse) => boolean) => {
    for (const response of left) {
      if (!fits(response)) continue;
      left.delete(response);
      return response;
    }
    return undefined;
  };
  const answers = open.map((call) => (call.id ? take(({ id }) => id === call.id) : undefined));
  return answers.map((answer, index) => answer ?? take(({ id, name }) => !id && name === open[index]?.name));
}

function responseText({ response }: FunctionResponse): string {
  const { output, error } = response;
  const keys = Object.keys(response).length;
  const text =
    keys === 1 && typeof output === 'string'
      ? output
      : keys === 1 && typeof error === 'string'
        ? error
        : wireJson(response);
  // Some servers refuse a message without content.
  return text || '(no output)';
}

function addMedia(response: FunctionResponse, pieces: ContentPiece[], options: LoweringOptions): void {
  if (!response.parts?.length) return;
  pieces.push({ type: 'text', text: `[from ${response.name}]` });
  for (const part of response.parts) addPieces(part, pieces, options);
}

function addPieces(part: Part, pieces: ContentPiece[], options: LoweringOptions): void {
  const text = part.text ?? (part.functionCall ? '' : undefined);
  if (text !== undefined) {
    if (text) pieces.push({ type: 'text', text });
    return;
  }
  const url = options.images ? imageUrl(part) : undefined;
  if (url) pieces.push({ type: 'image_url', image_url: { url } });
  else pieces.push({ type: 'text', text: modelText(part) });
}

function imageUrl({ inlineData, fileData }: Part): string | undefined {
  if (inlineData?.mimeType.startsWith('image/'))
    return `data:${inlineData.mimeType};base64,${inlineData.data}`;
  if (!fileData?.mimeType.startsWith('image/')) return undefined;
  return fileData.fileUri.startsWith('https:') ? fileData.fileUri : undefined;
}

function mediaNote({ inlineData, fileData }: Part): string {
  if (inlineData) {
    const bytes = Math.floor((inlineData.data.length * 3) / 4);
    return `[${inlineData.mimeType}, ${bytes} bytes: not sent, this model does not take it]`;
  }
  return fileData
    ? `[${fileData.mimeType} at ${fileData.fileUri}: not sent, this model does not take it]`
    : '';
}

function callAsText(name: string, args: unknown): string {
  return `\n[called ${name} with ${JSON.stringify(args ?? {})}]\n`;
}

/** A plain string where possible: not every server understands lists. */
function joinPieces(pieces: ContentPiece[]): string | ContentPiece[] {
  let text = '';
  for (const [index, piece] of pieces.entries()) {
    if (piece.type !== 'text') return pieces;
    text = index === 0 ? piece.text : `${text}\n\n${piece.text}`;
  }
  return text;
}
