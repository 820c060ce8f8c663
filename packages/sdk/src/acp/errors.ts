/** Errors as the client gets them: each is one JSON-RPC code and a sentence. */
import { UserError } from '@gemini-cli/core';

/** The client sent something that cannot be carried out (-32602). */
export class CallerError extends UserError {
  constructor(
    message: string,
    readonly data?: Record<string, unknown>,
  ) {
    super(message);
  }
}

export function unknownSession(sessionId: string): CallerError {
  return new CallerError(`Session not found: ${sessionId}`, { sessionId });
}
