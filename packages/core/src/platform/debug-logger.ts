/** The developer's log for extensions and embedding programs. Core itself uses `createLog` with an area. */
import { createLog, type Log } from './log.js';

export const debugLogger: Log = createLog('debug');
