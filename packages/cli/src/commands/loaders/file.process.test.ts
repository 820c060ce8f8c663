import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ApprovalMode, type Config, type ConfigParameters, globalGeminiDir } from '@gemini-cli/core';
import { createTestConfig } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../run-command.js';
import { testContext } from '../testing/context.test-helper.js';
import type { CommandContext, SlashCommand, SlashCommandActionReturn } from '../types.js';
import { commandFolders } from './command-folders.js';
import { FileCommandLoader } from './file.js';

const LONG_TIMEOUT = { timeout: 60_000 };

function put(root: string, name: string, content: string): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

async function load(config: Config) {
  const notices: string[] = [];
  const folders = () =>
    commandFolders({
      env: process.env,
      projectRoot: config.getTargetDir(),
      isTrusted: config.isTrustedFolder(),
    });
  const loader = new FileCommandLoader(folders, (message) => notices.push(message));
  return { commands: await loader.loadCommands(new AbortController().signal), notices };
}

/** The context after the user has approved these commands. */
function withApproved(context: CommandContext, commands: readonly string[]): CommandContext {
  const sessionShellAllowlist = new Set([...context.session.sessionShellAllowlist, ...commands]);
  return { ...context, session: { ...context.session, sessionShellAllowlist } };
}

/** Writes the template as a command of the project and runs it. */
async function run(
  template: string,
  args = '',
  {
    files = {},
    parameters = {},
  }: { files?: Record<string, string>; parameters?: Partial<ConfigParameters> } = {},
) {
  const config = await createTestConfig(parameters);
  const root = config.getTargetDir();
  for (const [name, content] of Object.entries(files)) put(root, name, content);
  put(root, '.gemini/commands/t.toml', `prompt = ${JSON.stringify(template)}`);
  const { commands } = await load(config);
  const context = testContext({ config, cwd: root });
  const line = `/t ${args}`;
  const { result } = await runCommand(line, commands, context);
  return { result, text: textOf(result), context, commands, root, line, items: context.items };
}

function textOf(result: SlashCommandActionReturn | undefined): string | undefined {
  if (result?.type !== 'submit_prompt') return undefined;
  const parts = Array.isArray(result.content) ? result.content : [result.content];
  return parts.map((part) => (typeof part === 'string' ? part : (part.text ?? '[media]'))).join('');
}

describe('command files', LONG_TIMEOUT, () => {
  it('are found in the folders of user and project and named by their paths', async () => {
    const config = await createTestConfig();
    const user = join(globalGeminiDir(process.env), 'commands');
    const project = join(config.getTargetDir(), '.gemini/commands');
    put(user, 'git/commit.toml', 'prompt = "Commit."\ndescription = "Makes  a\\ncommit"');
    put(user, `${'x'.repeat(60)}.toml`, 'prompt = "a"');
    put(project, 'a b!.toml', `prompt = "{{args}}"\ndescription = "${'d'.repeat(200)}"`);
    put(project, '.hidden.toml', 'prompt = "a"');
    put(project, 'README.md', 'no command');
    symlinkSync('a b!.toml', join(project, 'link.toml'));
    symlinkSync('.', join(project, 'round'));
    const { commands, notices } = await load(config);
    expect(notices).toEqual([]);
    const shown = commands.map(({ name, namespace, description }: SlashCommand) => [
      name,
      namespace,
      description,
    ]);
    expect(shown).toEqual([
      ['git:commit', 'user', 'Makes a commit'],
      [`${'x'.repeat(47)}...`, 'user', expect.stringMatching(/^Custom command from x+/)],
      ['.hidden', 'workspace', 'Custom command from .hidden.toml'],
      ['a_b_', 'workspace', `${'d'.repeat(97)}...`],
      ['link', 'workspace', `${'d'.repeat(97)}...`],
    ]);
    expect(commands.map(({ autoExecute }) => autoExecute)).toEqual([true, true, true, false, false]);
  });

  it('are reported in one line if they are wrong, say what is wrong when called, and the others load', async () => {
    const config = await createTestConfig();
    const project = join(config.getTargetDir(), '.gemini/commands');
    put(project, 'a.toml', 'prompt = "fine"');
    put(project, 'b.toml', 'prompt = ');
    put(project, 'c.toml', 'prompt = 3');
    put(project, 'd.toml', 'description = "x"');
    put(project, 'e.toml', 'prompt = "x"\ndescription = []');
    symlinkSync('/nowhere', join(project, 'f.toml'));
    const { commands, notices } = await load(config);
    expect(commands.filter(({ hidden }) => !hidden).map(({ name }) => name)).toEqual(['a']);
    expect(notices).toEqual([
      expect.stringMatching(
        /^Skipped 5 command files: .*b\.toml: line 1: .*; .*c\.toml: it has no prompt.*; .*d\.toml: it has no prompt.*; and 2 more/,
      ),
    ]);
    const said = await Promise.all(commands.slice(1).map(({ action }) => action?.(testContext(), '')));
    const mistake = (text: RegExp) => ({ messageType: 'error', content: expect.stringMatching(text) });
    expect(said).toMatchObject([
      mistake(/b\.toml: line 1: /),
      mistake(/c\.toml: it has no prompt/),
      mistake(/d\.toml: it has no prompt/),
      mistake(/e\.toml: its description is not a string/),
      mistake(/f\.toml: /),
    ]);
  });

  it('are loaded from the user but not from an untrusted project', async () => {
    const config = await createTestConfig({ trusted: false, approvalMode: ApprovalMode.DEFAULT });
    put(globalGeminiDir(process.env), 'commands/mine.toml', 'prompt = "x"');
    put(config.getTargetDir(), '.gemini/commands/theirs.toml', 'prompt = "x"');
    expect((await load(config)).commands.map(({ name }) => name)).toEqual(['mine']);
  });
});

