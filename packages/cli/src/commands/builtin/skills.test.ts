import { mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ApprovalMode, type Config, type ConfigParameters, LoadedSettings } from '@gemini-cli/core';
import { createTestConfig, tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CommandService } from '../command-service.js';
import { runHeadlessCommand } from '../headless.js';
import { BuiltinCommandLoader, builtinCommands } from '../loaders/builtin.js';
import { SkillCommandLoader } from '../loaders/skills.js';
import { runCommand } from '../run-command.js';
import { testContext } from '../testing/context.test-helper.js';
import { completeDisabled, completeEnabled } from './skills.js';

interface Scene {
  config: Config;
  settings: LoadedSettings;
  write(root: 'user' | 'workspace', name: string, header?: string): string;
}

async function scene(parameters: Partial<ConfigParameters> = {}): Promise<Scene> {
  const config = await createTestConfig(parameters);
  const cwd = config.getTargetDir();
  const settings = LoadedSettings.read({ cwd, env: process.env });
  settings.activate({ trusted: true, env: process.env });
  const roots = {
    user: join(config.storage.getGlobalGeminiDir(), 'skills'),
    workspace: join(cwd, '.gemini/skills'),
  };
  return {
    config,
    settings,
    write: (root, name, header = '') => writeSkill(roots[root], name, header),
  };
}

function writeSkill(root: string, name: string, header = ''): string {
  const file = join(root, name, 'SKILL.md');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `---\nname: ${name}\ndescription: Does ${name}\n${header}---\nBody`);
  return file;
}

async function run(line: string, { config, settings }: Scene, more: { overwriteConfirmed?: boolean } = {}) {
  const context = testContext({ config, ...more });
  context.services.settings = settings;
  const { result } = await runCommand(line, builtinCommands(), context);
  return { result, calls: context.calls };
}

describe('/skills', () => {
  it('lists skills with their state, and invalid files', async () => {
    const session = await scene({ disabledSkills: ['off'] });
    session.write('user', 'on', 'license: MIT\n');
    session.write('workspace', 'off');
    const broken = session.write('user', 'broken');
    writeFileSync(broken, 'no header');
    const rows = async (line: string) => {
      const { result } = await run(line, session);
      const [item] = result?.type === 'items' ? result.items : [];
      return item?.type === 'list' ? item.rows : [];
    };
    expect(await rows('/skills')).toMatchObject([
      { name: 'off', note: 'disabled' },
      { name: 'on', detail: expect.stringMatching(/^Does on\n.*SKILL\.md\nlicense: MIT$/) },
      { name: broken, note: 'invalid', status: 'error' },
    ]);
    expect((await rows('/skills list all nodesc')).map(({ name, detail }) => [name, detail])).toEqual([
      ['off', undefined],
      ['on', undefined],
      ['skill-creator', undefined],
      [broken, 'does not begin with a header between two lines of "---"'],
    ]);
  });

  it('disables and enables in the settings, and the change holds after /skills reload', async () => {
    const session = await scene();
    session.write('user', 'deploy');
    const parameters = { settings: session.settings };
    Object.assign(session.config.parameters, parameters);
    expect((await run('/skills disable Deploy', session)).result).toMatchObject({
      content: 'Skill "deploy" disabled (workspace settings). Run /skills reload to apply it.',
    });
    expect(session.config.getSkillManager().getSkill('deploy')?.disabled).toBe(false);
    const { result } = await run('/skills refresh', session);
    expect(result).toMatchObject({ content: expect.stringContaining('0 added, 0 removed') });
    expect(session.config.getSkillManager().getSkill('deploy')?.disabled).toBe(true);
    expect((await run('/skills disable deploy', session)).result).toMatchObject({ messageType: 'info' });
    expect((await run('/skills disable deploy --scope user', session)).result).toMatchObject({
      content: expect.stringContaining('(user settings)'),
    });
    expect((await run('/skills enable deploy', session)).result).toMatchObject({
      content: expect.stringContaining('enabled (workspace and user settings)'),
    });
    expect(readFileSync(session.settings.file('user').path, 'utf8')).not.toContain('deploy');
    expect((await run('/skills enable nothing', session)).result).toMatchObject({ messageType: 'error' });
    expect((await run('/skills disable', session)).result).toMatchObject({ messageType: 'error' });
    expect((await run('/skills disable deploy --scope galaxy', session)).result).toMatchObject({
      messageType: 'error',
    });
  });

  it('reports what a reload has added and removed', async () => {
    const session = await scene();
    await session.config.whenSkillsAreKnown();
    session.write('user', 'new-one');
    expect((await run('/skills reload', session)).result).toMatchObject({
      content: 'Skills reloaded: 2 enabled, 1 added, 0 removed.\nAdded: new-one',
    });
  });

  it('links a folder after a question that shows what it contains', async () => {
    const session = await scene();
    const { path: source, cleanup } = tempDir();
    onTestFinished(cleanup);
    writeSkill(source, 'linked');
    const asked = await run(`/skills link ${source}`, session);
    expect(asked.result).toMatchObject({
      type: 'confirm_action',
      prompt: expect.stringMatching(
        /Linking a skill[\s\S]*linked: Does linked[\s\S]*Do you want to continue\?$/,
      ),
    });
    const done = await run(`/skills link ${source}`, session, { overwriteConfirmed: true });
    expect(done.result).toMatchObject({ content: 'Linked "linked".' });
    const root = join(session.config.storage.getGlobalGeminiDir(), 'skills');
    expect(readlinkSync(join(root, 'linked'))).toBe(join(source, 'linked'));
    expect(session.config.getSkillManager().getSkill('linked')).not.toBeNull();
    expect((await run('/skills link /no/such/folder', session)).result).toMatchObject({
      messageType: 'error',
      content: expect.stringContaining('There is no such folder'),
    });
  });

  it('says so while skills are disabled', async () => {
    const session = await scene();
    await session.settings.setValue('user', 'skills.enabled', false);
    expect((await run('/skills list', session)).result).toMatchObject({
      messageType: 'warning',
      content: 'Skills are disabled (skills.enabled).',
    });
  });

  it('completes names of enabled and of disabled skills', async () => {
    const session = await scene({ disabledSkills: ['dep-off'] });
    session.write('user', 'deploy');
    session.write('user', 'dep-off');
    const context = testContext({ config: session.config });
    expect(await completeEnabled(context, 'DEP')).toEqual(['deploy']);
    expect(await completeDisabled(context, 'dep')).toEqual(['dep-off']);
  });
});

