/** How the model and the user are told about pages that were not read. */

export interface LeftOut {
  url: URL;
  reason: string;
}

/** For the end of a result; empty when nothing was left out. */
export function notesOn(leftOut: readonly LeftOut[]): string {
  if (leftOut.length === 0) return '';
  return `\n\nNot fetched:\n${leftOut.map(({ url, reason }) => `- ${url.href}: ${reason}`).join('\n')}`;
}

/** For the user: `Read 2 pages, 1 left out.` */
export function summaryOf(pages: number, leftOut: readonly LeftOut[]): string {
  const missing = leftOut.length > 0 ? `, ${leftOut.length} left out` : '';
  return `Read ${pages} ${pages === 1 ? 'page' : 'pages'}${missing}.`;
}
