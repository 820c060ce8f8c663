/** How a hook or a tool ends a request without a failure. */
import { UserError } from '../base/errors.js';

/** The agent stops; what was said and done so far stays. */
export class StopExecution extends UserError {
  override readonly name = 'StopExecution';
}

/** This request is refused; the session goes on. */
export class BlockedExecution extends UserError {
  override readonly name = 'BlockedExecution';
}

/** True: not a failure of a model, so nothing is to be tried again. */
export function endsOnPurpose(error: unknown): error is StopExecution | BlockedExecution {
  return error instanceof StopExecution || error instanceof BlockedExecution;
}
