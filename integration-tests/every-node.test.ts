/** The built program with each version of Node that users have; `npm test` installs them. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { callTool, type RigOptions, type TestRig, testRig, text } from '@gemini-cli/test-utils/rig';
import { beforeAll, describe, expect, it } from 'vitest';
import versions from '../scripts/node-versions.json' with { type: 'json' };
import { toolResponses } from './test-utils.js';
import { ask, command, LONG, startUi } from './ui/ui.js';

const runtimes = join(import.meta.dirname, '../node_modules/.cache/node-runtimes');
const hasBubblewrap = process.platform === 'linux' && existsSync('/usr/bin/bwrap');

describe.each(versions)('The program with Node %s', (version) => {
  const node = join(runtimes, version, 'node');
  const rigOf = (options: RigOptions = {}) => testRig({ ...options, node, isFirstRun: true });

  beforeAll(() => {
    if (!existsSync(node)) throw new Error(`Node ${version} is missing: "npm test" installs it.`);
  });

  it('answers, keeps its compiled code, and answers with it', async () => {
    const rig = await rigOf();
    for (const answer of ['first', 'second']) {
      rig.model.replies([text(answer)]);
      const { stdout, stderr } = await rig.cli('-p', 'hi');
      expect({ stdout, stderr }).toEqual({ stdout: `${answer}\n`, stderr: '' });
      expect(compiledCode(rig)).toEqual([expect.stringContaining(`-v${version}-`)]);
    }
    expect((await rig.cli('doctor', '--offline')).stdout).toContain(`Node ${version}`);
  });

  it('runs tools, resumes the session, and undoes the change', async () => {
    const rig = await rigOf({ files: { 'a.txt': 'needle\n' } });
    const shell = 'test -t 1 && echo terminal; echo more >> a.txt';
    rig.model.replies(
      [callTool('grep_search', { pattern: 'needle' }), callTool('run_shell_command', { command: shell })],
      [text('done')],
      [text('again')],
    );
    const first = await rig.cli('-p', 'go', '--approval-mode', 'yolo', '-o', 'json');
    const [found, ran] = toolResponses(rig);
    expect(found?.response.output).toContain('a.txt');
    expect(ran?.response.output).toContain('Output: terminal');
    const second = await rig.cli('-p', 'what did you do?', '--resume', '-o', 'json');
    expect(second.json()).toMatchObject({ session_id: first.json().session_id, response: 'again' });
    expect(JSON.stringify(rig.model.requests.at(-1)?.body.contents)).toContain('grep_search');
    expect(rig.read('a.txt')).toBe('needle\nmore\n');
    expect((await rig.cli('undo', '--yes')).exitCode).toBe(0);
    expect(rig.read('a.txt')).toBe('needle\n');
  });

  it('draws a conversation, a question and a dialog', async () => {
    const rig = await rigOf({ files: { 'a.txt': 'one\n' } });
    const edit = { file_path: 'a.txt', instruction: 'x', old_string: 'one', new_string: 'two' };
    rig.model.replies([text('Hello **there**.')], [callTool('replace', edit)], [text('Changed.')]);
    const screen = await startUi(rig);
    await ask(screen, 'hi', '✦ Hello there.');
    await command(screen, 'change it');
    await screen.waitFor(/\+ two[\s\S]*1\. Allow once/, LONG);
    screen.press('Enter');
    await screen.waitFor('✦ Changed.', LONG);
    expect(rig.read('a.txt')).toBe('two\n');
    await command(screen, '/about');
    await screen.waitFor(`Node.js v${version}`, LONG);
    await command(screen, '/theme');
    await screen.waitFor('Select Theme', LONG);
  });

  it.runIf(hasBubblewrap)('runs commands in the sandbox', async () => {
    const rig = await rigOf({ settings: { security: { toolSandboxing: true } } });
    const outside = join(rig.home, 'outside.txt');
    const shell = `echo inside > inside.txt; echo outside > ${outside}`;
    rig.model.replies([callTool('run_shell_command', { command: shell })], [text('done')]);
    await rig.cli('-p', 'go', '--approval-mode', 'yolo');
    expect({ inside: rig.exists('inside.txt'), outside: existsSync(outside) }).toEqual({
      inside: true,
      outside: false,
    });
  });
});

/** Of the packs, without the folder of Node's own cache. */
function compiledCode(rig: TestRig): string[] {
  return readdirSync(join(rig.home, '.gemini/tmp/compile-cache')).filter((name) => name.endsWith('.bin'));
}
