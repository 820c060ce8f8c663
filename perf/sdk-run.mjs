// Run by sdk-rows.ts, with the built SDK: node sdk-run.mjs first|idle|busy <folder>.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fakeModel, GeminiCliAgent } from '../packages/sdk/dist/index.js';

const [what = 'first', folder = process.cwd()] = process.argv.slice(2);
const IDLE = 100;
const BUSY = 50;

if (what === 'first') {
  const agent = new GeminiCliAgent({ cwd: folder, trust: true, model: 'gemini-2.5-flash', persist: false });
  await agent.send('hi');
  process.exit(0);
}

/** Each with a folder of its own, as in a server with many users. */
async function started(count) {
  const agents = Array.from({ length: count }, (_, index) => {
    const cwd = join(folder, `session-${index}`);
    mkdirSync(cwd, { recursive: true });
    return new GeminiCliAgent({
      cwd,
      trust: true,
      approvalMode: 'yolo',
      fakeResponses: fakeModel([
        'hello',
        { calls: [{ name: 'list_directory', args: { dir_path: '.' } }] },
        'done',
      ]),
    });
  });
  const sessions = [];
  for (const agent of agents) {
    const session = agent.session();
    await session.send('hi');
    sessions.push(session);
  }
  return { sessions, end: () => Promise.all(agents.map((agent) => agent.dispose())) };
}

const { sessions, end } = await started(IDLE);
globalThis.gc?.();
const megabytes = process.memoryUsage().rss / 1024 / 1024;
const startedAt = performance.now();
const results = await Promise.allSettled(sessions.slice(0, BUSY).map((session) => session.send('go')));
const ms = performance.now() - startedAt;
const failed = results.filter(({ status, value }) => status === 'rejected' || value.text !== 'done').length;
await end();
console.log(JSON.stringify({ megabytes, ms, failed }));
