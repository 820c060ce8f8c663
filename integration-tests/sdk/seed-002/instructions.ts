import { GeminiCliAgent } from '@google/gemini-cli-sdk';

// Differs from the print: it has both forms of `instructions` in one object, which is not TypeScript.
export const agent = new GeminiCliAgent({
  instructions: 'This is a static string instruction', // this is valid
});

export const dynamicAgent = new GeminiCliAgent({
  instructions: (ctx) => `The current time is ${new Date().toISOString()} in session ${ctx.sessionId}.`,
});
