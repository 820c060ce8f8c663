/** The configurations in docs/editors are valid JSON and start a program that answers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testRig } from '../test-utils.js';

interface Server {
  command: string;
  args: string[];
  env: Record<string, string>;
  type?: string;
}

const FOLDER = join(import.meta.dirname, '../../docs/editors');
const pages = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));

describe.each(pages)('docs/editors/%s', (page) => {
  const text = readFileSync(join(FOLDER, page), 'utf8');
  const blocks = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json));

  it('has an entry that starts gemini --acp, which answers', async () => {
    expect(blocks).not.toEqual([]);
    for (const block of blocks) {
      const server: Server = block.agent_servers?.Gemini ?? block;
      expect(Object.keys(server).filter((key) => !['type', 'command', 'args', 'env'].includes(key))).toEqual(
        [],
      );
      expect(server.command).toBe('gemini');
      const rig = await testRig();
      const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } };
      const run = await rig.cli(...server.args, {
        stdin: `${JSON.stringify(initialize)}\n`,
        env: server.env,
      });
      expect(run.exitCode).toBe(0);
      expect(JSON.parse(run.stdout)).toMatchObject({
        id: 1,
        result: { agentCapabilities: { loadSession: true } },
      });
    }
  });
});
