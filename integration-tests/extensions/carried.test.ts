/** What an installed extension brings, in the built program. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { declaredTools, type TestRig, testRig, text, userText } from '../test-utils.js';

const MANIFEST = 'extensions/demo/gemini-extension.json';

/** A manifest as some editors on Windows write it: byte order mark, line endings, comments. */
async function withDemo(manifest: object = {}): Promise<TestRig> {
  const rig = await testRig();
  const json = JSON.stringify({ name: 'demo', version: '1.0.0', ...manifest }, null, 2);
  rig.writeHome(MANIFEST, `\uFEFF// of an editor\r\n${json.replaceAll('\n', '\r\n')}\r\n`);
  return rig;
}

async function hello(rig: TestRig, ...args: string[]) {
  rig.model.replies([text('Hi.')]);
  const run = await rig.cli('-p', 'hello', '--approval-mode', 'yolo', ...args);
  return { run, sent: JSON.stringify(rig.model.requests.at(-1)?.body ?? {}) };
}

it('brings context, skills and agents; -e none and -e with another name leave them out', async () => {
  const rig = await withDemo({ contextFileName: ['a.md', 'docs/b.md'] });
  rig.writeHome('extensions/demo/a.md', 'FIRST CONTEXT');
  rig.writeHome('extensions/demo/docs/b.md', 'SECOND CONTEXT');
  rig.writeHome(
    'extensions/demo/skills/tides/SKILL.md',
    '---\nname: tides\ndescription: Knows tides\n---\nGo.\n',
  );
  rig.writeHome('extensions/demo/agents/sailor.md', '---\nname: sailor\ndescription: Sails\n---\nSail.\n');
  const parts = ['FIRST CONTEXT', 'SECOND CONTEXT', 'Knows tides', 'sailor'];
  const all = await hello(rig);
  for (const part of parts) expect(all.sent).toContain(part);
  const named = await hello(rig, '-e', 'DEMO');
  for (const part of parts) expect(named.sent).toContain(part);
  const none = await hello(rig, '-e', 'none');
  for (const part of parts) expect(none.sent).not.toContain(part);
  const unknown = await hello(rig, '-e', 'nothing');
  expect(unknown.run.stderr).toContain('Extension not found: nothing.');
  expect(unknown.sent).not.toContain('FIRST CONTEXT');
});

it('brings commands with Windows line endings', async () => {
  const rig = await withDemo();
  rig.writeHome('extensions/demo/commands/sea/greet.toml', '# a comment\r\nprompt = "Greet {{args}}"\r\n');
  rig.model.replies([text('Hello.')]);
  await rig.cli('-p', '/sea:greet Ada');
  expect(userText(rig)).toContain('Greet Ada');
});

it('brings commands that insert its own files, but neither its settings nor files elsewhere', async () => {
  const rig = await withDemo();
  rig.writeHome('extensions/demo/docs/rules.md', 'RULES OF DEMO');
  rig.writeHome('extensions/demo/.env', 'KEY=VALUE-OF-DEMO');
  rig.writeHome('secret.txt', 'SECRET OF HOME');
  symlinkSync(join(rig.home, '.gemini/secret.txt'), join(rig.home, '.gemini/extensions/demo/docs/link.md'));
  const names = ['docs/rules.md', '.env', '../../secret.txt', 'docs/link.md'];
  const prompt = names.map((name) => `@{\${extensionPath}/${name}}`).join(' ');
  rig.writeHome('extensions/demo/commands/rules.toml', `prompt = ${JSON.stringify(prompt)}`);
  rig.model.replies([text('done')]);
  const run = await rig.cli('-p', '/rules');
  expect(run.exitCode, run.stderr).toBe(0);
  expect(userText(rig)).toContain('RULES OF DEMO');
  expect(JSON.stringify(rig.model.requests)).not.toMatch(/VALUE-OF-DEMO|SECRET OF HOME/);
  expect(run.stderr.match(/Path not in workspace/g)).toHaveLength(3);
});

it('brings commands that name and run its own files', async () => {
  const rig = await withDemo();
  rig.writeHome('extensions/demo/data.txt', 'DATA OF DEMO');
  rig.writeHome(
    'extensions/demo/commands/where.toml',
    'prompt = "At ${extensionPath}${/}x in ${workspacePath} with ${other}: !{cat \'${extensionPath}/data.txt\'} {{args}}"',
  );
  rig.model.replies([text('done')]);
  const run = await rig.cli('-p', '/where ${extensionPath}', '--approval-mode', 'yolo');
  expect(run.exitCode, run.stderr).toBe(0);
  const path = join(rig.home, '.gemini/extensions/demo');
  expect(userText(rig)).toContain(
    `At ${path}/x in \${workspacePath} with \${other}: DATA OF DEMO \${extensionPath}`,
  );
});