describe('the command of a skill', () => {
  const commandsOf = async (config: Config) =>
    (
      await CommandService.create(
        [new BuiltinCommandLoader(), new SkillCommandLoader(() => config)],
        new AbortController().signal,
      )
    ).getCommands();

  it('exists for each enabled skill that is not built in and that the user may invoke', async () => {
    const session = await scene({ disabledSkills: ['off'] });
    session.write('user', 'deploy');
    session.write('user', 'off');
    session.write('user', 'hidden', 'user-invocable: false\n');
    session.write('user', 'mine', 'disable-model-invocation: true\n');
    session.write('user', 'help');
    session.write('user', 'Two words');
    const names = (await commandsOf(session.config))
      .filter(({ kind }) => kind === 'skill')
      .map(({ name }) => name);
    expect(names.sort()).toEqual(['Two-words', 'deploy', 'mine', 'skill.help']);
    expect(await new SkillCommandLoader(() => undefined).loadCommands()).toEqual([]);
  });

  it.each(['/deploy to production', '/skill deploy to production'])(
    'activates it and sends the request: %s',
    async (line) => {
      const session = await scene({ interactive: true, approvalMode: ApprovalMode.DEFAULT });
      session.write('user', 'deploy');
      const context = testContext({ config: session.config });
      const { result } = await runCommand(line, await commandsOf(session.config), context);
      expect(result).toEqual({
        type: 'submit_prompt',
        content: 'to production',
        display: line,
        typed: line,
        call: { name: 'activate_skill', args: { name: 'deploy' } },
      });
    },
  );

  it('asks to use the skill when nothing is said', async () => {
    const session = await scene();
    session.write('user', 'deploy');
    const { result } = await runCommand(
      '/deploy',
      await commandsOf(session.config),
      testContext({ config: session.config }),
    );
    expect(result).toMatchObject({ content: 'Use the skill "deploy".' });
  });

  it('is refused by a deny rule, and in a headless run that no rule allows', async () => {
    const session = await scene({
      interactive: true,
      approvalMode: ApprovalMode.DEFAULT,
      excludeTools: ['activate_skill'],
    });
    session.write('user', 'deploy');
    const context = testContext({ config: session.config });
    const { result } = await runCommand('/deploy', await commandsOf(session.config), context);
    expect(result).toMatchObject({
      messageType: 'error',
      content: expect.stringContaining('cannot be activated'),
    });
    const headless = await scene({ approvalMode: ApprovalMode.DEFAULT });
    headless.write('user', 'deploy');
    await expect(
      runHeadlessCommand({
        prompt: '/deploy',
        config: headless.config,
        settings: headless.settings,
        signal: new AbortController().signal,
        warn: () => undefined,
      }),
    ).rejects.toMatchObject({ exitCode: 42, message: expect.stringContaining('tools.allowed') });
  });

  it('works in a headless run that a rule allows', async () => {
    const session = await scene({ approvalMode: ApprovalMode.DEFAULT, allowedTools: ['activate_skill'] });
    session.write('workspace', 'deploy');
    expect(
      await runHeadlessCommand({
        prompt: '/deploy now',
        config: session.config,
        settings: session.settings,
        signal: new AbortController().signal,
        warn: () => undefined,
      }),
    ).toMatchObject({ kind: 'prompt', parts: 'now', call: { args: { name: 'deploy' } } });
  });
});
