/** Errors of servers and of the A2A library as one text for the model. */
import { cleanTerminalText } from '../../../base/ansi.js';
import { AppError, codeOf, messageOf } from '../../../base/errors.js';

const MAX_CHARS = 2_000;

export function failureText(error: unknown): string {
  const cause = rootOf(error);
  if (cause instanceof AppError) return cause.message;
  const code = codeOf(cause);
  // The library wraps network errors; its own are texts of the server.
  const text = code ? `The connection failed (${code}).` : messageOf(error);
  return cleanTerminalText(text.slice(0, MAX_CHARS)).trim() || 'The agent failed without a reason.';
}

/** Ours, or one of Node with a code. */
function rootOf(error: unknown): unknown {
  let current = error;
  for (let depth = 0; depth < 5; depth++) {
    if (current instanceof AppError || (codeOf(current) && !isLibraryError(current))) return current;
    const next: unknown = current instanceof Error ? current.cause : undefined;
    if (next === undefined) break;
    current = next;
  }
  return error;
}

function isLibraryError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'transport' in error;
}
