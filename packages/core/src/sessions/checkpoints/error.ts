/** What can be wrong with a wish for a checkpoint. One line for the user each. */
import { UserError } from '../../base/errors.js';

export type CheckpointErrorCode =
  | 'UNKNOWN_CHECKPOINT'
  /** The file is no checkpoint, or cannot be read. */
  | 'UNREADABLE_CHECKPOINT'
  | 'INVALID_TAG'
  /** There is nothing to save yet. */
  | 'EMPTY_CONVERSATION'
  /** It belongs to a conversation under another way of signing in. */
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
