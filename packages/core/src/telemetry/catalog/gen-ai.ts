/** Converts messages to OpenTelemetry's conventions for generative models and to the API's request format. */
import type { Message, Part } from '../../protocol/messages.js';

/** The contents of a request, without thoughts, which are never sent; media are replaced by their size. */
export function sentContents(messages: readonly Message[]): { role: string; parts: Part[] }[] {
  return messages.map(({ role, parts }) => ({
    role,
    parts: parts.filter((part) => !part.thought).map(withoutBytes),
  }));
}

export function inputMessages(messages: readonly Message[]): object[] {
  return messages.map(({ role, parts }) => ({
    role: role === 'model' ? 'assistant' : hasToolResponse(parts) ? 'tool' : 'user',
    parts: parts.map(toGenAiPart),
  }));
}

export function outputMessages(parts: readonly Part[], finishReason: string | undefined): object[] {
  return [{ role: 'assistant', parts: parts.map(toGenAiPart), finish_reason: finishReason?.toLowerCase() }];
}

export function systemInstructions(text: string): object[] {
  return [{ type: 'text', content: text }];
}

/** Joins the pieces of a streamed answer, because a secret may be split over two of them. */
export function joinParts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last?.text !== undefined && part.text !== undefined && last.thought === part.thought) {
      joined[joined.length - 1] = { ...last, ...part, text: last.text + part.text };
    } else joined.push(withoutBytes(part));
  }
  return joined;
}

function toGenAiPart(part: Part): object {
  const { functionCall, functionResponse, inlineData, fileData } = part;
  if (functionCall) {
    const { id, name, args } = functionCall;
    return { type: 'tool_call', id, name, arguments: args };
  }
  if (functionResponse) {
    return { type: 'tool_call_response', id: functionResponse.id, response: functionResponse.response };
  }
  if (inlineData) {
    return { type: 'blob', mime_type: inlineData.mimeType, content: sizeOf(inlineData.data) };
  }
  if (fileData) return { type: 'uri', mime_type: fileData.mimeType, uri: fileData.fileUri };
  if (part.text !== undefined) return { type: part.thought ? 'reasoning' : 'text', content: part.text };
  const { thoughtSignature: _, ...rest } = part;
  return { type: 'other', content: rest };
}

function hasToolResponse(parts: readonly Part[]): boolean {
  return parts.some((part) => part.functionResponse);
}

function withoutBytes(part: Part): Part {
  const { inlineData, functionResponse } = part;
  if (inlineData) return { ...part, inlineData: { ...inlineData, data: sizeOf(inlineData.data) } };
  if (!functionResponse?.parts) return part;
  return {
    ...part,
    functionResponse: { ...functionResponse, parts: functionResponse.parts.map(withoutBytes) },
  };
}

function sizeOf(base64: string): string {
  return `[${base64.length} characters of base64]`;
}
