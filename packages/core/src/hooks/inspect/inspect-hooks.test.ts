import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LoadedSettings } from '../../settings/loaded-settings.js';
import { type SettingsHome, settingsHome } from '../../settings/settings-home.test-helper.js';
import { inspectHooks } from './inspect-hooks.js';

let home: SettingsHome;
beforeEach(() => {
  home = settingsHome();
  mkdirSync(join(home.cwd, 'bin'));
  writeFileSync(join(home.cwd, 'bin/plain.sh'), '');
  writeFileSync(join(home.cwd, 'bin/runs.sh'), '');
  chmodSync(join(home.cwd, 'bin/runs.sh'), 0o755);
});
afterEach(() => home.cleanup());

async function inspect() {
  const settings = LoadedSettings.load({ cwd: home.cwd, env: home.env, trusted: true });
  await settings.loadExtraFiles();
  const variables = { PATH: join(home.cwd, 'bin') };
  return inspectHooks(settings, { cwd: home.cwd, home: home.home, variables });
}

async function messagesFor(command: string, more: { event?: string; matcher?: string } = {}) {
  const { event = 'BeforeTool', matcher } = more;
  home.put('workspace', {
    hooks: { [event]: [{ ...(matcher && { matcher }), hooks: [{ type: 'command', command, name: 'h' }] }] },
  });
  return (await inspect()).findings.map(({ message }) => message);
}

describe('hooks that cannot run', () => {
  it.each([
    ['missing-program --flag', '"missing-program" was not found on PATH'],
    ['A=1 B=2 missing', '"missing" was not found on PATH'],
    ['./bin/none.sh', 'bin/none.sh does not exist'],
    ['bin/plain.sh', 'bin/plain.sh is not executable'],
    ['./bin', 'bin is not a file'],
    ['"$GEMINI_PROJECT_DIR"/bin/none.sh', 'bin/none.sh does not exist'],
    [`\${CLAUDE_PROJECT_DIR}/bin/none.sh`, 'bin/none.sh does not exist'],
    ['~/none.sh', 'none.sh does not exist'],
  ])('%s is reported: %s', async (command, problem) => {
    expect(await messagesFor(command)).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    'bin/runs.sh',
    'runs.sh --all',
    'true',
    'cd x && missing',
    '[ -f x ] && missing',
    '$EDITOR x',
    '"$(which node)" x',
    'if true; then missing; fi',
    "echo 'unclosed",
    '{ missing; }',
  ])('%s is not reported: it works, or only a shell can tell', async (command) => {
    expect(await messagesFor(command)).toEqual([]);
  });

  it('a script that an interpreter cannot find is reported', async () => {
    writeFileSync(join(home.cwd, 'bin/node'), '', { mode: 0o755 });
    expect(await messagesFor('node bin/none.mjs')).toEqual([expect.stringContaining('does not exist')]);
    expect(await messagesFor('node bin/plain.sh')).toEqual([]);
    expect(await messagesFor('node -e "x.y"')).toEqual([]);
  });

  it.each([
    ['BeforeTool', 'write_(', 'not a regular expression'],
    ['SessionStart', 'begin|end', 'never matches; SessionStart has startup, resume, clear'],
    ['BeforeAgent', 'x', 'has no effect'],
  ])('the matcher of %s "%s" is reported', async (event, matcher, problem) => {
    expect(await messagesFor('true', { event, matcher })).toEqual([expect.stringContaining(problem)]);
  });

  it('names hook and file, of settings.json and hooks.toml alike', async () => {
    const hooks = { BeforeTool: [{ hooks: [{ type: 'command', command: './a' }] }] };
    home.put('user', { hooks });
    const toml = join(home.cwd, '.gemini/hooks.toml');
    home.putFile(toml, '[hooks.AfterTool]\nhooks = [{type="command", command="./b", name="fmt"}]\n');
    const { findings, count } = await inspect();
    expect(count).toBe(2);
    expect(findings).toMatchObject([
      { hook: 'AfterTool: fmt', file: toml },
      { hook: 'BeforeTool: ./a', file: home.files.user },
    ]);
  });
});
