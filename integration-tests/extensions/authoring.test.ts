/** `gemini extensions new` and `validate` of the built program. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testRig } from '../test-utils.js';

const TEMPLATES = [
  'agents',
  'context',
  'custom-commands',
  'exclude-tools',
  'hooks',
  'mcp-server',
  'policies',
  'skills',
  'themes-example',
];

describe('gemini extensions new', () => {
  it.each(TEMPLATES)('%s makes an extension that passes the strict check', async (template) => {
    const rig = await testRig();
    const made = await rig.cli('extensions', 'new', 'fresh-one', template);
    expect(made).toMatchObject({ exitCode: 0 });
    expect(made.stdout).toContain('Try it in the next session: gemini extensions link fresh-one');
    expect(JSON.parse(readFileSync(rig.path('fresh-one/gemini-extension.json'), 'utf8'))).toMatchObject({
      name: 'fresh-one',
      version: '1.0.0',
    });
    const checked = await rig.cli('extensions', 'validate', 'fresh-one', '--strict');
    expect(checked).toMatchObject({ exitCode: 0, stderr: '' });
    expect(checked.stdout).toContain('The extension "fresh-one" (1.0.0)');
  });

  it('makes only a manifest without a template, and refuses what exists and what is unknown', async () => {
    const rig = await testRig();
    expect((await rig.cli('extensions', 'new', 'plain')).exitCode).toBe(0);
    expect(readdirSync(rig.path('plain'))).toEqual(['gemini-extension.json']);
    const again = await rig.cli('extensions', 'new', 'plain');
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toContain('exists already');
    const unknown = await rig.cli('extensions', 'new', 'other', 'nonsense');
    expect(unknown.exitCode).toBe(1);
    expect(unknown.stderr).toContain(`Choose one of: ${TEMPLATES.join(', ')}.`);
    expect(existsSync(rig.path('other'))).toBe(false);
  });
});

describe('gemini extensions validate', () => {
  it('names a missing manifest and ends with 1', async () => {
    const rig = await testRig({ files: { 'plugin/.claude-plugin/plugin.json': '{"name":"x"}' } });
    const run = await rig.cli('extensions', 'validate', 'plugin');
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain(
      `Configuration file not found at ${rig.path('plugin/gemini-extension.json')}`,
    );
  });

  it('lists warnings and succeeds; with --strict it fails', async () => {
    const rig = await testRig({
      files: {
        'demo/gemini-extension.json': JSON.stringify(
          {
            name: 'demo',
            version: '0.4',
            nonsense: 1,
            mcpServers: { a: { command: 'node', args: ['${extensionPath}/gone.js'] } },
            capabilities: { network: ['api.example.com'] },
          },
          null,
          2,
        ),
        'demo/commands/broken.toml': 'prompt = ',
        'demo/commands/empty.toml': 'description = "x"',
      },
    });
    const run = await rig.cli('extensions', 'validate', 'demo');
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toMatch(/^Warnings:\n/);
    expect(run.stderr).toContain('- gemini-extension.json:3: version "0.4" is not a semantic version');
    expect(run.stderr).toContain('- gemini-extension.json:4: nonsense has no effect here');
    expect(run.stderr).toMatch(/mcpServers\.a\.args\[0\] names .*gone\.js, which does not exist/);
    expect(run.stderr).toMatch(/- commands\/broken\.toml(:1)?: The command does not load/);
    expect(run.stderr).toContain('- commands/empty.toml: The command does not load: it has no prompt');
    expect(run.stdout).toMatch(/^The extension "demo" \(0\.4\) in .* is valid\.\n/);
    expect(run.stdout).toContain('Network: api.example.com');
    const strict = await rig.cli('extensions', 'validate', 'demo', '--strict');
    expect(strict).toMatchObject({ exitCode: 1, stdout: '' });
    expect(strict.stderr).toMatch(/^Errors:\n/);
  });

  it('fails for a context file that is missing, with its line', async () => {
    const rig = await testRig({
      files: {
        'demo/gemini-extension.json':
          '{\n  "name": "demo",\n  "version": "1.0.0",\n  "contextFileName": "NOTES.md"\n}',
      },
    });
    const run = await rig.cli('extensions', 'validate', 'demo');
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain(
      '- gemini-extension.json:4: contextFileName names NOTES.md, which does not exist',
    );
  });
});
