/** Errors of session operations, with codes that programs can match. */
import { UserError } from '../base/errors.js';

export type SessionErrorCode =
  | 'NO_SESSIONS_FOUND'
  | 'INVALID_SESSION_IDENTIFIER'
  /** The file is not a session, or cannot be read. */
  | 'UNREADABLE_SESSION'
  /** Another process records it now, or it is the current one. */
  | 'SESSION_IN_USE'
  /** The file could not be written. */
  | 'WRITE_FAILED';

export class SessionError extends UserError {
  override readonly name = 'SessionError';
  declare readonly code: SessionErrorCode;

  constructor(code: SessionErrorCode, message: string, cause?: unknown) {
    super(message, { code, cause });
  }

  static noSessionsFound(): SessionError {
    return new SessionError('NO_SESSIONS_FOUND', 'No previous sessions found for this project.');
  }

  static invalidSessionIdentifier(identifier: string, searchedDir?: string): SessionError {
    const where = searchedDir ? `\n  Searched for sessions in ${searchedDir}.` : '';
    return new SessionError(
      'INVALID_SESSION_IDENTIFIER',
      `Invalid session identifier "${identifier}".${where}\n` +
        '  Use --list-sessions to see available sessions, then --resume {number}, --resume {uuid} or --resume latest.',
    );
  }
}
