/** Cleans single turns: removes empty parts and parts of the wrong role, joins split texts. */
import type { Message, Part } from '../../protocol/messages.js';

const repaired = new WeakMap<Message, Message>();

/** The common case: one text, nothing to repair and no call to answer. */
export function isPlainAnswer({ parts }: Message): boolean {
  const part = parts.length === 1 ? parts[0] : undefined;
  return Boolean(part?.text && !part.functionCall);
}

/**
 * Drops a run of answers with an empty or invalid part as a whole. If it called tools, only the empty parts are dropped,
 * because the model must know what the tools did.
 */
export function cleanModelRun(run: readonly Message[]): Message[] {
  const only = run[0];
  if (only && run.length === 1 && isFine(only.parts)) return [only];
  const isSound = run.every(({ parts }) => parts.length > 0 && !parts.some(isEmpty));
  if (!isSound && !run.some(hasCalls)) return [];
  return run.map(repair).filter(({ parts }) => parts.length > 0);
}

/** Removes responses, too: those that answer a call are kept by `answerCalls`. */
export function cleanUserMessage(message: Message): Message {
  if (!message.parts.some(isForeignToUser)) return message;
  return remembered(message, (parts) => parts.filter((part) => !isForeignToUser(part)));
}

function repair(message: Message): Message {
  return remembered(message, (parts) => joinTexts(parts.filter((part) => !isEmpty(part))));
}

function remembered(message: Message, change: (parts: Part[]) => Part[]): Message {
  const known = repaired.get(message);
  if (known) return known;
  const parts = change(message.parts);
  const result = parts.length === message.parts.length ? message : { ...message, parts };
  repaired.set(message, result);
  return result;
}

/** Nothing to drop and nothing to join. Most turns are like that and need no cache entry. */
function isFine(parts: readonly Part[]): boolean {
  let previous: Part | undefined;
  for (const part of parts) {
    if (isEmpty(part) || (previous && isPlainText(previous) && isPlainText(part))) return false;
    previous = part;
  }
  return previous !== undefined;
}

function joinTexts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const previous = joined.at(-1);
    if (previous && isPlainText(previous) && isPlainText(part)) {
      joined[joined.length - 1] = { text: `${previous.text}${part.text}` };
    } else joined.push(part);
  }
  return joined;
}

function isPlainText({ text, thought, thoughtSignature }: Part): boolean {
  return text !== undefined && !thought && thoughtSignature === undefined;
}

/** A thought signature may come without text. Tool responses are user messages, not the model's. */
function isEmpty(part: Part): boolean {
  if (part.functionResponse) return true;
  if (part.functionCall ?? part.inlineData ?? part.fileData) return false;
  if (part.executableCode ?? part.codeExecutionResult ?? part.thoughtSignature) return false;
  return !part.text;
}

function isForeignToUser(part: Part): boolean {
  return part.functionCall !== undefined || part.thought === true || isEmpty(part);
}

function hasCalls({ parts }: Message): boolean {
  return parts.some(({ functionCall }) => functionCall !== undefined);
}
