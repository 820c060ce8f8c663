/** A recorded session as text for the extraction agent; secrets are redacted before anything is cut. */
import { endsOf } from '../../base/cut-text.js';
import type { MessageRecord, ToolCallRecord } from '../../protocol/session-record.js';
import { isUserMessage, textOfRecord } from '../../sessions/reading/message-kinds.js';

const MESSAGE_CHARS = 4_000;
const ARGS_CHARS = 400;
const RESULT_CHARS = 600;

export type Redact = (text: string) => string;

/** One text per message with content, numbered from 1. */
export function transcriptOf(messages: readonly MessageRecord[], redact: Redact): string[] {
  const texts: string[] = [];
  for (const message of messages) {
    const body = bodyOf(message, redact);
    if (body !== '') texts.push(`[${texts.length + 1}] ${body}`);
  }
  return texts;
}

function bodyOf(message: MessageRecord, redact: Redact): string {
  if (message.type === 'user')
    return isUserMessage(message) ? `User: ${cleaned(textOfRecord(message), MESSAGE_CHARS, redact)}` : '';
  if (message.type !== 'gemini') return '';
  const said = cleaned(textOfRecord(message), MESSAGE_CHARS, redact);
  const calls = (message.toolCalls ?? []).map((call) => callText(call, redact));
  return [...(said ? [`Agent: ${said}`] : []), ...calls].join('\n');
}

function callText({ name, args, status, result }: ToolCallRecord, redact: Redact): string {
  const given = cleaned(JSON.stringify(args) ?? '', ARGS_CHARS, redact);
  const came = (result ?? [])
    .map(
      ({ functionResponse, text }) =>
        text ?? (functionResponse ? responseText(functionResponse.response) : ''),
    )
    .join('\n');
  const shown = cleaned(came, RESULT_CHARS, redact);
  return `Tool ${name} ${given} -> ${status}${shown ? `\n${shown}` : ''}`;
}

function responseText(response: Readonly<Record<string, unknown>>): string {
  const { output, error } = response;
  const value = output ?? error ?? response;
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Cuts the middle: beginning and end say most. */
function cleaned(text: string, most: number, redact: Redact): string {
  const clean = redact(text).trim();
  if (clean.length <= most) return clean;
  const half = Math.floor(most / 2);
  const { head, tail } = endsOf(clean, half, half);
  return `${head}\n[… ${clean.length - 2 * half} characters …]\n${tail}`;
}
