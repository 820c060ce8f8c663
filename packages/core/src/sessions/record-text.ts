/** Records as lines of text, freed of secrets. */
import type { Part } from '../protocol/messages.js';
import type { MessageRecord, SessionCounts, SessionMetadata } from '../protocol/session-record.js';

/** Masks every text in a value. */
export type RedactValue = <T>(value: T) => T;

/** The fields that an index reads come first. */
export function messageLine(record: MessageRecord, redact: RedactValue): string {
  return `${JSON.stringify(inOrder(redactRecord(record, redact)))}\n`;
}

export function setLine(fields: Partial<SessionMetadata & SessionCounts>): string {
  return `${JSON.stringify({ $set: fields })}\n`;
}

export function setMessagesLine(records: readonly MessageRecord[], redact: RedactValue): string {
  const messages = records.map((record) => inOrder(redactRecord(record, redact)));
  return `${JSON.stringify({ $set: { messages } })}\n`;
}

export function rewindLine(id: string): string {
  return `${JSON.stringify({ $rewindTo: id })}\n`;
}

function inOrder({ id, timestamp, type, origin, notSent, ...rest }: MessageRecord): MessageRecord {
  return { id, timestamp, type, ...(origin && { origin }), ...(notSent && { notSent }), ...rest };
}

/** Proofs of thinking and media are no readable secrets, and worthless when changed. */
function redactRecord(record: MessageRecord, redact: RedactValue): MessageRecord {
  const masked = redact(record);
  if (masked === record) return record;
  return {
    ...masked,
    id: record.id,
    content: Array.isArray(record.content)
      ? restored(masked.content as Part[], record.content)
      : masked.content,
    ...(record.toolCalls && {
      toolCalls: (masked.toolCalls ?? []).map((call, index) => {
        const original = record.toolCalls?.[index];
        return {
          ...call,
          ...(original && { id: original.id }),
          ...(original?.thoughtSignature && { thoughtSignature: original.thoughtSignature }),
          ...(original?.result && call.result && { result: restored(call.result, original.result) }),
        };
      }),
    }),
  };
}

function restored(masked: readonly Part[], original: readonly Part[]): Part[] {
  return masked.map((part, index) => {
    const { thoughtSignature, inlineData, functionResponse } = original[index] ?? {};
    return {
      ...part,
      ...(thoughtSignature && { thoughtSignature }),
      ...(inlineData && { inlineData }),
      ...(functionResponse &&
        part.functionResponse && {
          functionResponse: {
            ...part.functionResponse,
            ...(functionResponse.id && { id: functionResponse.id }),
            ...(functionResponse.parts && { parts: functionResponse.parts }),
          },
        }),
    };
  });
}
