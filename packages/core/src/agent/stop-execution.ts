/** Errors with which a hook or a tool ends a request on purpose. */

/** The agent stops; the history so far stays. */
export class StopExecution extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'StopExecution';
  }
}

/** This request is refused; the session continues. */
export class BlockedExecution extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'BlockedExecution';
  }
}

/** True: not a failure of the model, so there is no retry. */
export function endsOnPurpose(error: unknown): error is StopExecution | BlockedExecution {
  return error instanceof StopExecution || error instanceof BlockedExecution;
}
