/** Resources of MCP servers as suggestions after an `@`. */
import { type Config, visibleName } from '@gemini-cli/core';
import { escapeAtPath } from './at-token.js';
import type { Suggestion } from './types.js';

const MAX_RESOURCES = 1_000;
const MAX_DESCRIPTION = 80;

export function resourceSuggestions(config: Pick<Config, 'getMcpResources'> | undefined): Suggestion[] {
  const resources = config?.getMcpResources()?.list() ?? [];
  return resources.slice(0, MAX_RESOURCES).map(({ server, uri, name, description = name }) => ({
    label: visibleName(`${server}:${uri}`),
    value: escapeAtPath(`${server}:${uri}`),
    description: visibleName(description).slice(0, MAX_DESCRIPTION),
  }));
}
