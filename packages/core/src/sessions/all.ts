/** Operations on stored sessions for front ends; loaded on first use. */

export { applyRetention, planRetention } from './cleaning/retention.js';
export { writeBugReport } from './exports/bug-report.js';
export { exportHistoryToFile, exportMarkdown } from './exports/export-markdown.js';
export { exportSessionHtml } from './exports/html/load.js';
export { withTranscripts } from './finding/agent-transcripts.js';
export { projectHashOf } from './finding/project-hash.js';
export { relativeTime } from './finding/relative-time.js';
export { searchSessions } from './finding/search-sessions.js';
export { listSessions, titleOf } from './finding/session-info.js';
export { sessionPlaces } from './finding/session-places.js';
export { SessionSelector } from './finding/session-selector.js';
export { addPrompt, addShellCommand, readPrompts, readShellCommands } from './input-history.js';
export { convertSessionToHistoryFormats, restoredState, toMessages } from './reading/convert.js';
export { RESUME_MAX_BYTES, readSession } from './reading/read-session.js';
export { SessionError } from './session-error.js';
export { isSafeSessionId } from './session-names.js';
export {
  deleteSession,
  exportSession,
  forkSession,
  importSession,
  renameSession,
} from './session-operations.js';
