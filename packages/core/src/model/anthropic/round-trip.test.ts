import { type AnthropicBody, brokenRule } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { AnswerBuilder } from '../../agent/chat/answer-builder.js';
import type { Message, Part } from '../../protocol/messages.js';
import { StreamAccumulator } from './from-stream.js';
import { RequestWriter } from './to-request.js';

const target = { id: 'anthropic', supportsTools: true, supportsImages: true };
const tools = [{ name: 'look', description: 'd', parametersJsonSchema: { type: 'object' as const } }];
const requestOf = (messages: readonly Message[]) => ({
  model: 'claude-x',
  messages,
  tools,
  settings: { thinkingConfig: { thinkingBudget: 2000 } },
  role: 'main',
  promptId: 'p',
});
const bodyOf = (messages: readonly Message[], writer = new RequestWriter(target)) =>
  JSON.parse(Buffer.concat(writer.write(requestOf(messages))).toString('utf8')) as AnthropicBody;

/** The same numbers for the same seed, so that a failure can be repeated. */
function randomOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n: number) => Math.floor(next() * n);
  const pick = <T>(list: readonly [T, ...T[]]): T => list[below(list.length)] ?? list[0];
  const times = <T>(n: number, make: (index: number) => T) => Array.from({ length: n }, (_, i) => make(i));
  return { below, pick, times };
}
type Random = ReturnType<typeof randomOf>;

const TEXTS = ['a', 'größe 🚀', '{"x":1}', ' lead', 'line\n\nline', '\u0000', '</s>'] as const;
const ANY_TEXTS = [...TEXTS, '', ' \n'] as const;

/** What other providers, cancelled turns and damaged files may leave behind. */
function anyPart(random: Random): Part {
  const id = random.pick([undefined, 'a', 'b', 'ö/1', 'look__9']);
  switch (random.below(8)) {
    case 0:
      return {
        functionCall: { id, name: random.pick(['look', 'mcp.x y']), args: { v: random.pick(TEXTS) } },
      };
    case 1:
      return {
        functionCall: { id, name: 'look', args: {} },
        thoughtSignature: random.pick(['c2ln', 'anthropic:###']),
      };
    case 2:
    case 3:
      return {
        functionResponse: {
          id,
          name: 'look',
          response: { [random.pick(['output', 'error', 'x'])]: random.pick(ANY_TEXTS) },
        },
      };
    case 4:
      return {
        inlineData: { mimeType: random.pick(['image/png', 'application/pdf', 'video/mp4']), data: 'aGk=' },
      };
    case 5:
      return { text: random.pick(TEXTS), thought: true };
    default:
      return { text: random.pick(ANY_TEXTS) };
  }
}

function anyConversation(random: Random): Message[] {
  return random.times(random.below(12), () => ({
    role: random.pick(['user', 'model']),
    origin: 'prompt',
    parts: random.times(random.below(5), () => anyPart(random)),
  }));
}

type Block = Record<string, unknown>;

/** An answer as the API gives it: runs of thinking and text, each before a call. */
function anyAnswer(random: Random, turn: number): Block[] {
  const thoughts = () =>
    random.times(random.below(3), (i) =>
      random.below(4) === 0
        ? { type: 'redacted_thinking', data: `data${i}` }
        : { type: 'thinking', thinking: random.pick(TEXTS), signature: `sig${turn}.${i}` },
    );
  return random
    .times(1 + random.below(3), (i) => [
      ...thoughts(),
      ...(random.below(2) ? [{ type: 'text', text: random.pick(TEXTS) + i }, ...thoughts()] : []),
      {
        type: 'tool_use',
        id: `toolu_${turn}_${i}`,
        name: 'look',
        input: random.below(3) ? { deep: [random.pick(TEXTS), { n: random.below(9) }] } : {},
      },
    ])
    .flat();
}

function* eventsOf(blocks: readonly Block[], random: Random): Generator<Block> {
  yield { type: 'message_start', message: { id: 'm', model: 'claude-x', usage: { input_tokens: 3 } } };
  for (const [index, block] of blocks.entries()) {
    const cut = (text: string) => text.match(new RegExp(`[^]{1,${1 + random.below(5)}}`, 'gu')) ?? [];
    const delta = (value: Block) => ({ type: 'content_block_delta', index, delta: value });
    if (random.below(4) === 0) yield { type: 'ping' };
    const empty = { text: { text: '' }, thinking: { thinking: '', signature: '' }, tool_use: { input: {} } };
    const { type } = block;
    const start = { ...block, ...empty[type as keyof typeof empty] };
    yield { type: 'content_block_start', index, content_block: start };
    if (type === 'text')
      for (const text of cut(String(block['text']))) yield delta({ type: 'text_delta', text });
    if (type === 'thinking') {
      for (const thinking of cut(String(block['thinking'])))
        yield delta({ type: 'thinking_delta', thinking });
      yield delta({ type: 'signature_delta', signature: block['signature'] });
    }
    if (type === 'tool_use' && Object.keys(block['input'] as object).length > 0) {
      for (const piece of cut(JSON.stringify(block['input'])))
        yield delta({ type: 'input_json_delta', partial_json: piece });
    }
    yield { type: 'content_block_stop', index };
  }
  yield { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 4 } };
  yield { type: 'message_stop' };
}

describe('generated conversations', { timeout: 30_000 }, () => {
  it('of any kind become valid API requests with every visible text in them', () => {
    for (let seed = 0; seed < 300; seed++) {
      const messages = anyConversation(randomOf(seed));
      const body = bodyOf(messages);
      expect(brokenRule(body), `seed ${seed}`).toBeUndefined();
      const sent = body.messages.flatMap(({ content }) => content.map(({ text }) => text));
      for (const { parts } of messages) {
        for (const { text, thought } of parts)
          if (!thought && text?.trim()) expect(sent, `seed ${seed}`).toContain(text);
      }
    }
  });

  it('written turn by turn equal those written at once', () => {
    for (let seed = 0; seed < 80; seed++) {
      const messages = anyConversation(randomOf(seed));
      const writer = new RequestWriter(target);
      for (let count = 0; count <= messages.length; count++) {
        const part = messages.slice(0, count);
        expect(bodyOf(part, writer), `seed ${seed}, ${count}`).toEqual(bodyOf(part));
      }
    }
  });

  it('from this API return to it unchanged', () => {
    for (let seed = 0; seed < 150; seed++) {
      const random = randomOf(seed);
      const messages: Message[] = [{ role: 'user', origin: 'prompt', parts: [{ text: 'go' }] }];
      const answers = random.times(1 + random.below(3), (turn) => anyAnswer(random, turn));
      for (const answer of answers) {
        const stream = new StreamAccumulator({ provider: 'anthropic', toolName: (name) => name });
        const builder = new AnswerBuilder();
        for (const event of eventsOf(answer, random))
          for (const chunk of stream.add(event)) builder.add(chunk);
        expect(builder.finishReason).toBe('STOP');
        const message = builder.finish();
        const results = message.parts.flatMap(({ functionCall }) =>
          functionCall
            ? [{ functionResponse: { id: functionCall.id, name: 'look', response: { output: 'seen' } } }]
            : [],
        );
        messages.push(message, { role: 'user', origin: 'tool_response', parts: results });
      }
      const sent = bodyOf(JSON.parse(JSON.stringify(messages)) as Message[]).messages;
      const returned = sent.filter(({ role }) => role === 'assistant').map(({ content }) => content);
      expect(returned, `seed ${seed}`).toEqual(answers);
    }
  });
});
