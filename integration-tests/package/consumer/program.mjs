// A program that uses the engine as a package: one prompt, answered by a replay model. Prints what happened as JSON.
import { existsSync } from 'node:fs';
import { Config, VERSION } from '@gemini-cli/core';
import { ReplayGenerator } from '@gemini-cli/core/testing';

const notices = [];
const config = new Config({
  sessionId: 'consumer-esm',
  targetDir: process.cwd(),
  debugMode: false,
  model: 'any-name',
  interactive: false,
  // Both commands must be found in the line, which takes the shell grammar.
  allowedTools: ['run_shell_command(printf)', 'write_file'],
  contentGenerator: new ReplayGenerator('responses.jsonl', true),
});
await config.initialize();
let answer = '';
const tools = [];
for await (const event of config.getSession().send('Say hello.')) {
  if (event.type === 'content') answer += event.text;
  if (event.type === 'tool_finished') tools.push(`${event.call.request.name}: ${event.call.status}`);
  if (event.type === 'error') throw new Error(event.error.message);
}
const hasSnapshots = existsSync(config.storage.getSnapshotDir());
await config.shutdown();
console.log(JSON.stringify({ version: VERSION, answer, tools, hasSnapshots, notices }));
