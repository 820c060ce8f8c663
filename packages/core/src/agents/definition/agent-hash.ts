/** What the user acknowledges about a project's agent: a change of it asks again. */
import type { AgentDefinition } from '../types.js';

/**
 * Of a local agent the hash of its file. Of a remote one its address, or the hash of its card; with credentials also
 * their hash, because they may name a command (`!command`) to run.
 */
export function hashOf(definition: AgentDefinition, fileText: string): string {
  if (definition.kind === 'local') return sha256(fileText);
  const { agentCardUrl, agentCardJson, auth } = definition;
  const card = agentCardUrl ?? sha256(agentCardJson ?? '');
  return auth ? `${card} auth ${sha256(JSON.stringify(auth))}` : card;
}

/** Loaded here: a start whose agents are known needs none. */
function sha256(text: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(text).digest('hex');
}
