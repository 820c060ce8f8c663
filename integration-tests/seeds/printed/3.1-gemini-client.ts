// Seed 004 §3.1, the usage pattern. Around it: a function, so that a test can run it and read what it prints.
import type { Config } from '@gemini-cli/core';

export async function printAnswer(config: Config, console: Pick<Console, 'log' | 'error'>): Promise<void> {
  const client = config.getGeminiClient();
  await client.initialize();

  for await (const event of client.sendMessageStream("Hello")) {
    switch (event.type) {
      case 'text':
        console.log(event.content);
        break;
      case 'tool_call':
        // Handle tool execution
        break;
      case 'error':
        console.error(event.error);
        break;
    }
  }
}
