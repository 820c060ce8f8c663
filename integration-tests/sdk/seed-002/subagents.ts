import { GeminiCliAgent, subagent } from '@google/gemini-cli';

const mySubagent = subagent({
  name: 'my-subagent',
  description: 'when the subagent should be used',

  // simple prompt agent with static string or dynamic string
  instructions: 'the instructions',
});

// Differs from the print: it shows the three forms in one object, which is not TypeScript.
const dynamicSubagent = subagent({
  name: 'dynamic-subagent',
  description: 'when the subagent should be used',
  instructions: (prompt, ctx) => `can also be dynamic with context: ${prompt} in ${ctx.sessionId}`,
});

const fullSubagent = subagent({
  name: 'full-subagent',
  description: 'when the subagent should be used',
  // pass a full standalone agent
  // Differs from the print, which has `...` for the options.
  agent: new GeminiCliAgent({ instructions: 'I am a whole agent.' }),
});

export const agent = new GeminiCliAgent({
  subagents: [mySubagent, dynamicSubagent, fullSubagent],
});
