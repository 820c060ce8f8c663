// Seed 003, "SDK Integration". Not in the print: the import, and `myTool`.
import { GeminiCliAgent, tool, z } from '@google/gemini-cli-sdk';

const myTool = tool({ name: 'my_tool', description: 'answers', inputSchema: z.object({}) }, () => 'mine');

const agent = new GeminiCliAgent({
  instructions: 'You are a helpful coding assistant.',
  tools: [myTool],
});

// Create a new session
const session = agent.session();
await session.initialize();

// Resume an existing session
// Differs from the print ('existing-id'): the test has stored one.
const resumedSession = agent.session({ sessionId: process.env['EXISTING_ID'] ?? 'existing-id' });
await resumedSession.initialize();

// Stream messages
for await (const event of session.sendStream('Hello!')) {
  console.log(event);
}

// Not in the print: what was resumed is sent, too, and the test continues in the same process.
await resumedSession.send('And you?');
await agent.dispose();
