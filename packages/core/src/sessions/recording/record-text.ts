/** Formats records as lines of JSON with secrets masked. */
import type { MessageRecord, SessionCounts, SessionMetadata } from '../../protocol/session-record.js';
import { type RedactValue, redactRecord } from './redact-record.js';

/** The fields that the index reads come first. */
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
