/** `excludeTools` of an extension in the built program, in every spelling that settings take. */
import { expect, it } from 'vitest';
import { declaredTools, runTool, testRig, text } from '../test-utils.js';

async function excluding(...excludeTools: string[]) {
  const rig = await testRig();
  const manifest = { name: 'strict', version: '1.0.0', excludeTools };
  rig.writeHome('extensions/strict/gemini-extension.json', JSON.stringify(manifest));
  return rig;
}

it.each(['run_shell_command(rm -rf)', 'run_shell_command("rm -rf *")', 'ShellTool(rm -rf)', 'Bash(rm -rf)'])(
  '%s refuses these commands in yolo mode, and no others',
  async (entry) => {
    const rig = await excluding(entry);
    rig.write('keep/a.txt', 'a');
    const refused = await runTool(rig, 'run_shell_command', { command: 'rm -rf keep' });
    expect(refused.answer.error).toContain('The extension "strict" excludes this command.');
    expect(rig.read('keep/a.txt')).toBe('a');
    const allowed = await runTool(rig, 'run_shell_command', { command: 'echo fine' });
    expect(allowed.answer.output).toContain('fine');
  },
);

it('hides a tool that is excluded by its class name', async () => {
  const rig = await excluding('ShellTool', 'WebFetch');
  rig.model.replies([text('Hi.')]);
  await rig.cli('-p', 'hello', '--approval-mode', 'yolo');
  expect(declaredTools(rig)).toContain('read_file');
  expect(declaredTools(rig)).not.toContain('run_shell_command');
  expect(declaredTools(rig)).not.toContain('web_fetch');
});
