import { describe, expect, it } from 'vitest';
import { CommandService, onceEach } from './command-service.js';
import { builtinCommands } from './loaders/builtin.js';
import { isCommandLine, parseCommand } from './parse-command.js';
import { isSafeNow, runCommand } from './run-command.js';
import { testContext } from './testing/context.test-helper.js';
import { CommandKind, type ICommandLoader, type SlashCommand } from './types.js';

const never = new AbortController().signal;

function command(name: string, more: Partial<SlashCommand> = {}): SlashCommand {
  return { name, description: `${name}.`, kind: CommandKind.FILE, ...more };
}

const loaderOf = (...commands: SlashCommand[]): ICommandLoader => ({ loadCommands: async () => commands });
const own = (namespace: string, name: string) => command(name, { namespace });
const ofExtension = (extension: string, name: string) =>
  command(name, { namespace: extension, extensionName: extension });

async function create(...loaders: ICommandLoader[]) {
  const notices: string[] = [];
  const service = await CommandService.create(loaders, never, (message) => notices.push(message));
  return { names: service.getCommands().map(({ name }) => name), commands: service.getCommands(), notices };
}

describe('CommandService names', () => {
  const builtIn = loaderOf(command('help', { kind: CommandKind.BUILT_IN, altNames: ['?'] }));

  it('keeps the names of built-in commands and renames the others', async () => {
    const { names, notices } = await create(
      loaderOf(own('user', 'help')),
      builtIn,
      loaderOf(own('workspace', 'help')),
    );
    expect(names).toEqual(['help', 'user.help', 'workspace.help']);
    expect(notices).toEqual([
      '/help is a built-in command; the one from your commands is /user.help.',
      '/help is a built-in command; the one from the project is /workspace.help.',
    ]);
  });

  it("gives way to the user's and the project's commands where Gemini CLI has no such command or only an alias", async () => {
    const ours = loaderOf(
      command('undo', { kind: CommandKind.BUILT_IN, yields: true }),
      command('cost', { kind: CommandKind.BUILT_IN, yields: true }),
      command('quit', { kind: CommandKind.BUILT_IN, altNames: ['exit', 'bye'] }),
    );
    const { commands, names, notices } = await create(
      ours,
      loaderOf(own('user', 'undo'), own('workspace', 'exit'), ofExtension('gcp', 'cost')),
    );
    expect(names).toEqual(['gemini.undo', 'cost', 'quit', 'undo', 'exit', 'gcp.cost']);
    expect(commands[2]?.altNames).toEqual(['bye']);
    expect(parseCommand('/undo x', commands).command).toMatchObject({ namespace: 'user' });
    expect(notices).toEqual([
      '/undo runs your own command; the built-in one is /gemini.undo.',
      expect.stringContaining('/gcp.cost'),
    ]);
  });

  it('names all built-in commands that yield in one line', async () => {
    const ours = ['undo', 'cost'].map((name) => command(name, { kind: CommandKind.BUILT_IN, yields: true }));
    const { notices } = await create(loaderOf(...ours), loaderOf(own('user', 'undo'), own('user', 'cost')));
    expect(notices).toEqual([
      '/undo, /cost run your own commands; the built-in ones are /gemini.undo, /gemini.cost.',
    ]);
  });

  it.each(['sessions', 'cost', 'export', 'undo', 'checkpoint', 'usage', 'bg', 'new', 'exit', 'uncompress'])(
    "leaves /%s to a user's command",
    async (name) => {
      const { commands } = await create(loaderOf(...builtinCommands()), loaderOf(own('user', name)));
      expect(parseCommand(`/${name}`, commands).command).toMatchObject({ kind: CommandKind.FILE });
    },
  );

  it("gives the plain name to the project's command and keeps the user's reachable", async () => {
    const { commands, notices } = await create(
      loaderOf(command('test', { namespace: 'user', description: 'mine' })),
      loaderOf(command('test', { namespace: 'workspace', description: 'theirs' })),
    );
    const by = Object.fromEntries(commands.map(({ name, description }) => [name, description]));
    expect(by).toEqual({ test: 'theirs', 'user.test': 'mine', 'workspace.test': 'theirs' });
    expect(notices).toHaveLength(1);
  });

  it('prefixes commands of extensions and servers with their origin, and numbers them if that is taken', async () => {
    const { names, commands } = await create(
      loaderOf(own('user', 'deploy'), own('user', 'gcp.deploy'), ofExtension('gcp', 'deploy')),
      loaderOf(command('deploy', { kind: CommandKind.MCP_PROMPT, namespace: 'srv' })),
    );
    expect(names).toEqual(['deploy', 'gcp.deploy', 'gcp.deploy1', 'srv.deploy']);
    const { commands: plain } = await create(loaderOf(own('user', 'deploy'), ofExtension('gcp', 'deploy')));
    expect(parseCommand('/gcp:deploy now', plain)).toMatchObject({
      command: { name: 'gcp.deploy' },
      args: 'now',
    });
    expect(commands).toHaveLength(4);
  });
});

