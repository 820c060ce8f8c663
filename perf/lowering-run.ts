/**
 * One process, one measurement: a conversation is checked and written for a provider for the first time, as when a
 * session continues with another model; then turns are added. Bundled by lowering-rows.ts; prints milliseconds as JSON.
 */
import { existsSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { HistoryCurator } from '../packages/core/src/context/curate/curate.js';
import { RequestWriter as AnthropicWriter } from '../packages/core/src/model/anthropic/to-request.js';
import type { GenerateRequest } from '../packages/core/src/model/content-generator.js';
import { RequestWriter as GeminiWriter } from '../packages/core/src/model/gemini/to-request.js';
import { firstDialect } from '../packages/core/src/model/openai/dialect.js';
import { ChatRequestWriter } from '../packages/core/src/model/openai/to-request.js';
import { resolveProvider } from '../packages/core/src/model/providers.js';
import type { Message } from '../packages/core/src/protocol/messages.js';

/** Added one by one; enough to average out chance. */
const ADDED_TURNS = 100;

const [, , writerName = '', count = '0'] = process.argv;
/** As read from a file: flat strings, not V8 ropes. */
const conversation = JSON.parse(
  JSON.stringify(Array.from({ length: Number(count) }, (_, index) => messageOf(index))),
) as Message[];
const REQUEST = {
  model: 'gemini-2.5-flash',
  role: 'main',
  promptId: 'p',
  systemInstruction: 'Be brief.',
  tools: [
    { name: 'read_file', description: 'Reads a file.', parametersJsonSchema: { type: 'object' as const } },
  ],
};
const curator = new HistoryCurator();
const write = writerFor(writerName);
const lower = () => write({ ...REQUEST, messages: curator.curate(conversation) });
// Collect garbage of the set-up first, which a conversation of hours does not have.
setFlagsFromString('--expose-gc');
runInNewContext('gc')();
const before = ownTime();
const cold = timed(lower);
const own = ownTime() - before;
const added = Array.from({ length: ADDED_TURNS }, () => {
  for (let more = 0; more < 2; more++) conversation.push(messageOf(conversation.length));
  return timed(lower);
});
console.log(JSON.stringify({ cold, own, added: added.sort((a, b) => a - b)[ADDED_TURNS / 2] }));

/** One prompt, then only calls and results. */
function messageOf(index: number): Message {
  if (index === 0) return { role: 'user', origin: 'prompt', parts: [{ text: 'Look at all files.' }] };
  const name = 'read_file';
  const isCall = index % 2 === 1;
  const id = `call-${isCall ? index : index - 1}`;
  if (isCall) {
    const functionCall = { id, name, args: { file_path: `src/file-${index}.ts` } };
    return { role: 'model', origin: 'model', parts: [{ text: 'I read it first.' }, { functionCall }] };
  }
  const response = { output: `line ${index} of the file that was read\n`.repeat(8) };
  return { role: 'user', origin: 'tool_response', parts: [{ functionResponse: { id, name, response } }] };
}

function writerFor(name: string): (request: GenerateRequest) => Buffer[] {
  if (name === 'gemini') {
    const writer = new GeminiWriter();
    return (request) => writer.write(request);
  }
  const provider = resolveProvider(name, { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' });
  if (name === 'anthropic') {
    const writer = new AnthropicWriter(provider);
    return (request) => writer.write(request);
  }
  const writer = new ChatRequestWriter();
  const dialect = firstDialect(provider);
  return (request) => writer.write(request, provider, dialect, true);
}

/** CPU time of this thread in ms, independent of the machine's load. NaN where unavailable. */
function ownTime(): number {
  const file = '/proc/thread-self/schedstat';
  return existsSync(file) ? Number(readFileSync(file, 'latin1').split(' ')[0]) / 1e6 : Number.NaN;
}

function timed(action: () => unknown): number {
  const started = performance.now();
  action();
  return performance.now() - started;
}
