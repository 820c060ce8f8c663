/** Masks secrets in recorded messages, except in ids, media and thought signatures, which a change would break. */
import type { Blob, Content, Part } from '../../protocol/messages.js';
import type { MessageRecord, ToolCallRecord } from '../../protocol/session-record.js';

/** Masks every text in a value; returns the same object when there is nothing to mask. */
export type RedactValue = <T>(value: T) => T;

export function redactRecord(record: MessageRecord, redact: RedactValue): MessageRecord {
  const masked = redact(record);
  if (masked === record) return record;
  const { displayContent, toolCalls } = record;
  return {
    ...masked,
    id: record.id,
    content: restored(masked.content, record.content, redact),
    ...(displayContent !== undefined && {
      displayContent: restored(masked.displayContent, displayContent, redact),
    }),
    ...(toolCalls && {
      toolCalls: (masked.toolCalls ?? []).map((call, index) => restoredCall(call, toolCalls[index], redact)),
    }),
  };
}

/** For exported histories. */
export function redactContents(history: readonly Content[], redact: RedactValue): Content[] {
  return history.map(({ role, parts }) => ({ role, parts: restored(redact(parts), parts, redact) }));
}

function restoredCall(
  masked: ToolCallRecord,
  call: ToolCallRecord | undefined,
  redact: RedactValue,
): ToolCallRecord {
  const { id, thoughtSignature, result } = call ?? masked;
  return {
    ...masked,
    id,
    ...(thoughtSignature && { thoughtSignature }),
    ...(result && masked.result && { result: restored(masked.result, result, redact) }),
  };
}

/** Redaction keeps the shape of a value: a list stays a list, a part stays a part. */
function restored<T extends string | Part | Part[]>(
  masked: T | undefined,
  original: T,
  redact: RedactValue,
): T {
  if (masked === undefined || masked === original || typeof original === 'string') return masked ?? original;
  if (!Array.isArray(original)) return restoredPart(masked as Part, original, redact) as T;
  return (masked as Part[]).map((part, index) => restoredPart(part, original[index] ?? {}, redact)) as T;
}

function restoredPart(part: Part, original: Part, redact: RedactValue): Part {
  // Records of other programs also hold plain strings among the parts.
  if (typeof part !== 'object' || part === null || part === original) return part;
  const { thoughtSignature, inlineData, functionResponse } = original;
  const { parts } = functionResponse ?? {};
  return {
    ...part,
    ...(thoughtSignature && { thoughtSignature }),
    ...(inlineData && part.inlineData && { inlineData: restoredBlob(part.inlineData, inlineData, redact) }),
    ...(functionResponse &&
      part.functionResponse && {
        functionResponse: {
          ...part.functionResponse,
          ...(functionResponse.id && { id: functionResponse.id }),
          ...(parts && { parts: restored(part.functionResponse.parts, parts, redact) }),
        },
      }),
  };
}

const BASE64 = /^[\w+/-]*={0,2}$/;
const TEXT_MEDIA = /^text\/|\b(?:json|xml|yaml|toml|javascript)\b/i;

/** Base64 that looks like a secret is chance, but an attached text may hold a real one. */
function restoredBlob(masked: Blob, { mimeType, data }: Blob, redact: RedactValue): Blob {
  if (typeof data !== 'string' || !BASE64.test(data)) return masked;
  if (!TEXT_MEDIA.test(mimeType)) return { ...masked, data };
  const text = Buffer.from(data, 'base64').toString('utf8');
  const clean = redact(text);
  return { ...masked, data: clean === text ? data : Buffer.from(clean).toString('base64') };
}
