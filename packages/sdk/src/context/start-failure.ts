import { GeminiCliError, PolicyError } from '../errors.js';

/** Why a command did not run, as programs match on it. */
export function startFailure(error: unknown): Error {
  if (error instanceof PolicyError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new GeminiCliError(message, { code: 'SHELL_START', cause: error });
}
