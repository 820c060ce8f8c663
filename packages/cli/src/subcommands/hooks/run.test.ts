import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HooksArguments, parseArguments } from './arguments.js';
import { hooksCommand } from './run.js';

let root: ReturnType<typeof tempDir>;
let cwd: string;
let home: string;
beforeEach(() => {
  root = tempDir();
  const real = realpathSync(root.path);
  cwd = join(real, 'project');
  home = join(real, 'home');
  mkdirSync(cwd);
  mkdirSync(home);
});
afterEach(() => root.cleanup());

const write = (path: string, content: unknown) => {
  const file = join(root.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
};
const read = (path: string) => readFileSync(join(root.path, path), 'utf8');

async function gemini(line: string, { trusted = true } = {}) {
  const output = { out: '', err: '', code: -1 };
  const io = {
    env: {
      GEMINI_CLI_HOME: home,
      GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(root.path, 'system.json'),
      ...(trusted && { GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    },
    stdout: (text: string) => {
      output.out += text;
    },
    stderr: (text: string) => {
      output.err += `${text}\n`;
    },
  };
  const wanted = parseArguments(line.split(' ')) as HooksArguments;
  output.code = await hooksCommand(wanted, io, cwd);
  return output;
}

const hook = (command: string, more: object = {}) => ({ type: 'command', command, ...more });
const before = (...hooks: object[]) => ({ hooks: { BeforeTool: [{ matcher: 'replace', hooks }] } });

describe('gemini hooks list', () => {
  it('prints every hook with its true source, as text and as JSON', async () => {
    write('project/.gemini/settings.json', before(hook('check', { name: 'guard', timeout: 1500 })));
    write('project/.gemini/hooks.toml', '[hooks.AfterTool]\nhooks = [{type="command", command="fmt"}]\n');
    write('home/.gemini/settings.json', { ...before(hook('mine')), hooksConfig: { disabled: ['mine'] } });
    const { out } = await gemini('list');
    expect(out).toContain(
      'guard [enabled]\n    source: project, matcher: replace, timeout: 1.5 s\n    check',
    );
    expect(out).toContain('mine [disabled]\n    source: user');
    const { out: json } = await gemini('list -o json');
    expect(JSON.parse(json)).toEqual([
      {
        event: 'BeforeTool',
        name: 'guard',
        source: 'project',
        matcher: 'replace',
        command: 'check',
        timeout: 1500,
        sequential: false,
        enabled: true,
      },
      expect.objectContaining({ event: 'AfterTool', name: 'fmt', source: 'project' }),
      expect.objectContaining({ name: 'mine', source: 'user', enabled: false }),
    ]);
  });

  it('lists the hooks of extensions too', async () => {
    write('home/.gemini/extensions/ext/gemini-extension.json', { name: 'ext', version: '1.0.0' });
    write('home/.gemini/extensions/ext/hooks/hooks.json', before(hook('"${extensionPath}/guard.sh"')));
    const { out } = await gemini('list');
    expect(out).toContain('source: extension');
    expect(out).toContain('extensions/ext/guard.sh');
    expect((await gemini('disable "nothing"')).err).toContain('guard.sh');
  });

  it('leaves out hooks of an untrusted folder and says so', async () => {
    write('project/.gemini/settings.json', before(hook('evil')));
    write('home/.gemini/settings.json', before(hook('mine')));
    const { out, err } = await gemini('list', { trusted: false });
    expect(out).toContain('mine');
    expect(out).not.toContain('evil');
    expect(err).toContain('not trusted');
  });

  it('shows control characters of a command and masks secrets', async () => {
    const key = 'AIzaSyA1234567890abcdefghijklmnopqrstuv';
    write('project/.gemini/settings.json', before(hook(`curl \u001b[2J ${key}`)));
    const { out } = await gemini('list');
    expect(out).not.toContain('\u001b');
    expect(out).not.toContain(key);
  });
});

describe('gemini hooks enable and disable', () => {
  it('write the workspace settings, keep comments, and enable clears both scopes', async () => {
    write('project/.gemini/settings.json', `{\n  // mine\n  ${JSON.stringify(before(hook('a'))).slice(1)}`);
    write('home/.gemini/settings.json', { hooksConfig: { disabled: ['a', 'other'] } });
    expect(await gemini('disable a')).toMatchObject({ code: 0, err: '' });
    expect(read('project/.gemini/settings.json')).toMatch(/\/\/ mine[\s\S]*"disabled": \[\s*"a"/);
    expect(await gemini('enable a')).toMatchObject({ code: 0, out: 'Enabled hook "a".\n' });
    expect(read('project/.gemini/settings.json')).toMatch(/"disabled": \[\]/);
    expect(JSON.parse(read('home/.gemini/settings.json')).hooksConfig.disabled).toEqual(['other']);
  });

  it('write the user settings where those of the folder do not count', async () => {
    write('home/.gemini/settings.json', before(hook('a')));
    await gemini('disable a', { trusted: false });
    expect(JSON.parse(read('home/.gemini/settings.json')).hooksConfig.disabled).toEqual(['a']);
  });

  it('find a hook by its command, too', async () => {
    write('project/.gemini/settings.json', before(hook('npm test -- --all', { name: 'tests' })));
    expect(await gemini('disable npm test -- --all')).toMatchObject({ code: 0 });
    expect(JSON.parse(read('project/.gemini/settings.json')).hooksConfig.disabled).toEqual(['tests']);
  });

  it('refuse a hook that does not exist and name those that do', async () => {
    write('project/.gemini/settings.json', before(hook('a')));
    for (const verb of ['disable', 'enable'])
      expect(await gemini(`${verb} b`)).toMatchObject({
        code: 1,
        err: expect.stringContaining('There are: a'),
      });
  });

  it('say when the system settings keep a hook disabled', async () => {
    write('system.json', { hooksConfig: { disabled: ['a'] } });
    write('project/.gemini/settings.json', before(hook('a')));
    expect(await gemini('enable a')).toMatchObject({ code: 1, err: expect.stringContaining('system') });
  });
});

describe('gemini hooks migrate', () => {
  const CLAUDE = `{
    // Claude Code
    "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "c", "timeout": 5 }] }] },
  }`;

  it('prints its usage without --from-claude, and changes nothing', async () => {
    write('project/.claude/settings.json', CLAUDE);
    expect(await gemini('migrate')).toMatchObject({ code: 0, out: expect.stringContaining('--from-claude') });
    expect(() => read('project/.gemini/settings.json')).toThrow();
  });

  it('appends to the workspace settings; comments, order and other keys stay', async () => {
    write('project/.claude/settings.json', CLAUDE);
    const own =
      '{\n  "ui": {}, // look\n  "hooks": {\n    "BeforeTool": [\n      // guard\n      { "hooks": [] }\n    ]\n  }\n}\n';
    write('project/.gemini/settings.json', own);
    expect(await gemini('migrate --from-claude')).toMatchObject({ code: 0 });
    const text = read('project/.gemini/settings.json');
    expect(text).toMatch(/\/\/ look[\s\S]*\/\/ guard\n {6}\{ "hooks": \[\] \},\n {6}\{/);
    expect(text).toContain('"matcher": "run_shell_command"');
    expect(text).toContain('"timeout": 5000');
    const again = await gemini('migrate --from-claude');
    expect(again).toMatchObject({ code: 0, err: expect.stringContaining('there already: BeforeTool: c') });
    expect(read('project/.gemini/settings.json')).toBe(text);
  });

  it('prefers the local file', async () => {
    write('project/.claude/settings.json', CLAUDE);
    write('project/.claude/settings.local.json', { hooks: { Stop: [{ hooks: [hook('local')] }] } });
    await gemini('migrate --from-claude');
    expect(Object.keys(JSON.parse(read('project/.gemini/settings.json')).hooks)).toEqual(['AfterAgent']);
  });

  it('warns about events that do not exist here', async () => {
    write('project/.claude/settings.json', { hooks: { PermissionRequest: [] } });
    const { err } = await gemini('migrate --from-claude');
    expect(err).toContain('[WARNING] PermissionRequest: there is no such event here');
  });

  it('fails when there is nothing to read, or the file is broken', async () => {
    expect(await gemini('migrate --from-claude')).toMatchObject({ code: 1 });
    write('project/.claude/settings.json', '{\n  "hooks": [}');
    await expect(gemini('migrate --from-claude')).rejects.toThrow('line 2');
  });

  it('does not replace an event whose value is not a list', async () => {
    write('project/.claude/settings.json', CLAUDE);
    write('project/.gemini/settings.json', { hooks: { BeforeTool: 'mine' } });
    await expect(gemini('migrate --from-claude')).rejects.toThrow('must be a list');
    expect(read('project/.gemini/settings.json')).toContain('mine');
  });
});

describe('the arguments', () => {
  it.each([
    ['', 'a command is missing'],
    ['remove x', 'unknown command'],
    ['list --all', 'unknown argument'],
    ['list -o yaml', 'unknown format'],
    ['enable', 'usage: gemini hooks enable <name>'],
    ['migrate --from-cursor', 'unknown argument'],
  ])('"%s" is refused: %s', (line, problem) => {
    expect(parseArguments(line === '' ? [] : line.split(' '))).toContain(problem);
  });

  it('accept the format in every spelling, and --debug', () => {
    for (const line of ['list -o json', 'list --output-format json', 'list --output-format=json -d'])
      expect(parseArguments(line.split(' '))).toEqual({ verb: 'list', json: true });
  });
});
