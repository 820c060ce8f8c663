/** The only place where our messages become the Gemini API's `contents`. */
import type { Message, Part } from '../../protocol/messages.js';
import { acceptsMediaInToolResponse } from '../catalog.js';
import type { GenerateRequest } from '../content-generator.js';

/** Sent where the API wants proof of thinking that we never got, e.g. from another provider. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

interface WireContent {
  role: 'user' | 'model';
  parts: Part[];
}

export function toRequestBody(request: GenerateRequest): string {
  return JSON.stringify({
    contents: toContents(request.messages, request.model),
    ...(request.systemInstruction && {
      systemInstruction: { parts: [{ text: request.systemInstruction }] },
    }),
    ...(request.tools?.length && { tools: [{ functionDeclarations: request.tools }] }),
    ...(request.settings && { generationConfig: request.settings }),
  });
}

export function toContents(messages: readonly Message[], model: string): WireContent[] {
  const lastPrompt = messages.findLastIndex((message) => message.origin === 'prompt');
  const nestMedia = acceptsMediaInToolResponse(model);
  const contents: WireContent[] = [];
  for (const [index, message] of messages.entries()) {
    const sent = message.parts.filter((part) => !part.thought);
    const parts =
      message.role === 'model'
        ? withSignature(sent, index > lastPrompt)
        : sent.flatMap((part) => placeMedia(part, nestMedia));
    if (parts.length === 0) continue;
    const previous = contents.at(-1);
    if (previous?.role === message.role) previous.parts.push(...parts);
    else contents.push({ role: message.role, parts: [...parts] });
  }
  return contents;
}

/** While a tool loop runs, the first call of each model turn must carry a signature. */
function withSignature(parts: Part[], inLoop: boolean): Part[] {
  if (!inLoop) return parts;
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
