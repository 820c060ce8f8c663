/** Lists of `/mcp`: servers with what they offer. */
import type { ListRow } from '../../history/item.js';
import { type McpOffer, type McpServerRow, signInText, statusText } from '../../output/mcp-servers.js';

export interface Shown {
  descriptions: boolean;
  schemas: boolean;
}

export function serverListRow(row: McpServerRow, shown: Shown): ListRow {
  const { extension, description, target, transport, reason } = row;
  const notes = [statusText(row), extension && `from ${extension}`, signInText(row)];
  const detail = [
    shown.descriptions && description ? description : '',
    `${target} (${transport})`,
    reason ?? '',
    ...offers('Tools', row.tools, shown),
    ...offers('Prompts', row.prompts, shown, '/'),
    ...offers('Resources', row.resources, shown),
  ];
  return {
    name: row.name,
    note: notes.filter(Boolean).join(' · '),
    detail: detail.filter((line) => line !== '').join('\n'),
    status: row.status === 'connected' ? 'success' : row.status === 'disconnected' ? 'error' : 'warning',
  };
}

function offers(title: string, all: readonly McpOffer[], shown: Shown, prefix = ''): string[] {
  if (all.length === 0) return [];
  return [`${title}:`, ...all.flatMap((offer) => offerLines(offer, shown, prefix))];
}

function offerLines({ name, description, schema }: McpOffer, shown: Shown, prefix: string): string[] {
  // A name of several lines would look like other entries.
  const head = `- ${prefix}${oneLine(name)}`;
  const lines = [shown.descriptions && description ? `${head}: ${oneLine(description)}` : head];
  if (shown.schemas && schema !== undefined)
    lines.push(
      ...JSON.stringify(schema, null, 2)
        .split('\n')
        .map((line) => `    ${line}`),
    );
  return lines;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
