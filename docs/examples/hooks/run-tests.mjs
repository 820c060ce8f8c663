// AfterAgent: runs the tests before the agent stops; if they fail, the model has to go on.
// The command is given as arguments: node run-tests.mjs npm test
import { spawnSync } from 'node:child_process';

const { stop_hook_active } = JSON.parse(await readStdin());
const [program, ...args] = process.argv.slice(2);

const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
if (status === 0) {
  console.log(JSON.stringify({ systemMessage: 'The tests pass.' }));
} else if (stop_hook_active) {
  // The model has tried once more; now it is up to the user.
  console.log(JSON.stringify({ systemMessage: 'The tests still fail.' }));
} else {
  const output = `${stdout}${stderr}`.trimEnd().split('\n').slice(-40).join('\n');
  console.log(JSON.stringify({ decision: 'deny', reason: `The tests fail. Correct this:\n${output}` }));
}

async function readStdin() {
  let input = '';
  for await (const chunk of process.stdin) input += chunk;
  return input;
}
