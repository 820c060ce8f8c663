import { GeminiCliAgent, tool, z } from '@google/gemini-cli-sdk';

const addTool = tool(
  {
    name: 'add',
    description: 'add two numbers',
    inputSchema: z.object({
      a: z.number().describe('first number to add'),
      b: z.number().describe('second number to add'),
    }),
  },
  // Differs from the print: `(({a, b}) => ({result: a + b}),);` has a parenthesis too many.
  ({ a, b }) => ({ result: a + b }),
);

const toolAgent = new GeminiCliAgent({
  tools: [addTool],
});

const result = await toolAgent.send('what is 23 + 79?');
console.log(result.text);

// Not in the print: the test continues in the same process.
await toolAgent.dispose();
