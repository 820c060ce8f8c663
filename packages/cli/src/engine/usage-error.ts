import { UserError } from '@gemini-cli/core';

/** A command line that is wrong only together with the settings: the help follows the message. */
export class UsageError extends UserError {
  override readonly name: string = 'UsageError';
}
