// AfterTool: one line of JSON per tool call, in tool-calls.jsonl of the project.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const { timestamp, session_id, tool_name, tool_input, tool_response } = JSON.parse(await readStdin());
const line = {
  time: timestamp,
  session: session_id,
  tool: tool_name,
  // What the arguments are about, not what is in them.
  target: tool_input.file_path ?? tool_input.dir_path ?? tool_input.command ?? tool_input.url,
  failed: Boolean(tool_response.error),
};
appendFileSync(join(process.env.GEMINI_PROJECT_DIR, 'tool-calls.jsonl'), `${JSON.stringify(line)}\n`);

async function readStdin() {
  let input = '';
  for await (const chunk of process.stdin) input += chunk;
  return input;
}
