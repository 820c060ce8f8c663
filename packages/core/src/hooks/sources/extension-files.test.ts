/** Hooks files of extensions, as they are found in the wild. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ExtensionHooks, hooksFromExtension } from './extension-files.js';

const hook = (command: string, more: object = {}) => ({ hooks: [{ type: 'command', command, ...more }] });

function load(files: Record<string, unknown>, more: Partial<ExtensionHooks> = {}) {
  const { path: dir, cleanup } = tempDir();
  onTestFinished(cleanup);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return hooksFromExtension({ dir, name: 'ext', variables: { extensionPath: '/ext', '/': '/' }, ...more });
}

async function commandsOf(files: Record<string, unknown>, more: Partial<ExtensionHooks> = {}) {
  const { definitions } = await load(files, more);
  return definitions.flatMap(({ hooks }) =>
    hooks.map((config) => (config.type === 'command' ? config.command : '')),
  );
}

describe('The hooks of an extension', () => {
  it('come from the first file that exists', async () => {
    const of = (name: string) => ({ hooks: { BeforeTool: [hook(name)] } });
    const toml = (name: string) =>
      `[hooks.BeforeTool]\nhooks = [ { type = "command", command = "${name}" } ]\n`;
    const all = {
      'hooks/hooks.json': of('1'),
      'hooks/hooks.toml': toml('2'),
      'hooks.json': of('3'),
      'hooks.toml': toml('4'),
    };
    const names = Object.keys(all);
    for (const [index] of names.entries()) {
      const left = Object.fromEntries(Object.entries(all).slice(index));
      expect(await commandsOf(left)).toEqual([String(index + 1)]);
    }
    expect((await load({})).definitions).toEqual([]);
  });

  it('may have comments, further keys, or be the map itself', async () => {
    const text = `// mine\n{"_comment": "x", "description": "y", "SessionStart": [${JSON.stringify(hook('a'))}]}`;
    expect(await commandsOf({ 'hooks/hooks.json': text })).toEqual(['a']);
  });

  it('get variables of the extension; unknown ones reach the shell', async () => {
    const { definitions } = await load(
      {
        'hooks/hooks.json': {
          hooks: {
            AfterTool: [
              hook(`\${extensionPath}\${/}run \${TOKEN} \${HOME} $x`, {
                env: { A: `\${extensionPath}`, TOKEN: 'own' },
              }),
            ],
          },
        },
      },
      { settings: { TOKEN: 'set' } },
    );
    expect(definitions[0]?.hooks[0]).toMatchObject({
      command: `/ext/run set \${HOME} $x`,
      env: { A: '/ext', TOKEN: 'set' },
    });
  });

  it.each([
    ['hooks as a list', { hooks: [] }, 'broken_file'],
    ['no map', [], 'broken_file'],
    ['an unknown event', { hooks: { BeforeLunch: [hook('x')] } }, 'unknown_event'],
    ['events of Claude Code', { hooks: { PreToolUse: [hook('x')] } }, 'unsupported'],
    ['a plugin root', { hooks: { SessionStart: [hook('$CLAUDE_PLUGIN_ROOT/x')] } }, 'unsupported'],
    [
      'a hook without a command',
      { hooks: { SessionStart: [{ hooks: [{ type: 'command' }] }] } },
      'invalid_entry',
    ],
    [
      'another type',
      { hooks: { SessionStart: [{ hooks: [{ type: 'prompt', prompt: 'x' }] }] } },
      'invalid_entry',
    ],
  ])('that have %s are left out with one line', async (_what, content, kind) => {
    const { definitions, problems } = await load({ 'hooks/hooks.json': content });
    expect(definitions.flatMap(({ hooks }) => hooks)).toEqual([]);
    expect(problems).toMatchObject([
      { kind, source: 'extensions', message: expect.stringContaining('Extension ext') },
    ]);
  });

  it('in a broken file are reported with its line', async () => {
    const { problems } = await load({ 'hooks/hooks.json': '{\n  "hooks": {\n' });
    expect(problems).toMatchObject([{ kind: 'broken_file', line: 3 }]);
  });

  it('keep the good entries of a file with a bad one', async () => {
    const content = {
      hooks: { SessionStart: [{ matcher: 5, hooks: [] }, hook('a')], PreToolUse: [hook('b')] },
    };
    expect(await commandsOf({ 'hooks/hooks.json': content })).toEqual(['a']);
  });
});
