/** Sub-agents as suggestions after an `@`. */
import { type Config, visibleName } from '@gemini-cli/core';
import type { Suggestion } from './types.js';

const MAX_DESCRIPTION = 80;

export function agentSuggestions(
  config: { getAgentRegistry(): Pick<ReturnType<Config['getAgentRegistry']>, 'getAllAgents'> } | undefined,
): Suggestion[] {
  const agents = config?.getAgentRegistry().getAllAgents() ?? [];
  return agents.map(({ name, description }) => ({
    label: `${visibleName(name)} [Agent]`,
    value: name,
    description: visibleName(description).slice(0, MAX_DESCRIPTION),
  }));
}
