/** The life of an extension in the built program: install, settings, use, update, disable, uninstall. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TestRig, testRig, text } from '../test-utils.js';

const LONG = { timeoutMs: 50_000 };

describe('an extension from its installation to its removal', { timeout: 90_000 }, () => {
  it('leaves the home folder as it was, byte for byte', async () => {
    const rig = await testRig({ env: { GEMINI_FORCE_FILE_STORAGE: 'true' } });
    const version = (number: string) =>
      rig.write('source/gemini-extension.json', JSON.stringify({ ...MANIFEST, version: number }));
    version('1.0.0');
    rig.write('source/GEMINI.md', 'CONTEXT OF LIFE');
    rig.write('source/hooks/hooks.json', JSON.stringify(HOOKS));
    // An earlier session, so that what every session writes is there before.
    await ask(rig);
    const before = contents(rig.home);

    const install = await rig.screen(['extensions', 'install', './source']);
    await install.waitFor('Do you want to continue?', LONG);
    expect(install.text()).toContain('Key (LIFE_KEY, secret)');
    install.press('Enter');
    await install.waitFor(/Key:\s*$/, LONG);
    install.type('s3cret');
    install.press('Enter');
    await install.waitFor(/Address:\s*$/, LONG);
    install.type('http://127.0.0.1:9');
    install.press('Enter');
    expect((await install.exit).exitCode).toBe(0);
    expect(install.text()).not.toContain('s3cret');
    const own = await rig.screen(['extensions', 'config', 'life', 'Key', '--scope', 'workspace']);
    await own.waitFor(/Key:\s*$/, LONG);
    own.type('w0rkspace');
    own.press('Enter');
    expect((await own.exit).exitCode).toBe(0);

    expect(await ask(rig)).toContain('CONTEXT OF LIFE');
    expect(rig.read('seen.txt')).toBe('w0rkspace http://127.0.0.1:9');
    const plain = Object.keys(contents(rig.home)).filter((path) => !path.endsWith('credentials.json'));
    for (const path of plain) expect(readOrEmpty(join(rig.home, path)), path).not.toMatch(/s3cret|w0rkspace/);

    version('1.1.0');
    const update = await rig.cli('extensions', 'update', 'life');
    expect(update.stdout, update.stderr).toContain('successfully updated: 1.0.0 → 1.1.0');
    expect(await ask(rig)).toContain('CONTEXT OF LIFE');
    expect(rig.read('seen.txt')).toBe('w0rkspace http://127.0.0.1:9');

    // The user's scope is the home folder; the workspace of this test lies beside it.
    for (const scope of ['user', 'workspace'])
      expect((await rig.cli('extensions', 'disable', 'life', '--scope', scope)).exitCode).toBe(0);
    expect(await ask(rig)).not.toContain('CONTEXT OF LIFE');

    expect((await rig.cli('extensions', 'uninstall', 'life')).exitCode).toBe(0);
    expect(contents(rig.home)).toEqual(before);
  });

  it('is installed by a script that answers on stdin, and not by one that does not', async () => {
    const rig = await testRig({
      trust: false,
      files: { 'source/gemini-extension.json': '{"name": "life", "version": "1.0.0"}' },
    });
    const install = (stdin: string, env = {}) => rig.cli('extensions', 'install', './source', { stdin, env });
    const TRUSTED = { GEMINI_CLI_TRUST_WORKSPACE: 'true' };
    const before = contents(rig.home);
    for (const stdin of ['', '\n', 'n\n']) {
      const untrusted = await install(stdin);
      expect(untrusted.exitCode).toBe(1);
      expect(untrusted.stderr).toContain('is not trusted. Start gemini there');
      const refused = await install(stdin, TRUSTED);
      expect(refused.exitCode).toBe(1);
      expect(refused.stderr).toContain(stdin === '' ? 'add --consent' : 'Nothing was installed');
    }
    expect(contents(rig.home)).toEqual(before);

    const agreed = await install('y\n', TRUSTED);
    expect(agreed.exitCode, agreed.stderr).toBe(0);
    expect((await rig.cli('extensions', 'uninstall', 'life', { env: TRUSTED })).exitCode).toBe(0);
    const skipped = await rig.cli('--skip-trust', 'extensions', 'link', './source', '--consent');
    expect(skipped.exitCode, skipped.stderr).toBe(0);
    expect((await rig.cli('--skip-trust', 'extensions', 'uninstall', 'life')).exitCode).toBe(0);
    // Folder, source and extension: three questions.
    const under = ['sh', '-c', 'yes | "$@"', 'sh'];
    const all = await rig.cli('extensions', 'install', './source', { under });
    expect(all.exitCode, all.stderr).toBe(0);
  });

  it('says nothing of other extensions when one is installed', async () => {
    const rig = await testRig({
      files: { 'source/gemini-extension.json': '{"name": "life", "version": "1.0.0"}' },
    });
    rig.writeHome(
      'extensions/other/gemini-extension.json',
      '{"name": "other", "version": "1", "settings": 5}',
    );
    const install = await rig.cli('extensions', 'install', './source', '--consent');
    expect(install.exitCode, install.stderr).toBe(0);
    expect(install.stderr).not.toContain('other');
    expect((await rig.cli('extensions', 'list')).stderr).toContain(
      'Extension other: settings must be a list',
    );
  });
});

const MANIFEST = {
  name: 'life',
  settings: [
    { name: 'Key', envVar: 'LIFE_KEY', sensitive: true },
    { name: 'Address', envVar: 'LIFE_URL' },
  ],
};
const HOOKS = {
  hooks: {
    BeforeAgent: [
      { hooks: [{ type: 'command', command: 'printf "%s %s" "$LIFE_KEY" "$LIFE_URL" > seen.txt' }] },
    ],
  },
};

/** One headless session. @returns what the model was sent */
async function ask(rig: TestRig): Promise<string> {
  rig.model.replies([text('Hello')]);
  const run = await rig.cli('-p', 'Hi');
  expect(run.exitCode, run.stderr).toBe(0);
  return JSON.stringify(rig.model.requests.at(-1)?.body);
}

/** Files by digest and folders, without the recordings and compiled code of sessions. */
function contents(home: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(home, { recursive: true, encoding: 'utf8' }).sort()) {
    if (/^\.gemini\/(?:tmp|history|state\.json)(?:\/|$)/.test(entry)) continue;
    const path = join(home, entry);
    found[entry] = statSync(path).isDirectory()
      ? 'folder'
      : createHash('sha256').update(readFileSync(path)).digest('hex');
  }
  return found;
}

function readOrEmpty(path: string): string {
  return statSync(path).isDirectory() ? '' : readFileSync(path, 'utf8');
}