describe('arguments of a command file', LONG_TIMEOUT, () => {
  it('replace {{args}} as typed', async () => {
    expect((await run('Explain {{args}} and {{args}}!', 'a  "b" $(c)')).text).toBe(
      'Explain a  "b" $(c) and a  "b" $(c)!',
    );
  });

  it('follow a template without {{args}}', async () => {
    expect((await run('Explain.', 'this  thing')).text).toBe('Explain.\n\n/t this  thing');
    expect((await run('Explain.')).text).toBe('Explain.');
  });

  it('are one argument inside a command, whatever they contain', async () => {
    const args = `'; touch pwned; echo "$(touch pwned2)" \`touch pwned3\``;
    const template = '<!{printf %s {{args}}}> <!{printf %s "{{args}}"}>';
    const { result, context, commands, line, root } = await run(template, args, {
      parameters: { interactive: true },
    });
    // Odd enough to be asked about, even in yolo mode.
    if (result?.type !== 'confirm_shell_commands') throw new Error(`Not asked: ${JSON.stringify(result)}`);
    const again = await runCommand(line, commands, withApproved(context, result.commandsToConfirm));
    expect(textOf(again.result)).toBe(`<${args}> <${args}>`);
    expect(['pwned', 'pwned2', 'pwned3'].filter((name) => existsSync(join(root, name)))).toEqual([]);
  });

  it('are never searched for placeholders', async () => {
    const args = '!{touch pwned} @{secret.txt} {{args}}';
    const { text, root } = await run('Say: {{args}}', args, { files: { 'secret.txt': 'secret' } });
    expect(text).toBe(`Say: ${args}`);
    expect(existsSync(join(root, 'pwned'))).toBe(false);
  });
});

