/** Why a command was not run, or failed; with the status of HTTP. */
import { UserError } from '@gemini-cli/core';

export class CommandError extends UserError {
  override readonly name = 'CommandError';
  constructor(
    readonly status: 400 | 404 | 500,
    message: string,
  ) {
    super(message);
  }
}
