/** Warns about hooks, servers and protective settings that have no effect yet, at every start and in `gemini doctor`. */
import { visibleName } from '../../base/visible-text.js';
import type { Settings } from '../schema/index.js';

export function idleGuards({ hooks = {}, hooksConfig, security, mcpServers = {} }: Settings): string[] {
  const found: string[] = [];
  const withHooks = Object.entries(hooks).filter(([, groups]) => groups.some((group) => group.hooks?.length));
  const events = withHooks.map(([event]) => event);
  if (events.length > 0 && hooksConfig?.enabled !== false)
    found.push(`hooks (${events.join(', ')}): hooks are not run yet, so they block nothing.`);
  const extensions = 'extensions are not supported yet, so this has no effect.';
  if (security?.blockGitExtensions) found.push(`security.blockGitExtensions: ${extensions}`);
  if (security?.allowedExtensions?.length) found.push(`security.allowedExtensions: ${extensions}`);
  const servers = Object.keys(mcpServers).filter((name) => mcpServers[name]?.disabled !== true);
  return [
    ...found.map((text) => `Security: ${text}`),
    ...(servers.length > 0
      ? [
          `mcpServers (${servers.map(visibleName).join(', ')}): MCP servers are not started yet; their tools are missing.`,
        ]
      : []),
  ];
}