describe('shell commands in a template', LONG_TIMEOUT, () => {
  it('are replaced by their output, with a note only when they fail', async () => {
    const { text } = await run(
      '[!{ echo "a {b} c" }] [!{}] [!{echo out; echo err >&2; exit 3}] [!{kill -9 $$}]',
    );
    expect(text).toBe(
      "[a {b} c] [] [out\nerr\n[Shell command 'echo out; echo err >&2; exit 3' exited with code 3]] " +
        "[[Shell command 'kill -9 $$' terminated by signal SIGKILL]]",
    );
  });

  it('are never looked for in the output of other commands', async () => {
    const { text, root } = await run("!{printf '%s' '!'; printf '{touch pwned} {{arg%s}}' s}");
    expect(text).toContain('!{touch pwned} {{args}}');
    expect(existsSync(join(root, 'pwned'))).toBe(false);
  });

  it('are all checked before the first one runs', async () => {
    const parameters = { interactive: true, approvalMode: ApprovalMode.DEFAULT };
    const { result, root, context, commands, line } = await run(
      '!{touch one} !{touch two} !{touch one}',
      '',
      {
        parameters,
      },
    );
    expect(result).toEqual({
      type: 'confirm_shell_commands',
      commandsToConfirm: ['touch one', 'touch two'],
      originalInvocation: { raw: '/t' },
    });
    expect(existsSync(join(root, 'one'))).toBe(false);
    const again = await runCommand(line, commands, withApproved(context, ['touch one', 'touch two']));
    expect(again.result?.type).toBe('submit_prompt');
    expect(existsSync(join(root, 'two'))).toBe(true);
    expect(context.session.sessionShellAllowlist.size).toBe(0);
  });

  it('are refused when the policy denies them, even after an approval', async () => {
    const parameters = {
      interactive: true,
      approvalMode: ApprovalMode.DEFAULT,
      excludeTools: ['run_shell_command(curl)'],
    };
    const { result, root, commands, context, line } = await run('!{touch one} !{curl http://x}', '', {
      parameters,
    });
    expect(result).toMatchObject({
      messageType: 'error',
      content: expect.stringContaining('"curl http://x"'),
    });
    const again = await runCommand(line, commands, withApproved(context, ['touch one', 'curl http://x']));
    expect(again.result).toMatchObject({ type: 'message', messageType: 'error' });
    expect(existsSync(join(root, 'one'))).toBe(false);
  });

  it('are stopped when the user cancels, and nothing is sent', async () => {
    const controller = new AbortController();
    const config = await createTestConfig();
    const prompt = '!{echo begun > begun; sleep 600} !{touch second}';
    put(config.getTargetDir(), '.gemini/commands/t.toml', `prompt = ${JSON.stringify(prompt)}`);
    const { commands } = await load(config);
    const context = { ...testContext({ config }), signal: controller.signal };
    const running = runCommand('/t', commands, context);
    const begun = join(config.getTargetDir(), 'begun');
    while (!existsSync(begun)) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect((await running).result).toMatchObject({ content: 'Cancelled; nothing was sent.' });
    expect(existsSync(join(config.getTargetDir(), 'second'))).toBe(false);
  });

  it('are an error if they are never closed, and nothing runs', async () => {
    const { result, root } = await run('!{touch one}\n!{touch { two');
    expect(result).toMatchObject({
      messageType: 'error',
      content: '/t: "!{" in line 2 of the prompt is never closed.',
    });
    expect(existsSync(join(root, 'one'))).toBe(false);
  });
});

describe('files in a template', LONG_TIMEOUT, () => {
  it('are replaced by their content, which is not searched for placeholders', async () => {
    const files = { 'a.txt': 'one !{touch pwned} {{args}} @{b.txt}\n', 'b.txt': 'two' };
    const { text, root } = await run('<@{ a.txt }>', 'x', { files });
    expect(text).toMatch(/^<one !\{touch pwned\} \{\{args\}\} @\{b\.txt\}\n?>\n\n\/t x$/);
    expect(existsSync(join(root, 'pwned'))).toBe(false);
  });

  it('are read from a whole folder', async () => {
    const { text } = await run('@{d}', '', { files: { 'd/a.txt': 'one', 'd/e/b.txt': 'two' } });
    expect(text).toBe(
      '--- Start of content for directory: d ---\n--- d/a.txt ---\none\n--- d/e/b.txt ---\ntwo\n--- End of content for directory: d ---',
    );
  });

  it('are not replaced if they cannot be read, and the user learns why', async () => {
    const files = { '.geminiignore': 'secret\n', secret: 'x' };
    const { text, items } = await run('[@{/etc/hostname}] [@{../x}] [@{nope}] [@{secret}]', '', { files });
    expect(text).toBe('[@{/etc/hostname}] [@{../x}] [@{nope}] []');
    expect(items.map(({ type }) => type)).toEqual(['error', 'error', 'error', 'info']);
  });

  it('are attached if they are images', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII=',
      'base64',
    );
    const config = await createTestConfig();
    writeFileSync(join(config.getTargetDir(), 'p.png'), png);
    put(config.getTargetDir(), '.gemini/commands/t.toml', 'prompt = "See @{p.png}."');
    const { commands } = await load(config);
    const { result } = await runCommand('/t', commands, testContext({ config }));
    expect(result).toMatchObject({
      content: [{ text: 'See ' }, { inlineData: { mimeType: 'image/png' } }, { text: '.' }],
    });
  });
});
