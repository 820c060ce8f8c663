/** What DBOS says is for developers; it never writes to our output. */
import { createLog } from '@gemini-cli/core';

const log = createLog('dbos');

export const dbosLog = {
  info: (entry: unknown) => log.debug(String(entry)),
  debug: (entry: unknown) => log.debug(String(entry)),
  warn: (entry: unknown) => log.debug(String(entry)),
  error: (entry: unknown) => log.warn(String(entry)),
};
