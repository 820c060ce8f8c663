/** A pattern that cannot be searched for; the message says why. */
import { ModelError } from '../../base/errors.js';

export class PatternError extends ModelError {
  override readonly name = 'PatternError';
  constructor(
    message: string,
    /** The parameter, when it is not the search pattern itself. */
    readonly pattern?: string,
  ) {
    super(message);
  }
}

/** A pattern on which a backtracking matcher would never finish. */
export class SlowPatternError extends PatternError {}
