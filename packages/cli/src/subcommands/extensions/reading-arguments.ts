/** Reads the arguments of a verb; a mistake becomes one line with the right form. */
import { codeOf, UserError } from '@gemini-cli/core';
import { oneLine } from '../../output/output.js';

/** @throws UserError that shows the usage */
export function readingArguments<T>(usage: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!codeOf(error)?.startsWith('ERR_PARSE_ARGS')) throw error;
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new UserError(`gemini extensions: ${oneLine(reason)} Usage: gemini extensions ${usage}.`, {
      cause: error,
    });
  }
}
