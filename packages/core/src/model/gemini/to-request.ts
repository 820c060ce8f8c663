/** The only place where our messages become the Gemini API's `contents`. */
import type { FunctionResponse, Message, Part } from '../../protocol/messages.js';
import { acceptsMediaInToolResponse } from '../catalog.js';
import type { GenerateRequest, ToolChoice } from '../content-generator.js';
import { beginsWith } from '../wire/begins-with.js';
import { wireJson } from '../wire/wire-json.js';
import { WrittenBytes } from '../wire/written-bytes.js';
import { ownSignature } from './signature.js';

/** Sent where the API requires a thought signature that we never got, e.g. from another provider. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** Turns that are serialized together: a list is faster than its items one by one. */
const BATCH = 256;

const CLOSING = ']}';

interface Content {
  role: Message['role'];
  parts: Part[];
}

/** The body of a request as an object, for people who want to see it. */
export function requestObject(request: GenerateRequest): Record<string, unknown> {
  const body = Buffer.concat(new RequestWriter().write(request)).toString('utf8');
  return { model: request.model, ...JSON.parse(body) };
}

/**
 * Writes requests. A conversation grows at its end, so the bytes of the last request are kept and only new messages
 * are added: a run of thousands of turns neither slows down nor creates garbage.
 */
export class RequestWriter {
  /** Without the brackets that close the last content: it may grow. */
  private bytes = new WrittenBytes();
  private written: Message[] = [];
  private lastRole: Message['role'] | undefined;
  private nestsMedia = false;

  /** @param owner of the thought signatures that may be sent; absent: the signed-in Google service */
  constructor(private readonly owner?: string) {}

  /** The body of a request, in pieces. */
  write(request: GenerateRequest): Buffer[] {
    const { systemInstruction, tools, toolChoice, settings } = request;
    const rest = wireJson({
      ...(systemInstruction && { systemInstruction: { parts: [{ text: systemInstruction }] } }),
      ...toolsOf(request),
      ...(tools?.length &&
        toolChoice && { toolConfig: { functionCallingConfig: callingConfig(toolChoice) } }),
      ...(settings && { generationConfig: settings }),
    });
    this.advance(request);
    const end = this.bytes.isEmpty ? '' : CLOSING;
    const tail = rest === '{}' ? ']}' : `],${rest.slice(1)}`;
    return [Buffer.from('{"contents":['), ...this.bytes.pieces(), Buffer.from(end + tail)];
  }

  private advance({ messages, model }: GenerateRequest): void {
    const nestsMedia = acceptsMediaInToolResponse(model);
    const isContinued = nestsMedia === this.nestsMedia && beginsWith(messages, this.written);
    if (!isContinued) {
      this.bytes = new WrittenBytes();
      this.written = [];
      this.lastRole = undefined;
      this.nestsMedia = nestsMedia;
    }
    const batch: Content[] = [];
    for (let index = this.written.length; index < messages.length; index++) {
      const message = messages[index] as Message;
      this.append(message, batch);
      this.written.push(message);
      if (batch.length >= BATCH) this.putAll(batch.splice(0));
    }
    this.putAll(batch);
  }

  /** Neighbours of one role are one content. */
  private append(message: Message, batch: Content[]): void {
    const parts = wireParts(message, this.nestsMedia, this.owner);
    if (parts.length === 0) return;
    const { role } = message;
    if (role !== this.lastRole) batch.push({ role, parts });
    else if (batch.length > 0) batch.at(-1)?.parts.push(...parts);
    else this.bytes.append(`,${inner(parts)}`);
    this.lastRole = role;
  }

  private putAll(batch: readonly Content[]): void {
    if (batch.length === 0) return;
    const before = this.bytes.isEmpty ? '' : `${CLOSING},`;
    this.bytes.append(before + inner(batch).slice(0, -CLOSING.length));
  }
}

/** A list without its brackets. */
function inner(list: readonly object[]): string {
  return wireJson(list).slice(1, -1);
}

/** Our tools, and those the server runs itself. */
function toolsOf({ tools, serverTools = [] }: GenerateRequest) {
  const list: object[] = serverTools.map((name) => ({ [name]: {} }));
  if (tools?.length) list.unshift({ functionDeclarations: tools });
  return list.length > 0 && { tools: list };
}

/** The API takes names only where a call is required. */
function callingConfig({ mode, allowedFunctionNames: names }: ToolChoice) {
  return { mode, ...(mode === 'ANY' && names?.length && { allowedFunctionNames: names }) };
}

/** The list is new, most of its parts are shared. */
function wireParts({ role, parts }: Message, nestsMedia: boolean, owner: string | undefined): Part[] {
  const sent: Part[] = [];
  for (const part of parts) {
    if (part.thought) continue;
    const own = withKnownMedia(withOwnSignature(part, owner));
    // The part held only the signature.
    if (own !== part && own.text === '') continue;
    if (role === 'model' || nestsMedia || !own.functionResponse?.parts?.length) sent.push(own);
    else sent.push(...mediaBeside(own, own.functionResponse));
  }
  if (role === 'model') addSignature(sent);
  return sent;
}

const KNOWN_MEDIA = /^((image|audio|video|text)\/(?!svg)|application\/pdf\b)/i;

/** One attachment of a kind that the API does not know, e.g. of an MCP server, makes it refuse the whole conversation. */
function withKnownMedia(part: Part): Part {
  const { inlineData, functionResponse } = part;
  if (functionResponse?.parts) {
    const parts = functionResponse.parts.map(withKnownMedia);
    return { ...part, functionResponse: { ...functionResponse, parts } };
  }
  if (!inlineData || KNOWN_MEDIA.test(inlineData.mimeType)) return part;
  const note = Buffer.from(`[${inlineData.mimeType}: not sent, models do not take it]`);
  return { inlineData: { mimeType: 'text/plain', data: note.toString('base64') } };
}

/** A service accepts only its own thought signatures. */
function withOwnSignature(part: Part, owner: string | undefined): Part {
  const { thoughtSignature: marked, ...rest } = part;
  if (marked === undefined) return part;
  const own = ownSignature(marked, owner);
  if (own === marked) return part;
  return own === undefined ? rest : { ...rest, thoughtSignature: own };
}

/** The first call of a model turn must carry a signature. */
function addSignature(parts: Part[]): void {
  const first = parts.findIndex((part) => part.functionCall);
  const call = parts[first];
  if (call && !call.thoughtSignature) parts[first] = { ...call, thoughtSignature: NO_SIGNATURE };
}

/** Gemini 3 takes media inside the response; older models beside it. */
function mediaBeside(part: Part, { parts = [], ...bare }: FunctionResponse): Part[] {
  return [{ ...part, functionResponse: bare }, ...parts];
}
