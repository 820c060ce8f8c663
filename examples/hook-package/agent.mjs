// An agent with all hooks of the package: node agent.mjs "prompt"
import { GeminiCliAgent } from '@gemini-cli/sdk';
import { all } from './hooks.mjs';

const agent = new GeminiCliAgent({ trust: true, approvalMode: 'autoEdit', hooks: all });
const { text, toolCalls } = await agent.send(process.argv[2] ?? 'What can you do?');
await agent.dispose();
for (const { name, status, error } of toolCalls)
  console.log(`${name}: ${status}${error ? ` (${error})` : ''}`);
console.log(text);
