/** One session of thousands of prompts in one process. Bundled by long-session-rows.ts; prints JSON. */
import { readFileSync, statSync } from 'node:fs';
import { Config } from '../packages/core/src/config/config.js';
import { ApprovalMode } from '../packages/core/src/protocol/confirmation.js';

const [, , targetDir = '', turns = '0'] = process.argv;
void main(Number(turns));

async function main(count: number): Promise<void> {
  const config = new Config({
    sessionId: `bench-${process.pid}`,
    targetDir,
    debugMode: false,
    model: 'gemini-2.5-flash',
    interactive: true,
    approvalMode: ApprovalMode.YOLO,
    disableLoopDetection: true,
    includeDirectoryTree: false,
    sessions: {},
    // Small requests: this measures memory, not the network.
    models: { compressionThreshold: 0.02 },
  });
  await config.initialize();
  const started = Date.now();
  const [heap, resident]: [number[], number[]] = [[], []];
  for (let turn = 1; turn <= count; turn++) {
    const prompt = `Frage ${turn}: ${'noch mehr größere Wörter, 漢字 '.repeat(12)}`;
    for await (const event of config.getSession().send(prompt)) {
      if (event.type === 'error') throw new Error(event.error.message);
    }
    if (turn % 1_000 !== 0) continue;
    globalThis.gc?.();
    heap.push(process.memoryUsage().heapUsed / 2 ** 20);
    resident.push(process.memoryUsage().rss / 2 ** 20);
  }
  const file = config.getChatRecordingService()?.conversationFile ?? '';
  const fileBytes = statSync(file).size;
  await config.shutdown();
  const [, peak] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  const seconds = (Date.now() - started) / 1000;
  console.log(JSON.stringify({ peak: Number(peak) / 1024, heap, resident, seconds, fileBytes }));
}
