/** What front ends do with stored sessions; loaded when one of them asks. */

export { writeBugReport } from './bug-report.js';
export { convertSessionToHistoryFormats, restoredState, toMessages } from './convert.js';
export { exportHistoryToFile, exportMarkdown } from './export-markdown.js';
export { exportSessionHtml } from './html/load.js';
export { addPrompt, addShellCommand, readPrompts, readShellCommands } from './input-history.js';
export { projectHashOf } from './project-hash.js';
export { RESUME_MAX_BYTES, readSession } from './read-session.js';
export { relativeTime } from './relative-time.js';
export { applyRetention, planRetention } from './retention.js';
export { searchSessions } from './search-sessions.js';
export { SessionError } from './session-error.js';
export { listSessions, titleOf } from './session-info.js';
export { isSafeSessionId } from './session-names.js';
export {
  deleteSession,
  exportSession,
  forkSession,
  importSession,
  renameSession,
} from './session-operations.js';
export { sessionPlaces } from './session-places.js';
export { SessionSelector } from './session-selector.js';
