/** Several agents in one process, and many events through one stream. Bundled by agent-rows.ts; prints JSON. */
import { FixedModel } from '../packages/core/src/agent/fixed-model.js';
import { Config } from '../packages/core/src/config/config.js';
import { type Agent, composeAgent } from '../packages/core/src/engine/compose-agent.js';
import type { ContentGenerator, GenerateResponse } from '../packages/core/src/model/content-generator.js';
import { ApprovalMode } from '../packages/core/src/protocol/confirmation.js';
import { registerBuiltinTools } from '../packages/core/src/tools/catalog.js';

const [, , what = '', targetDir = '', count = '1'] = process.argv;
void main();

async function main(): Promise<void> {
  const measure = { second: secondAgent, many: manyAgents, events: manyEvents }[what];
  if (!measure) throw new Error(`unknown: ${what}`);
  console.log(JSON.stringify(await measure(Number(count))));
}

/** Time and memory of one more agent, after the first has worked. */
async function secondAgent(): Promise<{ ms: number; megabytes: number }> {
  const config = await start(model(2));
  await drain(config.getSession().send('hello'));
  // The code is compiled and warm, as it is after the first minute of a session.
  for (let warm = 0; warm < 3; warm++) (await agent(config)).close();
  globalThis.gc?.();
  const before = process.memoryUsage();
  const started = performance.now();
  const second = await agent(config);
  const ms = performance.now() - started;
  await drain(second.session.send('hello'));
  globalThis.gc?.();
  const after = process.memoryUsage();
  const megabytes = (after.heapUsed + after.external - before.heapUsed - before.external) / 2 ** 20;
  await config.shutdown();
  return { ms, megabytes };
}

/** In parallel, each with ten tool calls. */
async function manyAgents(agents: number): Promise<{ megabytes: number; seconds: number }> {
  const config = await start(model(1));
  const started = performance.now();
  const all = await Promise.all(Array.from({ length: agents }, () => agent(config)));
  await Promise.all(all.map(({ session }) => drain(session.send('read the files'))));
  const megabytes = process.memoryUsage().rss / 2 ** 20;
  const seconds = (performance.now() - started) / 1000;
  await config.shutdown();
  return { megabytes, seconds };
}

async function manyEvents(chunks: number): Promise<{ ms: number; events: number }> {
  const config = await start(model(chunks));
  await drain(config.getSession().send('hello'));
  const started = performance.now();
  const events = await drain(config.getSession().send('hello'));
  const ms = performance.now() - started;
  await config.shutdown();
  return { ms, events };
}

async function start(contentGenerator: ContentGenerator): Promise<Config> {
  const config = new Config({
    sessionId: `bench-${process.pid}`,
    targetDir,
    debugMode: false,
    model: 'gemini-2.5-flash',
    interactive: true,
    approvalMode: ApprovalMode.YOLO,
    disableLoopDetection: true,
    contentGenerator,
  });
  await config.initialize();
  return config;
}

function agent(config: Config): Promise<Agent> {
  return composeAgent(config.getEngine(), {
    name: 'helper',
    model: new FixedModel('gemini-2.5-flash'),
    settings: () => ({}),
    systemInstruction: () => 'You help.',
    registerTools: (registry, bus) => registerBuiltinTools(registry, config, bus, config.parameters),
  });
}

async function drain(events: AsyncIterable<{ type: string }>): Promise<number> {
  let count = 0;
  for await (const _ of events) count++;
  return count;
}

/** Ten reads where the prompt asks for them, else so many chunks of text. */
function model(chunks: number): ContentGenerator {
  const part = (item: object, finishReason?: string): GenerateResponse => ({
    candidates: [{ content: { role: 'model', parts: [item] }, ...(finishReason && { finishReason }) }],
  });
  return {
    async *generateContentStream({ messages }) {
      const asked = JSON.stringify(messages.findLast(({ origin }) => origin === 'prompt')?.parts);
      const done = messages.filter(({ origin }) => origin === 'tool_response').length;
      if (asked.includes('read the files') && done < 10) {
        const args = { file_path: `read-${done}.txt` };
        yield part({ functionCall: { name: 'read_file', args } }, 'STOP');
        return;
      }
      for (let n = 1; n < chunks; n++) yield part({ text: `word ${n} ` });
      yield part({ text: 'end' }, 'STOP');
    },
    generateContent: async () => part({ text: '{}' }, 'STOP'),
    countTokens: async () => ({ totalTokens: 1 }),
    embedContent: async () => ({ embeddings: [] }),
  };
}
