/** `/rewind` as a user does it: back to an earlier prompt with the files, and forward again. */
import { readdirSync } from 'node:fs';
import { callTool, text } from '@gemini-cli/test-utils';
import { type Screen, type TestRig, testRig } from '@gemini-cli/test-utils/rig';
import { expect, it } from 'vitest';

const LONG = { timeoutMs: 50_000 };

/** Every workspace file with its bytes. */
function filesOf(rig: TestRig): Record<string, string> {
  const { workspace } = rig;
  const names = readdirSync(workspace, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(workspace.length + 1))
    .sort();
  return Object.fromEntries(names.map((name) => [name, rig.readBytes(name).toString('base64')]));
}

async function command(screen: Screen, line: string): Promise<void> {
  screen.type(line);
  await screen.waitFor(`* ${line}`, LONG);
  screen.press('Enter');
}

const STEPS = [
  callTool('write_file', { file_path: 'a.txt', content: 'first\r\nno end' }),
  callTool('run_shell_command', {
    command: "printf '\\000\\377\\001' > raw.bin; mkdir -p deep/er; mv keep.txt deep/er/kept.txt",
  }),
  callTool('write_file', { file_path: 'a.txt', content: 'third\n' }),
  callTool('run_shell_command', { command: "rm raw.bin; printf 'ü\\n' > deep/new.txt" }),
  callTool('replace', { file_path: 'a.txt', instruction: 'x', old_string: 'third', new_string: 'fifth' }),
];

it('/rewind goes back to turn 3 with the files, then forward again, byte for byte', {
  timeout: 180_000,
}, async () => {
  const rig = await testRig({ files: { 'keep.txt': 'keep me' } });
  rig.model.replies(...STEPS.flatMap((step, at) => [[step], [text(`Done ${at + 1}.`)]]));
  const screen = await rig.screen(['-y'], { rows: 40 });
  const states: Record<string, string>[] = [];
  for (const at of STEPS.keys()) {
    states.push(filesOf(rig));
    screen.type(`prompt number ${at + 1}\r`);
    await screen.waitFor(`✦ Done ${at + 1}.`, LONG);
    await screen.waitFor('Type your message', LONG);
  }
  const after = filesOf(rig);
  expect(states[2]).not.toEqual(after);

  await command(screen, '/rewind');
  await screen.waitFor(/3\. prompt number 3[\s\S]*5\. prompt number 5[\s\S]*Stay at current/, LONG);
  screen.type('3');
  await screen.waitFor('Back to before: prompt number 3', LONG);
  screen.type('1');
  await screen.waitFor('Rewound 3 prompts', LONG);
  await screen.waitFor('* prompt number 3', LONG);
  expect(filesOf(rig)).toEqual(states[2]);

  screen.press('Ctrl+C');
  await screen.waitFor('Type your message', LONG);
  await command(screen, '/rewind');
  await screen.waitFor('Undo the last rewind', LONG);
  screen.press('Down', 'Enter');
  await screen.waitFor('Undid the last rewind', LONG);
  expect(filesOf(rig)).toEqual(after);

  rig.model.replies([text('All five.')]);
  screen.type('how many?\r');
  await screen.waitFor('✦ All five.', LONG);
  const sent = JSON.stringify(rig.model.requests.at(-1)?.body.contents);
  for (const at of STEPS.keys()) expect(sent).toContain(`prompt number ${at + 1}`);
  screen.kill('SIGHUP');
  await screen.exit;

  // On disk it is the same conversation.
  rig.model.replies([text('Six.')]);
  const run = await rig.cli('-p', 'and now?', '--resume');
  expect(run.exitCode, run.stderr).toBe(0);
  const resumed = JSON.stringify(rig.model.requests.at(-1)?.body.contents);
  for (const said of ['prompt number 1', 'prompt number 5', 'Done 3.', 'All five.'])
    expect(resumed).toContain(said);
  expect(resumed.split('prompt number 3')).toHaveLength(2);
});
