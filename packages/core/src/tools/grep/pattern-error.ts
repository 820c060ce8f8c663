/** A pattern that cannot be searched for; the message says why. */
export class PatternError extends Error {
  constructor(
    message: string,
    /** When it is not the search pattern itself. */
    readonly pattern?: string,
  ) {
    super(message);
    this.name = 'PatternError';
  }
}

/** A pattern on which a backtracking matcher would spend for ever. */
export class SlowPatternError extends PatternError {}
