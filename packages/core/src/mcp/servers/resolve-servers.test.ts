/** Which servers a session has, and which of them may start. */
import { describe, expect, it } from 'vitest';
import { resolveServers, type ServerSources } from './resolve-servers.js';

const RULES = {
  adminEnabled: true,
  excluded: [],
  disabledInSession: new Set<string>(),
  disabledForGood: new Set<string>(),
};

function resolve({
  rules,
  ...sources
}: Partial<Omit<ServerSources, 'rules'>> & { rules?: Partial<ServerSources['rules']> }) {
  const notices: string[] = [];
  const servers = resolveServers({
    settings: {},
    admin: { config: {}, requiredConfig: {} },
    isAllowedInFolder: true,
    notice: (message) => notices.push(message),
    ...sources,
    rules: { ...RULES, ...rules },
  });
  return {
    servers,
    notices,
    blocks: Object.fromEntries(servers.map(({ name, block }) => [name, block?.kind])),
  };
}

const A = { command: 'a' };

describe('Lists of servers', () => {
  it.each([
    ['the organisation disables all', { adminEnabled: false, allowed: ['a'] }, 'admin'],
    ['mcp.allowed names others', { allowed: ['b'], excluded: ['a'] }, 'allowlist'],
    ['mcp.allowed is empty', { allowed: [] }, 'allowlist'],
    ['mcp.excluded names it, in other letters', { allowed: ['a'], excluded: [' A '] }, 'excludelist'],
    ['the user disabled it in this session', { disabledInSession: new Set(['a']) }, 'session'],
    ['the user disabled it', { disabledForGood: new Set(['a']) }, 'enablement'],
    ['nothing is against it', { allowed: [' A'] }, undefined],
  ])('%s', (_what, rules, kind) => {
    expect(resolve({ settings: { a: A }, rules }).blocks).toEqual({ a: kind });
  });

  it('come before what the server and the folder say', () => {
    expect(resolve({ settings: { a: { ...A, disabled: true } } }).blocks).toEqual({ a: 'disabled' });
    expect(resolve({ settings: { a: A }, isAllowedInFolder: false }).blocks).toEqual({ a: 'untrusted' });
  });
});

describe('A server of an extension', () => {
  const extension = (servers: object, more = {}) => ({ name: 'ext', servers: servers as never, ...more });

  it('never vouches for itself, and the user changes single fields', () => {
    const { servers } = resolve({
      extensions: [
        extension({
          a: {
            command: 'x',
            trust: true,
            env: { A: '1', B: '1' },
            includeTools: ['p', 'q'],
            excludeTools: ['r'],
          },
        }),
      ],
      settings: { a: { env: { B: '2' }, includeTools: ['q', 's'], excludeTools: ['t'], timeout: 5 } },
    });
    expect(servers).toEqual([
      {
        name: 'a',
        config: {
          command: 'x',
          env: { A: '1', B: '2' },
          includeTools: ['q'],
          excludeTools: ['r', 't'],
          timeout: 5,
        },
        extension: { name: 'ext' },
      },
    ]);
  });

  it('has no tools when both lists of tools have nothing in common', () => {
    const { servers } = resolve({
      extensions: [extension({ a: { command: 'x', includeTools: ['p'] } })],
      settings: { a: { includeTools: ['q'] } },
    });
    expect(servers[0]?.config.includeTools).toEqual([]);
  });

  it('does not give its settings to a command of the user', () => {
    const { servers } = resolve({
      extensions: [extension({ a: { command: 'x' } }, { settings: { KEY: 'secret' } })],
      settings: { a: { command: 'mine' } },
    });
    expect(servers).toEqual([{ name: 'a', config: { command: 'mine' } }]);
  });

  it('is skipped with a warning where another extension has the name', () => {
    const { servers, notices } = resolve({
      extensions: [
        extension({ a: { command: 'first' } }),
        { name: 'two', servers: { a: { command: 'second' } } },
      ],
    });
    expect(servers).toMatchObject([{ config: { command: 'first' } }]);
    expect(notices.join()).toContain('"ext" and "two" both have an MCP server "a"');
  });

  it('is listed as ext:<extension>:<server>; the plain name works with a warning', () => {
    const extensions = [extension({ a: { command: 'x' } })];
    expect(resolve({ extensions, rules: { allowed: ['EXT:ext:a'] } })).toMatchObject({
      blocks: { a: undefined },
      notices: [],
    });
    const plain = resolve({ extensions, rules: { excluded: ['a'] } });
    expect(plain.blocks).toEqual({ a: 'excludelist' });
    expect(plain.notices.join()).toContain('write "ext:ext:a"');
  });

  it('does not start while it needs a setting without a value', () => {
    const { servers } = resolve({
      extensions: [
        extension(
          {
            a: { httpUrl: 'https://\u0024{MY_KEY}.example' },
            c: { command: 'x', args: ['$MY_KEY'] },
            b: { command: 'x', args: ['$MY_KEY_2'] },
          },
          { unsetSettings: { MY_KEY: 'API key' } },
        ),
      ],
    });
    expect(servers[0]?.block).toMatchObject({
      kind: 'unusable',
      reason: 'The setting "API key" has no value. Run gemini extensions config ext "API key".',
    });
    // What a program does without an argument is its own affair.
    expect(servers.slice(1).map(({ block }) => block)).toEqual([undefined, undefined]);
  });

  it('that is not there leaves an override without effect', () => {
    expect(resolve({ settings: { a: { timeout: 5 } } }).servers).toEqual([]);
  });
});

describe('The organisation', () => {
  it('replaces the address of listed servers and blocks the others', () => {
    const { servers, notices, blocks } = resolve({
      settings: {
        a: { command: 'x', env: { A: '1' }, trust: true, timeout: 5, includeTools: ['p'] },
        b: { command: 'y' },
      },
      admin: { config: { a: { url: 'https://a.example', type: 'http' }, c: {} }, requiredConfig: {} },
    });
    expect(servers[0]).toEqual({
      name: 'a',
      config: { url: 'https://a.example', type: 'http', timeout: 5, includeTools: ['p'] },
    });
    expect(blocks).toEqual({ a: undefined, b: 'admin' });
    expect(notices).toEqual(['The MCP server "b" is not allowed by your organisation.']);
  });

  it('adds servers, which replace local ones and are remote only', () => {
    const { servers } = resolve({
      settings: { a: { command: 'x', timeout: 1 } },
      admin: {
        config: { z: {} },
        requiredConfig: {
          a: { url: 'https://a.example', command: 'evil', trust: false },
          b: { url: 'https://b.example' },
          c: { command: 'evil' },
        },
      },
    });
    expect(servers).toEqual([
      { name: 'a', config: { url: 'https://a.example', trust: false } },
      { name: 'b', config: { url: 'https://b.example', trust: true } },
    ]);
  });
});

describe('mcp.serverCommand', () => {
  it('is split like a shell line', () => {
    const { servers } = resolve({ serverCommand: `node "my server.js" --x='a b'` });
    expect(servers).toEqual([
      { name: 'mcp', config: { command: 'node', args: ['my server.js', '--x=a b'] } },
    ]);
  });

  it('with an open quote is reported', () => {
    expect(resolve({ serverCommand: 'node "x' })).toMatchObject({
      servers: [],
      notices: ['mcp.serverCommand has a quote that is not closed.'],
    });
  });
});

it('Servers of the session replace configured ones of the same name', () => {
  const { servers } = resolve({ settings: { a: A, b: A }, session: { a: { command: 'other' } } });
  expect(servers.map(({ config }) => config.command)).toEqual(['other', 'a']);
});
