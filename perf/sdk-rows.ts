/** Measures the SDK as programs use it: built, in processes of its own. */
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from '../packages/test-utils/src/model-script.js';
import { startModelServer } from '../packages/test-utils/src/model-server.js';
import { atMost, exactly, type Group, statOf, times } from './row.js';
import { cleanEnv } from './subjects.js';

const RUNS = 11;
const SCRIPT = join(import.meta.dirname, 'sdk-run.mjs');

/** The least that a program which asks a model can do. */
const BARE = `import http from 'node:http';
const url = process.env.GOOGLE_GEMINI_BASE_URL + '/v1beta/models/gemini-2.5-flash:generateContent';
const request = http.request(url, { method: 'POST' }, (response) => {
  response.resume();
  response.on('end', () => process.exit(0));
});
request.end('{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}');
`;

interface Many {
  megabytes: number;
  ms: number;
  failed: number;
}

export const SDK_ROWS: Record<string, Group> = {
  async sdk({ place }) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-sdk-bench-')));
    const model = await startModelServer();
    model.otherwise(() => [text('hello')]);
    const env = cleanEnv(place, model.url);
    writeFileSync(join(folder, 'bare.mjs'), BARE);
    /** From the start of the process to the arrival of its request. */
    const first = async (...args: string[]) => {
      const before = model.requests.length;
      const startedAt = performance.now();
      await run(args, env);
      return (model.requests[before]?.at ?? Number.NaN) - startedAt;
    };
    try {
      const [bare, sdk]: [number[], number[]] = [[], []];
      for (let round = 0; round < RUNS; round++) {
        bare.push(await first(join(folder, 'bare.mjs')));
        sdk.push(await first(SCRIPT, 'first', folder));
      }
      const many: Many = JSON.parse(await run(['--expose-gc', SCRIPT, 'many', folder], env));
      return [
        {
          name: 'SDK: from the import to the first request',
          unit: 'ms',
          program: statOf(sdk),
          base: { name: 'node:http', value: statOf(bare) },
          ...times(2.2),
        },
        {
          name: 'SDK: 100 sessions in one process, idle',
          unit: 'MB',
          program: exactly(many.megabytes),
          ...atMost(300, 'MB'),
          note: 'resident; each has answered once, in a folder of its own',
        },
        {
          name: 'SDK: 50 of them answer at once, failures',
          unit: 'count',
          program: exactly(many.failed),
          ...atMost(0, 'failures'),
          note: `two model turns with a tool each, ${many.ms.toFixed(0)} ms in all`,
        },
      ];
    } finally {
      await model.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function run(args: string[], env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve(output) : reject(new Error(`${args[0]}: ${code}`))));
  });
}
