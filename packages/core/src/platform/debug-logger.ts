/** The seed documents' way to the developer's log, for extensions and embedding programs. Core names its areas. */
import { createLog, type Log } from './log.js';

export const debugLogger: Log = createLog('debug');
