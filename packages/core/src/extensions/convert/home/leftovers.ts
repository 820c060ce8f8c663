/** Agents of the plugin that an older installer has copied as they were: nested, or in Claude Code's form. */
import { join } from 'node:path';
import { parseAgentFile } from '../../../agents/definition/parse-agent-file.js';
import { tryReadText } from '../../../platform/files/try-read.js';
import type { ReportRow } from '../types.js';
import { lookAt } from './home-files.js';

export interface Leftovers {
  /** Files in folders below `agents`, where no agent is loaded from. */
  nested: string[];
  /** Files in the place of an agent of the plugin that this program refuses to load. */
  invalid: Set<string>;
}

/**
 * @param rows the report of the conversion: it names each agent of the plugin and its place here
 * @param isOwned true for files that this or another plugin's manifest lists
 */
export async function findLeftovers(
  home: string,
  rows: readonly ReportRow[],
  isOwned: (path: string) => boolean,
): Promise<Leftovers> {
  const agents = rows.filter(({ kind, action }) => kind === 'agent' && action === 'converted');
  const nested = agents
    .map(({ source }) => source)
    .filter((path) => /^agents\/[^/]+\/.+\.md$/.test(path) && !isOwned(path))
    .filter((path) => lookAt(home, path).kind === 'file');
  const invalid = new Set<string>();
  for (const { target } of agents) {
    if (target === undefined || isOwned(target) || lookAt(home, target).kind !== 'file') continue;
    const { problem } = await parseAgentFile(tryReadText(join(home, target)) ?? '', {
      kind: 'user',
      file: join(home, target),
    });
    if (problem) invalid.add(target);
  }
  return { nested, invalid };
}
