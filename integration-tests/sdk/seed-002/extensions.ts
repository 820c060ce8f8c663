// Differs from the print, which has `[...]` for the lists: they are made here.
import { extension, GeminiCliAgent, hook, skillDir, subagent, tool, z } from '@google/gemini-cli-sdk';

const myExtension = extension({
  name: 'my-extension',
  description: '...',
  // Differs from the print, which breaks the line inside the string.
  instructions: 'THESE ARE CONCATENATED WITH OTHER AGENT INSTRUCTIONS',
  tools: [tool({ name: 'ping', description: 'answers pong', inputSchema: z.object({}) }, () => 'pong')],
  skills: [skillDir('./my-skill')],
  hooks: [hook({ event: 'BeforeAgent', name: 'hello' }, () => undefined)],
  subagents: [subagent({ name: 'helper', description: 'helps', instructions: 'Help.' })],
});

// Not in the print: how an agent gets it.
export const agent = new GeminiCliAgent({
  instructions: 'Of the agent.',
  extensions: [myExtension],
});
