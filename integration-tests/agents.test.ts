/** `gemini agents` and agent files as a user meets them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testRig, text } from './test-utils.js';

const CLAUDE =
  '---\nname: reviewer\ndescription: Reviews code\ntools: Read, Grep, Bash\ncolor: blue\nmodel: opus\n---\n\nUse `Bash`.\n';
const GOOD = '---\nname: helper\ndescription: Helps\n---\nHelp.\n';

describe('gemini agents', () => {
  it('lists agents with their state, as text and as JSON', async () => {
    const rig = await testRig();
    rig.writeHome('agents/helper.md', GOOD);
    rig.write('.gemini/agents/own.md', GOOD.replaceAll('helper', 'own'));
    const list = await rig.cli('agents', 'list');
    expect(list.stdout).toMatch(/helper \[Enabled\]\n {2}Description: Helps\n {2}Location: +\S+helper\.md/);
    expect(list.stdout).toContain('own [Not acknowledged]');
    const json = JSON.parse((await rig.cli('agents', 'list', '-o', 'json')).stdout);
    expect(list.stdout).toContain('cli_help [Enabled] [Built-in]');
    expect(list.stdout).toContain('browser_agent [Disabled] [Built-in]');
    const own = json.agents.filter(({ source }: { source: string }) => source !== 'builtin');
    expect(own).toMatchObject([
      { name: 'helper', source: 'user', enabled: true },
      { name: 'own', source: 'project', enabled: false, acknowledged: false },
    ]);
  });

  it('names every mistake with its cure, repairs the file, and keeps a copy', async () => {
    const rig = await testRig();
    rig.write('.gemini/agents/reviewer.md', CLAUDE);
    const file = join(rig.workspace, '.gemini/agents/reviewer.md');
    const found = await rig.cli('agents', 'validate');
    expect(found.exitCode).toBe(1);
    expect(found.stdout).toContain('(Local Agent) tools: Expected array, received string');
    expect(found.stdout).toContain("(Local Agent) Unrecognized key(s) in object: 'color'");
    expect(found.stdout).toContain(`To fix the file: gemini agents validate ${file} --fix`);

    const preview = await rig.cli('agents', 'validate', '--fix', '--dry-run');
    expect(preview.stdout).toContain('+  - run_shell_command');
    expect(readFileSync(file, 'utf8')).toBe(CLAUDE);

    const fixed = await rig.cli('agents', 'validate', file, '--fix');
    expect(fixed.exitCode).toBe(0);
    expect(readFileSync(`${file}.bak`, 'utf8')).toBe(CLAUDE);
    const text = readFileSync(file, 'utf8');
    expect(text).toBe(
      '---\nname: reviewer\ndescription: Reviews code\nkind: local\ntools:\n  - read_file\n  - grep_search\n  - run_shell_command\nmodel: inherit\n---\n\nUse `run_shell_command`.\n',
    );
    const again = await rig.cli('agents', 'validate', '--fix', '-o', 'json');
    expect(JSON.parse(again.stdout)).toMatchObject([{ status: 'valid', agents: ['reviewer'] }]);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(existsSync(`${file}.bak.2`)).toBe(false);
  });

  it('refuses what it does not understand', async () => {
    const rig = await testRig();
    for (const args of [
      ['bogus'],
      ['list', 'x'],
      ['validate', 'a', 'b'],
      ['validate', '--what'],
      ['validate', 'no.md'],
    ]) {
      const { exitCode, stderr } = await rig.cli('agents', ...args);
      expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^gemini agents: /)]);
    }
  });
});

describe('agents of a project in a headless run', () => {
  it('are skipped with one line on stderr, in yolo mode too', async () => {
    const rig = await testRig();
    rig.write('.gemini/agents/own.md', GOOD.replaceAll('helper', 'own'));
    rig.model.replies([text('Hello.')]);
    const run = await rig.cli('--yolo', '-p', 'hi');
    expect(run.stdout).toContain('Hello.');
    const lines = run.stderr.split('\n').filter((line) => line.includes('agent'));
    expect(lines).toEqual([expect.stringContaining('The project agent own is not enabled')]);
    expect(existsSync(join(rig.home, '.gemini/acknowledgments'))).toBe(false);
  });
});
