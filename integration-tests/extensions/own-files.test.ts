/** The tools of the model in the folders of extensions, in the built program. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callTool, runTools, type TestRig, testRig } from '../test-utils.js';

const REFUSED = 'Path not in workspace';

/** Each with a text, values of settings and records of git; `linked` is elsewhere, `off` is disabled. */
async function withExtensions(): Promise<{ rig: TestRig; folder: (name: string) => string }> {
  const core = [
    'read_file',
    'read_many_files',
    'list_directory',
    'glob',
    'grep_search',
    'write_file',
    'replace',
  ];
  const rig = await testRig({ settings: { tools: { core } } });
  const places = { demo: 'extensions/demo', off: 'extensions/off', linked: 'elsewhere' };
  for (const [name, place] of Object.entries(places)) {
    rig.writeHome(`${place}/gemini-extension.json`, JSON.stringify({ name, version: '1.0.0' }));
    rig.writeHome(`${place}/docs/rules.md`, `RULES OF ${name}`);
    rig.writeHome(`${place}/.env`, `RULES=SECRET-OF-${name}`);
    rig.writeHome(`${place}/.git/config`, 'RULES=SECRET-OF-GIT');
  }
  rig.writeHome('secret.txt', 'RULES=SECRET-OF-HOME');
  const folder = (name: string) => join(rig.home, '.gemini', 'extensions', name);
  symlinkSync(join(rig.home, '.gemini/secret.txt'), join(folder('demo'), 'docs/link.md'));
  symlinkSync(join(rig.home, '.gemini/elsewhere'), folder('linked'));
  const disabled = await rig.cli('extensions', 'disable', 'off', '--scope', 'workspace');
  expect(disabled.exitCode, disabled.stderr).toBe(0);
  return { rig, folder };
}

async function answersOf(rig: TestRig, calls: [string, object][]): Promise<string[]> {
  const { answers } = await runTools(
    rig,
    calls.map(([name, args]) => callTool(name, args)),
  );
  return answers.map(({ response }) => response.output ?? response.error ?? '');
}

it('are read where the extension is active, also through a link, and never written', async () => {
  const { rig, folder } = await withExtensions();
  for (const name of ['demo', 'linked']) {
    const at = folder(name);
    const answers = await answersOf(rig, [
      ['read_file', { file_path: `${at}/docs/rules.md` }],
      ['read_many_files', { include: [`${at}/docs/rules.md`] }],
      ['read_many_files', { include: [`${at}/docs`] }],
      ['read_many_files', { include: [`${at}/**/*.md`] }],
      ['list_directory', { dir_path: `${at}/docs` }],
      ['glob', { pattern: '**/*.md', dir_path: at }],
      ['grep_search', { pattern: 'RULES', dir_path: at }],
    ]);
    for (const answer of answers) expect(answer).toMatch(/RULES OF|rules\.md/);
    expect(answers.join()).not.toContain('SECRET');
    const writes = await answersOf(rig, [
      ['write_file', { file_path: `${at}/docs/new.md`, content: 'x' }],
      [
        'replace',
        { file_path: `${at}/docs/rules.md`, instruction: 'x', old_string: 'RULES', new_string: 'x' },
      ],
    ]);
    for (const answer of writes) expect(answer).toContain(REFUSED);
  }
});

it('are not read where they may hold secrets, through links out, or while the extension is not active', async () => {
  const { rig, folder } = await withExtensions();
  const paths = [
    ...['.env', '.git/config', 'docs/link.md', '../../secret.txt'].map((name) => `${folder('demo')}/${name}`),
    ...['docs/rules.md', '.env'].map((name) => `${folder('off')}/${name}`),
  ];
  const answers = await answersOf(rig, [
    ...paths.map((path): [string, object] => ['read_file', { file_path: path }]),
    ['grep_search', { pattern: 'RULES', dir_path: folder('off') }],
    ['list_directory', { dir_path: folder('off') }],
  ]);
  for (const [index, answer] of answers.entries()) expect(answer, paths[index]).toContain(REFUSED);
  const searches = await answersOf(rig, [
    ['grep_search', { pattern: 'RULES', dir_path: folder('demo'), no_ignore: true }],
    ['grep_search', { pattern: 'RULES', dir_path: `${folder('demo')}/.env` }],
    ['read_many_files', { include: [`${folder('demo')}/**`, `${folder('off')}/**`] }],
  ]);
  expect(searches.join()).toContain('RULES OF demo');
  expect(searches.join()).not.toMatch(/SECRET|RULES OF off/);
});
