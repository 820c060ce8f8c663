/** The way to the page that does not load it with the rest of the sessions. */
import type { ConversationRecord } from '../../../protocol/session-record.js';
import type { HtmlExport } from './export-html.js';

/** One self-contained page, in pieces that are made as they are taken. */
export async function exportSessionHtml(
  record: ConversationRecord,
  options: HtmlExport,
): Promise<Iterable<string>> {
  const page = await import('./export-html.js');
  return page.exportSessionHtml(record, options);
}
