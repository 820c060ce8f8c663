/** Loads the HTML export on first use. */
import type { ConversationRecord } from '../../../protocol/session-record.js';
import type { HtmlExport } from './export-html.js';

/** One self-contained page, in pieces made lazily. */
export async function exportSessionHtml(
  record: ConversationRecord,
  options: HtmlExport,
): Promise<Iterable<string>> {
  const page = await import('./export-html.js');
  return page.exportSessionHtml(record, options);
}