it('names policies that would allow something and ignores them; those that deny count', async () => {
  const rig = await withDemo();
  const rule = (tool: string, decision: string) =>
    `[[rule]]\ntoolName = "${tool}"\ndecision = "${decision}"\npriority = 10\n`;
  rig.writeHome('extensions/demo/policies/p.toml', rule('write_file', 'allow') + rule('glob', 'deny'));
  rig.model.replies([text('Hi.')]);
  const run = await rig.cli('-p', 'hello');
  expect(run.stderr).toMatch(/demo.*an allow rule was dropped; extensions can only restrict/);
  expect(declaredTools(rig)).not.toContain('glob');
  expect(declaredTools(rig)).not.toContain('write_file');
});

it('names a broken extension in one line, and the others work', async () => {
  const rig = await withDemo();
  rig.writeHome('extensions/demo/GEMINI.md', 'STILL HERE');
  rig.writeHome('extensions/broken/gemini-extension.json', '{"name": "broken",');
  const { run, sent } = await hello(rig);
  expect(run.exitCode).toBe(0);
  expect(run.stderr.split('\n').filter((line) => line.includes('broken'))).toHaveLength(1);
  expect(sent).toContain('STILL HERE');
  expect((await rig.cli('-l')).stdout).toBe('Installed extensions:\n- demo\n');
});

it('says nothing of one that is not active, except in its list', async () => {
  const rig = await withDemo({ excludeTools: 1 });
  rig.writeHome('extensions/broken/gemini-extension.json', '{"name": "broken",');
  expect((await hello(rig)).run.stderr).toMatch(/broken[\s\S]*excludeTools/);
  expect((await hello(rig, '-e', 'none')).run.stderr).not.toMatch(/excludeTools|broken/);
  await rig.cli('extensions', 'disable', 'demo', '--scope', 'workspace');
  expect((await hello(rig)).run.stderr).not.toContain('excludeTools');
  expect((await rig.cli('extensions', 'list')).stderr).toMatch(/broken[\s\S]*excludeTools/);
});

it('disables and enables by scope, and lists values of a disabled extension', async () => {
  const rig = await withDemo({ settings: [{ name: 'Address', envVar: 'DEMO_URL' }] });
  rig.writeHome('extensions/demo/GEMINI.md', 'DEMO CONTEXT');
  rig.writeHome('extensions/demo/.env', 'DEMO_URL=https://demo.example\n');
  await rig.cli('extensions', 'disable', 'demo', '--scope', 'workspace');
  expect((await hello(rig)).sent).not.toContain('DEMO CONTEXT');
  const listed = (await rig.cli('extensions', 'list')).stdout;
  expect(listed).toContain('✗ demo (1.0.0)');
  expect(listed).toContain('Address: https://demo.example (user');
  await rig.cli('extensions', 'enable', 'demo', '--scope', 'workspace');
  expect((await hello(rig)).sent).toContain('DEMO CONTEXT');
});

it('is listed as JSON with its servers, and without secrets', async () => {
  const rig = await withDemo({
    settings: [{ name: 'Key', envVar: 'DEMO_KEY', sensitive: true }],
    mcpServers: {
      near: { command: 'node', args: ['${extensionPath}/s.js'], env: { A: '$DEMO_KEY', B: 's3cret' } },
      far: { httpUrl: 'http://127.0.0.1:9', headers: { Authorization: 'Bearer s3cret' } },
      more: {
        command: 'node',
        args: ['--token', 'ghp_0123456789012345678901234567890123456'],
        oauth: { clientId: 'me', clientSecret: 's3cret' },
      },
      away: { url: 'http://user:s3cret-word@127.0.0.1:9/sse' },
    },
  });
  const { stdout } = await rig.cli('extensions', 'list', '-o', 'json');
  expect(stdout).not.toMatch(/s3cret|ghp_0123/);
  expect(JSON.parse(stdout)).toMatchObject([
    {
      name: 'demo',
      isActive: true,
      mcpServers: {
        near: {
          command: 'node',
          args: [expect.stringMatching(/demo\/s\.js$/)],
          env: { A: '$DEMO_KEY', B: '***' },
        },
        far: { httpUrl: 'http://127.0.0.1:9', headers: { Authorization: '***' } },
      },
      settings: [{ name: 'Key', envVar: 'DEMO_KEY', sensitive: true }],
    },
  ]);
});

it('names the setting without which a server does not start', async () => {
  const rig = await withDemo({
    settings: [{ name: 'Place', envVar: 'DEMO_PLACE' }],
    mcpServers: { far: { httpUrl: 'http://127.0.0.1:9/${DEMO_PLACE}' } },
  });
  const { run } = await hello(rig);
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain(
    'MCP server "far" does not start. The setting "Place" has no value. Run gemini extensions config demo "Place".',
  );
});

it('changes nothing in a folder that is not trusted', async () => {
  const rig = await withDemo();
  rig.writeHome('settings.json', JSON.stringify({ security: { folderTrust: { enabled: true } } }));
  rig.writeHome('trustedFolders.json', JSON.stringify({ [rig.path('.')]: 'DO_NOT_TRUST' }));
  const run = await rig.cli('extensions', 'disable', 'demo');
  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain('This folder is not trusted');
});
