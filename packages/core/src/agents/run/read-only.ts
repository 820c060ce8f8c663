/** Agents whose tools only read: plan mode allows them. Every call is judged all the same. */
import {
  GLOB,
  GOOGLE_WEB_SEARCH,
  GREP_SEARCH,
  LIST_DIRECTORY,
  READ_FILE,
  READ_MANY_FILES,
} from '../../protocol/tool-names.js';
import type { LocalAgentDefinition } from '../types.js';
import { namedTools } from './tool-view.js';

const READERS: ReadonlySet<string> = new Set([
  LIST_DIRECTORY,
  READ_FILE,
  READ_MANY_FILES,
  GLOB,
  GREP_SEARCH,
  GOOGLE_WEB_SEARCH,
  'get_internal_docs',
]);

export function isReadOnlyAgent(definition: LocalAgentDefinition): boolean {
  const names = namedTools(definition);
  if (!names || definition.openTools || definition.mcpServers) return false;
  return names.every((name) => READERS.has(name));
}
