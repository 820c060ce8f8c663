/** Several agents in one process, and many events through one stream. Bundled by agent-rows.ts; prints JSON. */
import { FixedModel } from '../packages/core/src/agent/fixed-model.js';
import { Config } from '../packages/core/src/config/config.js';
import { type Agent, composeAgent } from '../packages/core/src/engine/compose-agent.js';
import type { ContentGenerator, GenerateResponse } from '../packages/core/src/model/content-generator.js';
import { isMainAgent } from '../packages/core/src/protocol/agent-events.js';
import { ApprovalMode } from '../packages/core/src/protocol/confirmation.js';
import { registerBuiltinTools } from '../packages/core/src/tools/catalog.js';

/** Of each sub-agent that works beside others. */
const TURNS = 20;
const MODEL_MS = 40;

const [, , what = '', targetDir = '', count = '1'] = process.argv;
void main();

async function main(): Promise<void> {
  const measure = {
    second: secondAgent,
    many: manyAgents,
    events: manyEvents,
    first: firstRequest,
    beside: sideBySide,
  }[what];
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

/** From the approved `invoke_agent` to the sub-agent's first model request, in ms. */
async function firstRequest(): Promise<{ ms: number; warmMs: number }> {
  const asked: number[] = [];
  const config = await start(delegating(1, 1, () => asked.push(performance.now())));
  registerWorkers(config, 1);
  const times: number[] = [];
  for (let run = 0; run < 5; run++) {
    asked.length = 0;
    let approved = 0;
    const stop = config.getEvents().subscribe((event) => {
      if (event.type === 'tool_status' && event.status === 'executing' && isMainAgent(event.agent))
        approved = performance.now();
    });
    await drain(config.getSession().send('delegate'));
    stop();
    times.push((asked[0] ?? 0) - approved);
  }
  await config.shutdown();
  const [ms = 0, ...warm] = times;
  return { ms, warmMs: Math.min(...warm) };
}

/** So many agents in one turn, 20 tool turns each, with a model that takes 40 ms per answer. */
async function sideBySide(agents: number): Promise<{ ms: number; cpuMs: number; megabytes: number }> {
  const config = await start(delegating(agents, TURNS), { maxParallel: agents });
  registerWorkers(config, agents);
  const before = process.cpuUsage();
  const started = performance.now();
  await drain(config.getSession().send('delegate'));
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  const megabytes = process.memoryUsage().rss / 2 ** 20;
  await config.shutdown();
  return { ms, cpuMs: (user + system) / 1000, megabytes };
}

function registerWorkers(config: Config, count: number): void {
  for (let n = 0; n < count; n++)
    config.getAgentRegistry().registerAgent({
      kind: 'local',
      name: `worker-${n}`,
      description: 'Reads files.',
      inputConfig: { inputs: { query: { description: 'Task', type: 'string', required: true } } },
      promptConfig: { systemPrompt: 'You read files.', query: '${query}' },
      modelConfig: { model: 'inherit' },
      runConfig: { maxTimeMinutes: 5, maxTurns: TURNS + 5 },
    });
}

/** A main agent that calls all workers in one turn; each reads so many files, then reports. */
function delegating(
  agents: number,
  turns: number,
  onAgentRequest: () => void = () => undefined,
): ContentGenerator {
  const answer = (parts: object[]): GenerateResponse => ({
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
  });
  const calls = Array.from({ length: agents }, (_, n) => ({
    functionCall: { name: 'invoke_agent', args: { agent_name: `worker-${n}`, prompt: 'read' } },
  }));
  return {
    async *generateContentStream({ messages, role }) {
      const last = messages.at(-1);
      if (role === 'main') {
        yield last?.origin === 'prompt' ? answer(calls) : answer([{ text: 'done' }]);
        return;
      }
      onAgentRequest();
      await new Promise((resolve) => setTimeout(resolve, turns > 1 ? MODEL_MS : 0));
      const done = messages.filter(({ origin }) => origin === 'tool_response').length;
      const call =
        done < turns
          ? { name: 'read_file', args: { file_path: `read-${done % 10}.txt` } }
          : { name: 'complete_task', args: { result: 'read' } };
      yield answer([{ functionCall: call }]);
    },
    generateContent: async () => answer([{ text: '{}' }]),
    countTokens: async () => ({ totalTokens: 1 }),
    embedContent: async () => ({ embeddings: [] }),
  };
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

async function start(contentGenerator: ContentGenerator, agents?: { maxParallel: number }): Promise<Config> {
  const config = new Config({
    sessionId: `bench-${process.pid}`,
    targetDir,
    debugMode: false,
    model: 'gemini-2.5-flash',
    interactive: true,
    approvalMode: ApprovalMode.YOLO,
    disableLoopDetection: true,
    contentGenerator,
    ...(agents && { agents }),
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
