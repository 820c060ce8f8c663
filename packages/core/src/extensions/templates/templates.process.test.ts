/** The templates at work: the MCP server answers, the hook decides. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';

const template = (...path: string[]) => join(import.meta.dirname, ...path);
let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill();
  child = undefined;
});

describe('the template mcp-server', () => {
  it('is example-mcp-server 1.0.0 with the tool fetch_posts and the prompt poem-writer', async () => {
    const server = spawn(process.execPath, [template('mcp-server', 'example.js')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child = server;
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    let id = 0;
    const call = async (method: string, params: object = {}) => {
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
      const { value } = await lines.next();
      return (JSON.parse(String(value)) as { result: unknown }).result;
    };
    const client = { name: 'test', version: '1' };
    expect(
      await call('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client }),
    ).toMatchObject({ serverInfo: { name: 'example-mcp-server', version: '1.0.0' } });
    server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    expect(await call('tools/list')).toMatchObject({ tools: [{ name: 'fetch_posts' }] });
    expect(await call('prompts/list')).toMatchObject({ prompts: [{ name: 'poem-writer' }] });
    const posts = await call('tools/call', { name: 'fetch_posts', arguments: { limit: 1 } });
    expect(JSON.stringify(posts)).toContain('Writing prompts');
    const poem = await call('prompts/get', { name: 'poem-writer', arguments: { title: 'Autumn' } });
    expect(JSON.stringify(poem)).toContain('Autumn');
  });
});

describe('the template hooks', () => {
  it.each([
    ['src/a.ts', 'allow'],
    ['src/generated/a.ts', 'deny'],
  ])('for %s it answers %s', (file_path, decision) => {
    const { stdout } = spawnSync(process.execPath, [template('hooks', 'hooks', 'protect-generated.js')], {
      input: JSON.stringify({ tool_name: 'write_file', tool_input: { file_path } }),
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toMatchObject({ decision });
  });
});
