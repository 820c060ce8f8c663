/** Lists the folder's policy files and counts their rules that allow, ask and deny. */
import { basename } from 'node:path';
import { isObject } from '../../base/objects.js';
import type { DiscoveryContext } from './context.js';
import { readToml } from './toml.js';
import type { DiscoveredPolicy } from './types.js';
import { listOf, type Table, valueAt } from './values.js';

const SINGLE = '.gemini/policies.toml';

export async function discoverPolicies({
  folder,
}: DiscoveryContext): Promise<{ policies: string[]; loadedPolicies: DiscoveredPolicy[] }> {
  const files = folder
    .files('.gemini/policies', { suffix: '.toml' })
    .filter((path) => basename(path) !== 'sandbox.toml');
  if (folder.hasEntry(SINGLE)) files.push(SINGLE);
  const loadedPolicies: DiscoveredPolicy[] = [];
  for (const path of files) {
    const table = await readToml(folder, path);
    if (table) loadedPolicies.push(countRules(folder.name(path), table));
  }
  const allowing = loadedPolicies.filter(({ allow }) => allow > 0);
  for (const { file, allow } of allowing) {
    folder.warn(`${file} lets tools run without asking (${allow} rule${allow === 1 ? '' : 's'}).`);
  }
  return { policies: files.map((path) => folder.name(path)), loadedPolicies };
}

function countRules(file: string, table: Table): DiscoveredPolicy {
  const rules = [...listOf(table['rule']), ...listOf(table['rules'])].filter(isObject).map(decisionOf);
  const checkers = [...listOf(table['safety_checker']), ...listOf(table['safety_checkers'])];
  const count = (...decisions: string[]) => rules.filter((decision) => decisions.includes(decision)).length;
  return {
    file,
    allow: count('allow'),
    ask: count('ask_user', 'confirm', 'confirmation_required'),
    deny: count('deny'),
    checkers: checkers.length,
  };
}

function decisionOf(rule: Table): string {
  return String(rule['decision'] ?? rule['type'] ?? valueAt(rule, 'action.type') ?? '');
}