it('CommandService reports a loader that fails and uses the others', async () => {
  const broken: ICommandLoader = { loadCommands: () => Promise.reject(new Error('no disk')) };
  const { names, notices } = await create(broken, loaderOf(own('user', 'a')));
  expect(names).toEqual(['a']);
  expect(notices).toEqual(['Some commands could not be loaded: no disk']);
});

it('onceEach passes each message on once', () => {
  const told: string[] = [];
  const notify = onceEach((message) => told.push(message));
  for (const message of ['a', 'b', 'a']) notify(message);
  expect(told).toEqual(['a', 'b']);
});

it('isCommandLine distinguishes commands from comments and from a lone slash', () => {
  expect(['/help', '/x y'].map(isCommandLine)).toEqual([true, true]);
  expect(['// x', '/* x */', 'x /y', '', '/', '/ x'].some(isCommandLine)).toBe(false);
});

describe('parseCommand', () => {
  const commands = [
    command('chat', { subCommands: [command('save', { altNames: ['keep'] }), command('keep')] }),
    command('c', { altNames: ['chat2'] }),
    command('chat2'),
  ];

  it.each([
    ['/chat save a  "b  c" ', ['chat', 'save'], 'a  "b  c"'],
    ['/chat  keep x', ['chat', 'keep'], 'x'],
    ['/chat', ['chat'], ''],
    ['/chat\tother x', ['chat'], 'other x'],
    ['/chat2 x', ['chat2'], 'x'],
    ['/chat\nsave x\n y', ['chat', 'save'], 'x\n y'],
  ])('finds the command in %j at each level and keeps the rest as typed', (line, path, args) => {
    expect(parseCommand(line, commands)).toMatchObject({ path, args });
  });

  it.each(['/', '/ chat', '/Chat', '/chats'])('matches names exactly in %j', (line) => {
    expect(parseCommand(line, commands).command).toBe(line === '/ chat' ? commands[0] : undefined);
  });
});

describe('runCommand', () => {
  it('passes what was typed to the action', async () => {
    const seen: unknown[] = [];
    const say = command('say', {
      action: ({ invocation }, args) => {
        seen.push(invocation, args);
        return { type: 'message', messageType: 'info', content: 'ok' };
      },
    });
    const { result } = await runCommand('/say  a  b ', [say], testContext());
    expect(result).toMatchObject({ content: 'ok' });
    expect(seen).toEqual([{ raw: '/say  a  b', name: 'say', args: 'a  b' }, 'a  b']);
  });

  it('turns a failure into a message without control characters', async () => {
    const fail = command('fail', { action: () => Promise.reject(new Error('bad \u001b[2J')) });
    const { result } = await runCommand('/fail', [fail], testContext());
    expect(result).toEqual({ type: 'message', messageType: 'error', content: '/fail: bad \\u{1B}[2J' });
    const unknown = await runCommand('/nope\u001b x', [fail], testContext());
    expect(unknown.command).toBeUndefined();
    expect(unknown.result).toMatchObject({
      content: expect.stringContaining('Unknown command: /nope\\u{1B}'),
    });
  });

  it('shows the sub-commands of a command without an action', async () => {
    const group = command('group', { subCommands: [command('a'), command('b', { hidden: true })] });
    expect((await runCommand('/group', [group], testContext())).result).toMatchObject({
      messageType: 'info',
      content: '/group: group.\n  /group a  a.',
    });
    expect((await runCommand('/group zz', [group], testContext())).result).toMatchObject({
      messageType: 'error',
      content: expect.stringContaining('no sub-command "zz"'),
    });
  });
});

describe('the table of built-in commands', () => {
  const commands = builtinCommands();

  it('has every promised command', () => {
    const names =
      'about agents auth bug bug-memory chat checkpoint clear commands compress cost copy diff directory docs editor export export-session extensions footer gemma help hooks ide init mcp memory model permissions plan policies privacy quit restore resume rewind settings setup-github shortcuts skills stats tasks terminal-setup theme tools uncompress undo upgrade vim voice corgi';
    expect(commands.map(({ name }) => name)).toEqual(names.split(' ').sort());
  });

  it('uses no name and no alias twice at one level', () => {
    const check = (level: readonly SlashCommand[]) => {
      const all = level.flatMap(({ name, altNames = [] }) => [name, ...altNames]);
      expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
      for (const { subCommands } of level) if (subCommands) check(subCommands);
    };
    check(commands);
  });

  it('marks the commands that may run while the model works', () => {
    const safe = '/about /gemma /stats /vim /help /? /shortcuts /tasks /bg /theme /quit /exit'.split(' ');
    expect(safe.filter((line) => !isSafeNow(line, commands))).toEqual([]);
    expect(['/clear', '/model', '/nope', '/undo'].filter((line) => isSafeNow(line, commands))).toEqual([]);
  });
});
