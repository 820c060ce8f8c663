/** The only place where our messages become the Gemini API's `contents`. */
import type { Message, Part } from '../../protocol/messages.js';
import { acceptsMediaInToolResponse } from '../catalog.js';
import type { GenerateRequest } from '../content-generator.js';

/** Sent where the API wants proof of thinking that we never got, e.g. from another provider. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

const INITIAL_SIZE = 64 * 1024;

/**
 * Writes requests. A conversation grows at its end, so what was written of it for the last request is kept and
 * only the new messages are added: a run of thousands of turns neither slows down nor leaves garbage behind.
 */
export class RequestWriter {
  private bytes = Buffer.allocUnsafe(INITIAL_SIZE);
  private used = 0;
  /** The messages that stand in `bytes`. */
  private written: Message[] = [];
  private lastRole: Message['role'] | undefined;
  private nestsMedia = false;

  /** The body of a request, in pieces; valid until the next call. */
  write(request: GenerateRequest): Buffer[] {
    const { systemInstruction, tools, settings } = request;
    const rest = JSON.stringify({
      ...(systemInstruction && { systemInstruction: { parts: [{ text: systemInstruction }] } }),
      ...(tools?.length && { tools: [{ functionDeclarations: tools }] }),
      ...(settings && { generationConfig: settings }),
    });
    const tail = rest === '{}' ? ']}' : `],${rest.slice(1)}`;
    return [Buffer.from('{"contents":['), this.contents(request), Buffer.from(tail)];
  }

  private contents({ messages, model }: GenerateRequest): Buffer {
    const nestsMedia = acceptsMediaInToolResponse(model);
    const isContinued =
      nestsMedia === this.nestsMedia && this.written.every((message, index) => message === messages[index]);
    if (!isContinued) {
      this.used = 0;
      this.written = [];
      this.lastRole = undefined;
      this.nestsMedia = nestsMedia;
    }
    for (let index = this.written.length; index < messages.length; index++) {
      const message = messages[index] as Message;
      this.append(message);
      this.written.push(message);
    }
    return this.bytes.subarray(0, this.used);
  }

  private append(message: Message): void {
    const parts = wireParts(message, this.nestsMedia);
    if (parts.length === 0) return;
    const text = parts.map((part) => JSON.stringify(part)).join(',');
    if (message.role === this.lastRole) {
      // Neighbours of one role are one content: its closing brackets give way.
      this.used -= 2;
      this.put(`,${text}]}`);
    } else {
      this.put(`${this.used > 0 ? ',' : ''}{"role":"${message.role}","parts":[${text}]}`);
    }
    this.lastRole = message.role;
  }

  private put(text: string): void {
    const size = Buffer.byteLength(text);
    if (this.used + size > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.used + size, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, this.used);
      this.bytes = larger;
    }
    this.used += this.bytes.write(text, this.used);
  }
}

function wireParts(message: Message, nestsMedia: boolean): Part[] {
  const sent = message.parts.filter((part) => !part.thought).map(withoutForeignSignature);
  return message.role === 'model'
    ? withSignature(sent)
    : sent.flatMap((part) => placeMedia(part, nestsMedia));
}

/** Other providers' proofs of thinking are marked `provider:…`; ours are plain Base64. */
function withoutForeignSignature(part: Part): Part {
  if (!part.thoughtSignature?.includes(':')) return part;
  const { thoughtSignature: _foreign, ...rest } = part;
  return rest;
}

/** The first call of a model turn must carry a signature. */
function withSignature(parts: Part[]): Part[] {
  const first = parts.findIndex((part) => part.functionCall);
  const call = parts[first];
  if (!call || call.thoughtSignature) return parts;
  return parts.with(first, { ...call, thoughtSignature: NO_SIGNATURE });
}

/** Gemini 3 takes media inside the response; older models beside it. */
function placeMedia(part: Part, nest: boolean): Part[] {
  const response = part.functionResponse;
  if (!response?.parts?.length || nest) return [part];
  const { parts, ...bare } = response;
  return [{ ...part, functionResponse: bare }, ...parts];
}
