import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseArguments } from './arguments.js';
import { mcpCommand } from './run.js';

const MEMORY = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/package.json')),
  'dist/index.js',
);

let root: ReturnType<typeof tempDir>;
let cwd: string;
let home: string;
beforeEach(() => {
  root = tempDir();
  const real = realpathSync(root.path);
  cwd = join(real, 'project');
  home = join(real, 'home');
  mkdirSync(join(cwd, '.gemini'), { recursive: true });
  mkdirSync(home);
});
afterEach(() => root.cleanup());

const configure = (settings: object) =>
  writeFileSync(join(cwd, '.gemini/settings.json'), JSON.stringify(settings));

async function gemini(line: string, { trusted = true } = {}) {
  const output = { out: '', err: '', code: -1 };
  const io = {
    env: {
      PATH: process.env['PATH'],
      GEMINI_CLI_HOME: home,
      GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(root.path, 'system.json'),
      ...(trusted && { GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    },
    stdout: (text: string) => {
      output.out += text;
    },
    stderr: (text: string) => {
      output.err += `${text}\n`;
    },
  };
  const wanted = parseArguments(line.split(' '));
  if (typeof wanted === 'string') throw new Error(wanted);
  output.code = await mcpCommand(wanted, io, cwd);
  return output;
}

const SERVERS = {
  memory: {
    command: process.execPath,
    args: [MEMORY],
    env: { MEMORY_FILE_PATH: '/nowhere', TOKEN: 'value-of-token' },
  },
  gone: { command: '/nonexistent/server', args: ['--flag'] },
  web: {
    url: 'http://user:secret-word@127.0.0.1:1/mcp?key=secret-key',
    type: 'http',
    headers: { 'X-Key': 'secret-header' },
  },
  off: { command: 'x', disabled: true },
};

it('gemini mcp list connects to every server and says how each is, without secrets', {
  timeout: 60_000,
}, async () => {
  configure({ mcpServers: { ...SERVERS, excluded: { command: 'y' } }, mcp: { excluded: ['Excluded'] } });
  const { out, err, code } = await gemini('list');
  expect(out.split('\n')).toEqual([
    'Configured MCP servers:',
    '',
    `✓ memory: ${process.execPath} ${MEMORY} (stdio) - Connected`,
    '✗ gone: /nonexistent/server --flag (stdio) - Disconnected',
    '✗ web: http://127.0.0.1:1/mcp?… (http) - Disconnected',
    '○ off: x (stdio) - Disabled',
    '⛔ excluded: y (stdio) - Blocked',
    '',
  ]);
  expect(code).toBe(0);
  expect(err).toContain('"/nonexistent/server" was not found');
  expect(out + err).not.toMatch(/secret|value-of-token/);
});

it('gemini mcp list, disable and enable know the servers of extensions', { timeout: 60_000 }, async () => {
  const folder = join(home, '.gemini/extensions/ext-one');
  mkdirSync(folder, { recursive: true });
  const manifest = {
    name: 'ext-one',
    version: '1.0.0',
    mcpServers: { facts: { command: process.execPath, args: ['${FLAG:---no-warnings}', MEMORY] } },
  };
  writeFileSync(join(folder, 'gemini-extension.json'), JSON.stringify(manifest));
  const listed = async () => (await gemini('list')).out;
  expect(await listed()).toMatch(/^✓ facts \(from ext-one\): .* - Connected$/m);
  expect((await gemini('disable facts')).out).toBe("✓ MCP server 'facts' disabled.\n");
  expect(await listed()).toMatch(/^○ facts .* - Disabled$/m);
  expect((await gemini('enable facts')).out).toBe("✓ MCP server 'facts' enabled.\n");
});

it('gemini mcp list starts nothing in an untrusted folder', async () => {
  configure({ mcpServers: SERVERS });
  const { out, err } = await gemini('list', { trusted: false });
  expect(out).toContain('○ memory: ');
  expect(out).not.toMatch(/Connected|Disconnected/);
  expect(err).toContain('not trusted');
});

it('gemini mcp list says when there is none', async () => {
  expect(await gemini('list')).toEqual({ out: 'No MCP servers configured.\n', err: '', code: 0 });
});

it('gemini mcp disable and enable keep the choice in a file, whatever the case of the name', async () => {
  configure({ mcpServers: SERVERS });
  const saved = () => JSON.parse(readFileSync(join(home, '.gemini/mcp-server-enablement.json'), 'utf8'));
  expect((await gemini('disable GONE')).out).toBe("✓ MCP server 'gone' disabled.\n");
  expect(saved()).toEqual({ gone: { enabled: false } });
  expect((await gemini('enable gone')).out).toBe("✓ MCP server 'gone' enabled.\n");
  expect(saved()).toEqual({});
  expect((await gemini('disable gone --session')).out).toBe(
    "✓ MCP server 'gone' disabled for this session.\n",
  );
  expect((await gemini('enable gone --session')).out).toBe("✓ Session disable cleared for 'gone'.\n");
  expect(saved()).toEqual({});
});

it('gemini mcp enable says what it cannot do', async () => {
  configure({ mcpServers: SERVERS, mcp: { allowed: ['memory', 'off'] } });
  expect(await gemini('enable nothing')).toEqual({
    out: '',
    err: "Error: Server 'nothing' not found. Use 'gemini mcp' to see available servers.\n",
    code: 1,
  });
  expect(await gemini('enable gone')).toMatchObject({ code: 1, err: expect.stringContaining('mcp.allowed') });
  expect((await gemini('enable off')).err).toContain('disabled in its configuration');
});
