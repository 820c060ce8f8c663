import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseArguments } from './arguments.js';
import { mcpCommand } from './run.js';

let root: ReturnType<typeof tempDir>;
let cwd: string;
let home: string;
beforeEach(() => {
  root = tempDir();
  const real = realpathSync(root.path);
  cwd = join(real, 'project');
  home = join(real, 'home');
  mkdirSync(cwd);
  mkdirSync(home);
});
afterEach(() => root.cleanup());

const write = (path: string, content: string) => {
  const file = join(root.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
};
const read = (path: string) => readFileSync(join(root.path, path), 'utf8');
const servers = (path: string) => JSON.parse(read(path)).mcpServers;

async function gemini(args: string[], at = cwd) {
  const output = { out: '', err: '', code: -1 };
  const io = {
    env: { GEMINI_CLI_HOME: home, GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(root.path, 'system.json') },
    stdout: (text: string) => {
      output.out += text;
    },
    stderr: (text: string) => {
      output.err += `${text}\n`;
    },
  };
  const wanted = parseArguments(args);
  if (typeof wanted === 'string') throw new Error(wanted);
  output.code = await mcpCommand(wanted, io, at);
  return output;
}

describe('gemini mcp add', () => {
  it('writes a server that is started as a command, with every option', async () => {
    const line = [
      'add',
      ...['-e', 'TOKEN=a=b', '--env=EMPTY=', '--timeout', '5000', '--trust', '--description', 'My files'],
      ...['--include-tools', 'read, list', '--include-tools', 'find', '--exclude-tools=rm'],
      ...['fs', 'npx', '-y', '@scope/server', '/tmp', '--', '-e', '--trust'],
    ];
    expect(await gemini(line)).toEqual({
      out: 'MCP server "fs" added to project settings. (stdio)\n',
      err: '',
      code: 0,
    });
    expect(servers('project/.gemini/settings.json')).toEqual({
      fs: {
        command: 'npx',
        args: ['-y', '@scope/server', '/tmp', '-e', '--trust'],
        env: { TOKEN: 'a=b', EMPTY: '' },
        timeout: 5000,
        trust: true,
        description: 'My files',
        includeTools: ['read', 'list', 'find'],
        excludeTools: ['rm'],
      },
    });
  });

  it('writes a server with an address and its headers for the user', async () => {
    const line = ['add', '-s', 'user', '--type', 'sse', '-H', 'X-Key: a:b', 'web', 'https://example.com/sse'];
    expect((await gemini(line)).out).toBe('MCP server "web" added to user settings. (sse)\n');
    expect(servers('home/.gemini/settings.json')).toEqual({
      web: { url: 'https://example.com/sse', type: 'sse', headers: { 'X-Key': 'a:b' } },
    });
  });

  it('takes an address for an HTTP server when no transport is named', async () => {
    expect((await gemini(['add', 'web', 'https://example.com/mcp'])).out).toContain('(http)');
  });

  it('keeps comments, other servers and fields it does not know when it replaces a server', async () => {
    write(
      'project/.gemini/settings.json',
      `{
  // look
  "ui": {},
  "mcpServers": {
    "other.one": { "command": "x" }, // keep
    "fs": {
      // why this server is here
      "command": "old",
      "trust": true,
      "oauth": { "clientSecret": "s" },
      "note": 1
    }
  }
}
`,
    );
    const { out } = await gemini(['add', 'fs', 'new', 'arg']);
    expect(out).toBe(
      'MCP server "fs" is already configured within project settings.\nMCP server "fs" updated in project settings.\n',
    );
    const text = read('project/.gemini/settings.json');
    for (const comment of ['// look', '// keep', '// why this server is here'])
      expect(text).toContain(comment);
    expect(text).toContain('"command": "new"');
    expect(text).toContain('"note": 1');
    expect(text).not.toContain('"trust"');
    expect(text).not.toContain('clientSecret');
  });

  it('refuses project settings in the home directory', async () => {
    expect(await gemini(['add', 'x', 'y'], home)).toEqual({
      out: '',
      err: 'Error: Please use --scope user to edit settings in the home directory.\n',
      code: 1,
    });
  });
});

describe('gemini mcp remove', () => {
  it('removes a server whose name has a dot, and says when there is none', async () => {
    write('project/.gemini/settings.json', '{"mcpServers": {"a.b": {"command": "x"}, "c": {"url": "u"}}}');
    expect((await gemini(['remove', 'a.b'])).out).toBe('Server "a.b" removed from project settings.\n');
    expect(servers('project/.gemini/settings.json')).toEqual({ c: { url: 'u' } });
    const again = await gemini(['remove', 'a.b', '--scope=user']);
    expect(again).toEqual({ out: 'Server "a.b" not found in user settings.\n', err: '', code: 0 });
  });
});

describe('the arguments of gemini mcp', () => {
  it.each([
    ['', 'a command is missing'],
    ['install', 'unknown command "install"'],
    ['add', 'a name and a command or address are needed'],
    ['add x', 'a name and a command or address are needed'],
    ['add --scpe user x y', 'unknown option "--scpe"'],
    ['add -s global x y', 'unknown scope "global"'],
    ['add -t tcp x y', 'unknown transport "tcp"'],
    ['add -e KEY x y', '--env needs KEY=value'],
    ['add -H Key x y', '--header needs'],
    ['add --timeout soon x y', '--timeout needs milliseconds'],
    ['add x y --env', '--env needs a value'],
    ['add -t http x example.com', 'is not an http:// or https:// address'],
    ['add x https://example.com extra', 'unknown argument "extra"'],
    ['add __proto__ y', 'cannot be the name'],
    ['add constructor y', 'cannot be the name'],
    ['add x\u001b y', 'control characters'],
    ['remove', 'the name of a server is missing'],
    ['remove a b', 'unknown argument "b"'],
    ['list all', 'unknown argument "all"'],
    ['enable', 'the name of a server is missing'],
    ['disable x --forever', 'unknown argument "--forever"'],
  ])('"%s" is refused: %s', (line, problem) => {
    expect(parseArguments(line === '' ? [] : line.split(' '))).toContain(problem);
  });
});
