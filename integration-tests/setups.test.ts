/** Settings, commands and policies as people have them: what is said, and in which order. */
import { describe, expect, it } from 'vitest';
import { testRig, text } from './test-utils.js';

const HOOK = { matcher: '*', hooks: [{ type: 'command', command: 'exit 2' }] };

describe('A settings file from an older version', () => {
  const settings = {
    vimMode: true,
    preferredEditor: 'nvim',
    general: { previewFeatures: true, sessionRetention: { warningAcknowledged: true } },
    tools: { autoAccept: true },
    experimental: { plan: { enabled: true }, useModelRouter: true },
  };

  it('is accepted without a word in a headless run', async () => {
    const rig = await testRig({ settings });
    rig.model.replies([text('ok')]);
    expect(await rig.cli('-p', 'x')).toMatchObject({ exitCode: 0, stdout: 'ok\n', stderr: '' });
  });

  it('is explained by the doctor', async () => {
    const rig = await testRig({ settings });
    const { stdout } = await rig.cli('doctor', '--offline');
    expect(stdout).toMatch(/older names, understood: .*vimMode -> general\.vimMode/);
    expect(stdout).toMatch(/older settings without effect: .*general\.previewFeatures.*tools\.autoAccept/);
  });

  it('is mentioned once on the screen', async () => {
    const rig = await testRig({ settings });
    const first = await rig.screen([]);
    await first.waitFor('older names', { timeoutMs: 50_000 });
    first.kill();
    const second = await rig.screen([]);
    await second.waitFor('Type your message', { timeoutMs: 50_000 });
    expect(second.text()).not.toContain('older names');
  });
});

it('settings without effect are said before mistakes, and mistakes come by consequence', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`zzz${index}`, 1]));
  const rig = await testRig({
    settings: {
      ...unknown,
      hooks: { BeforeTool: [HOOK], PreToolUse: [HOOK] },
      security: { disableYoloMode: 'perhaps', blockGitExtensions: true },
    },
  });
  rig.model.replies([text('ok')]);
  const { stderr } = await rig.cli('-p', 'x');
  const places = [
    'Security: security.blockGitExtensions: ',
    'hooks.PreToolUse: unknown key',
    'security.disableYoloMode: expected boolean',
    'zzz0: unknown key',
    'gemini doctor lists all',
  ].map((part) => stderr.indexOf(part));
  expect(places, stderr).not.toContain(-1);
  expect(places, stderr).toEqual([...places].sort((a, b) => a - b));
});

describe('A command of the user', () => {
  it('takes the place of one that Gemini CLI does not have', async () => {
    const rig = await testRig();
    rig.writeHome('commands/undo.toml', 'prompt = "take it back"');
    rig.model.replies([text('ok')]);
    expect(await rig.cli('-p', '/undo')).toMatchObject({ exitCode: 0, stdout: 'ok\n' });
    expect(JSON.stringify(rig.model.lastRequest().body.contents)).toContain('take it back');
  });

  it('whose file is broken ends with 42, the file and the line, and is not sent', async () => {
    const rig = await testRig();
    rig.writeHome('commands/deploy.toml', 'description = "x"\nprompt = ');
    const run = await rig.cli('-p', '/deploy prod');
    expect(run.exitCode).toBe(42);
    expect(run.stderr).toMatch(/deploy\.toml: line 2/);
    expect(rig.model.requests).toEqual([]);
  });
});

it('/plan TEXT switches a headless run to plan mode and sends TEXT', async () => {
  const rig = await testRig();
  rig.model.replies([text('a plan')]);
  const run = await rig.cli('-p', '/plan tidy up');
  expect(run, run.stderr).toMatchObject({ exitCode: 0, stdout: 'a plan\n' });
  const { body } = rig.model.lastRequest();
  expect(JSON.stringify(body.contents)).toContain('tidy up');
  expect(JSON.stringify(body.contents)).not.toContain('/plan');
  expect(JSON.stringify(body)).toContain('exit_plan_mode');
});
