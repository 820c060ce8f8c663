/** Errors with which a hook or a tool ends a request on purpose. */
import { UserError } from '../base/errors.js';

/** The agent stops; the history so far stays. */
export class StopExecution extends UserError {
  override readonly name = 'StopExecution';
}

/** This request is refused; the session continues. */
export class BlockedExecution extends UserError {
  override readonly name = 'BlockedExecution';
}

/** The same, but a hook has answered instead of the model: prompt and answer stay. */
export class AnsweredInstead extends BlockedExecution {}

/** True: not a failure of the model, so there is no retry. */
export function endsOnPurpose(error: unknown): error is StopExecution | BlockedExecution {
  return error instanceof StopExecution || error instanceof BlockedExecution;
}
