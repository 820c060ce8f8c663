import { messageOf } from '@gemini-cli/core';
import { GeminiCliError, PolicyError } from '../errors.js';

/** Why a command did not run, as programs match on it. */
export function startFailure(error: unknown): Error {
  if (error instanceof PolicyError) return error;
  return new GeminiCliError(messageOf(error), { code: 'SHELL_START', cause: error });
}
