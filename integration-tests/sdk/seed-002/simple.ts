import { GeminiCliAgent } from '@google/gemini-cli-sdk';

const simpleAgent = new GeminiCliAgent({
  // Differs from the print ('/path/to/some/dir'): the folder must exist.
  cwd: process.cwd(),
});

// Create a new empty session
const session = simpleAgent.session();

// Resume a specific session by ID
// const session = await simpleAgent.resumeSession('some-session-id');

for await (const chunk of session.sendStream('what does this project do?')) {
  console.log(chunk); // equivalent to JSON streaming chunks
}

// Not in the print: the test continues in the same process.
await simpleAgent.dispose();
