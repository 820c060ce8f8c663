/** Parts of the session export for pages of other servers of the program. */
export type { MessageRecord, ToolCallRecord } from '../../../protocol/session-record.js';
export { diffHtml } from './diff-html.js';
export { escapeHtml, firstWords, readableText } from './escape-html.js';
export { conversationHtml } from './export-html.js';
export { PAGE_STYLE } from './page-style.js';
