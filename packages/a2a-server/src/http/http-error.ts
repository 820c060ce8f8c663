/** A request that is refused before, or apart from, the A2A protocol. */
import { UserError } from '@gemini-cli/core';

export class HttpError extends UserError {
  override readonly name = 'HttpError';

  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

export function tooMany(what: string): HttpError {
  return new HttpError(429, `This server has too many ${what} now. Try again later.`, { 'retry-after': '5' });
}
