/** Measures what MCP servers cost beyond their own time. */
import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { estimateTextTokens } from '../packages/core/src/context/size/text-tokens.js';
import { scriptedServer } from '../packages/test-utils/src/mcp-servers.js';
import { text } from '../packages/test-utils/src/model-script.js';
import { bundleScript } from './bundle-script.js';
import { runOnce } from './measure.js';
import { atMost, exactly, type Group, minus, prompt, statOf } from './row.js';
import { cleanEnv } from './subjects.js';
import { withSettings } from './with-settings.js';

const CALLS = 1000;

export const MCP_ROWS: Record<string, Group> = {
  async mcp(bench) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-mcp-bench-')));
    try {
      const script = await bundleScript('mcp-run', folder);
      const server = scriptedServer();
      const measure = async <T>(what: string, count: number): Promise<T> => {
        const args = ['--expose-gc', script, what, folder, JSON.stringify(server), String(count)];
        const { stdout } = await promisify(execFile)(process.execPath, args, {
          env: cleanEnv(bench.place, ''),
        });
        return JSON.parse(stdout);
      };
      const command = bench.subjects.find(({ name }) => name === 'program')?.command ?? [];
      const firstRequest = async (env: Record<string, string>) => {
        const task = { args: prompt('hello'), replies: [[text('Hello there.')]], env };
        return runOnce(command, task, bench.place);
      };
      const own: number[] = [];
      const without: number[] = [];
      const ours: number[] = [];
      await withSettings({ mcpServers: { a: { ...server, trust: true } } }, async (env) => {
        for (let run = -1; run < bench.runs; run++) {
          const [bare = Number.NaN] = await measure<number[]>('bare', 1);
          const plain = (await firstRequest({})).firstRequest;
          const served = (await firstRequest(env)).firstRequest;
          if (run < 0) continue;
          own.push(bare);
          without.push(plain);
          ours.push(served);
        }
      });
      const many = { a: { ...scriptedServer({ count: 150 }), trust: true } };
      const { requests } = await withSettings({ mcpServers: many }, firstRequest);
      return [
        {
          name: 'first request with a stdio server, added to its own time',
          unit: 'ms',
          program: minus(minus(statOf(ours), statOf(without)), statOf(own)) ?? statOf(ours),
          ...atMost(60, 'ms'),
          note: 'its own time: a bare client, from start to the list of tools',
        },
        {
          name: 'a tool call of a server, over a bare client',
          unit: 'ms',
          program: statOf(await measure<number[]>('call', 200)),
          ...atMost(3, 'ms'),
        },
        {
          name: 'ten servers, over ten bare clients',
          unit: 'ms',
          program: statOf(await measure<number[]>('ten', bench.runs)),
          ...atMost(100, 'ms'),
        },
        {
          name: 'first request with 150 tools of a server',
          unit: 'tokens',
          program: exactly(estimateTextTokens(JSON.stringify(requests[0]?.body))),
          ...atMost(8_000, 'tokens'),
        },
        {
          name: `${CALLS.toLocaleString('en')} calls: memory`,
          unit: 'MB',
          program: exactly(await measure<number>('memory', CALLS)),
          ...atMost(10, 'MB'),
          note: 'growth of the heap',
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
