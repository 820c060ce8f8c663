import { describe, expect, it } from 'vitest';
import { HistoryCurator } from '../../context/curate/curate.js';
import { RequestWriter as AnthropicWriter } from '../../model/anthropic/to-request.js';
import type { GenerateRequest } from '../../model/content-generator.js';
import { RequestWriter as GeminiWriter } from '../../model/gemini/to-request.js';
import { firstDialect } from '../../model/openai/dialect.js';
import { ChatRequestWriter } from '../../model/openai/to-request.js';
import { resolveProvider } from '../../model/providers.js';
import type { Message, Part } from '../../protocol/messages.js';

/** How often the parts of any message were read. */
let looks = 0;

function counted(role: Message['role'], origin: Message['origin'], ...parts: Part[]): Message {
  const message: Message = { role, origin, parts };
  return Object.defineProperty(message, 'parts', {
    enumerable: true,
    get: () => {
      looks++;
      return parts;
    },
  });
}

function messageOf(index: number): Message {
  if (index === 0) return counted('user', 'prompt', { text: 'Look at all files.' });
  const id = `call-${index - ((index + 1) % 2)}`;
  return index % 2 === 1
    ? counted(
        'model',
        'model',
        { text: 'I read it.' },
        { functionCall: { id, name: 'look', args: { index } } },
      )
    : counted('user', 'tool_response', {
        functionResponse: { id, name: 'look', response: { output: `file ${index}` } },
      });
}

const tools = [{ name: 'look', description: 'Looks.', parametersJsonSchema: { type: 'object' as const } }];
const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' };

const WRITERS: Record<string, () => (request: GenerateRequest) => Buffer[]> = {
  gemini: () => {
    const writer = new GeminiWriter();
    return (request) => writer.write(request);
  },
  openai: () => {
    const provider = resolveProvider('openai', env);
    const writer = new ChatRequestWriter();
    return (request) => writer.write(request, provider, firstDialect(provider), true);
  },
  anthropic: () => {
    const writer = new AnthropicWriter(resolveProvider('anthropic', env));
    return (request) => writer.write(request);
  },
};

/** Reads a conversation of `count` messages, and the same with one more turn. */
function workFor(makeWriter: () => (request: GenerateRequest) => Buffer[], count: number) {
  const write = makeWriter();
  const curator = new HistoryCurator();
  const history = Array.from({ length: count }, (_, index) => messageOf(index));
  const lower = () => {
    looks = 0;
    const messages = curator.curate(history);
    write({ model: 'gemini-2.5-flash', messages, role: 'main', promptId: 'p', tools });
    return looks;
  };
  const cold = lower();
  history.push(messageOf(count), messageOf(count + 1));
  lower();
  history.push(messageOf(count + 2), messageOf(count + 3));
  return { cold, added: lower() };
}

describe.each(Object.entries(WRITERS))('lowering for %s', (_name, makeWriter) => {
  it('reads each message a few times, however many there are', () => {
    const [small, large] = [workFor(makeWriter, 101), workFor(makeWriter, 10_001)];
    expect(small.cold).toBeGreaterThanOrEqual(101);
    expect(large.cold / 10_001).toBeLessThanOrEqual(small.cold / 101 + 0.1);
    expect(large.cold / 10_001).toBeLessThan(12);
  });

  it('reads only the end of the conversation when a turn is added', () => {
    const [small, large] = [workFor(makeWriter, 101), workFor(makeWriter, 10_001)];
    expect(large.added).toBe(small.added);
    expect(large.added).toBeLessThan(60);
  });
});
