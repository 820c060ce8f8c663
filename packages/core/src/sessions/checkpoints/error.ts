/** Errors of checkpoints; the message is one line for the user. */
import { UserError } from '../../base/errors.js';

export type CheckpointErrorCode =
  | 'UNKNOWN_CHECKPOINT'
  /** The file is not a checkpoint, or cannot be read. */
  | 'UNREADABLE_CHECKPOINT'
  | 'INVALID_TAG'
  /** There is nothing to save yet. */
  | 'EMPTY_CONVERSATION'
  /** Its conversation was held with another sign-in method. */
  | 'OTHER_SIGN_IN'
  /** A request is running. */
  | 'BUSY'
  | 'UNKNOWN_MESSAGE'
  | 'FILES_UNAVAILABLE'
  | 'WRITE_FAILED';

export class CheckpointError extends UserError {
  override readonly name = 'CheckpointError';
  declare readonly code: CheckpointErrorCode;

  constructor(code: CheckpointErrorCode, message: string, cause?: unknown) {
    super(message, { code, cause });
  }
}
