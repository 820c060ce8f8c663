// AfterTool: formats the file that was just written. The formatter is given as arguments:
//   node format.mjs npx --no-install prettier --write
import { spawnSync } from 'node:child_process';

const { tool_input, tool_response } = JSON.parse(await readStdin());
const [program, ...args] = process.argv.slice(2);
if (tool_response.error) process.exit(0);

const { status, error, stderr } = spawnSync(program, [...args, tool_input.file_path], { encoding: 'utf8' });
if (status === 0) {
  // The model must know that the file is no longer what it wrote.
  const additionalContext = `${tool_input.file_path} was formatted. Read it again before the next edit.`;
  console.log(JSON.stringify({ hookSpecificOutput: { additionalContext } }));
} else {
  const why = (error?.message ?? stderr).trim().split('\n')[0];
  console.log(JSON.stringify({ systemMessage: `Not formatted: ${why}` }));
}

async function readStdin() {
  let input = '';
  for await (const chunk of process.stdin) input += chunk;
  return input;
}
