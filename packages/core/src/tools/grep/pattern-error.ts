/** A pattern that cannot be searched for; the message says why. */
export class PatternError extends Error {
  constructor(
    message: string,
    /** The parameter, when it is not the search pattern itself. */
    readonly pattern?: string,
  ) {
    super(message);
    this.name = 'PatternError';
  }
}

/** A pattern on which a backtracking matcher would never finish. */
export class SlowPatternError extends PatternError {}
