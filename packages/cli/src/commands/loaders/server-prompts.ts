/** The prompts of connected MCP servers, for `McpPromptLoader`. */
import { type Config, promptParts } from '@gemini-cli/core';
import type { PromptSource, ServerPrompt } from './mcp-prompt.js';

export function serverPrompts(config: () => Pick<Config, 'getMcpClientManager'> | undefined): PromptSource {
  return {
    prompts: () => {
      const manager = config()?.getMcpClientManager();
      const clients = (manager?.servers() ?? []).flatMap(({ client }) => client ?? []);
      return clients.flatMap((client) =>
        client.prompts.map(
          (prompt): ServerPrompt => ({
            ...prompt,
            server: client.name,
            get: async (values, signal) => {
              manager?.reports.showDetails();
              return promptParts(await client.getPrompt(prompt.name, values, { signal }));
            },
          }),
        ),
      );
    },
  };
}
