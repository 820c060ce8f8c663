/** The fields of a remote agent as they are written here. Address and credentials are never changed. */

import { fixName } from './fix-name.js';
import type { FixNotes } from './fix-notes.js';

const KEYS = ['description', 'display_name', 'agent_card_url', 'agent_card_json', 'auth'];
const RENAMED: Readonly<Record<string, string>> = {
  displayName: 'display_name',
  agentCardUrl: 'agent_card_url',
  agentCardJson: 'agent_card_json',
};

export function fixRemoteFields(
  given: Readonly<Record<string, unknown>>,
  notes: FixNotes,
): Record<string, unknown> {
  const entries = Object.entries(given).map(([key, value]) => [RENAMED[key] ?? key, value] as const);
  const data = Object.fromEntries(entries);
  const removed = Object.keys(data).filter((key) => ![...KEYS, 'kind', 'name'].includes(key));
  if (removed.length > 0) notes.changes.push(`Removed ${removed.map((key) => key.slice(0, 60)).join(', ')}.`);
  return {
    kind: 'remote',
    name: fixName(data['name'], 'remote-agent', notes),
    ...Object.fromEntries(KEYS.flatMap((key) => (Object.hasOwn(data, key) ? [[key, data[key]]] : []))),
  };
}
