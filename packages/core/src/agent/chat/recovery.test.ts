/** What a chat does when its model fails and a fallback exists. */
import { describe, expect, it } from 'vitest';
import type { ContentGenerator, GenerateRequest, GenerateResponse } from '../../model/content-generator.js';
import { ApiError, CONTEXT_TOO_LONG } from '../../model/errors/api-error.js';
import type { AgentEventBody } from '../../protocol/agent-events.js';
import type { Message } from '../../protocol/messages.js';
import { type ChatRequest, GeminiChat } from './gemini-chat.js';
import { NO_RECOVERY, type Recovery } from './recovery.js';
import { Turn } from './turn.js';

type Answer = (GenerateResponse | Error)[];
const say = (text: string): GenerateResponse => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] } }],
});
const stop: GenerateResponse = { candidates: [{ finishReason: 'STOP' }] };
const cut = () => Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
const busy = () => new ApiError(429, 'busy');
const prompt: Message = { role: 'user', origin: 'prompt', parts: [{ text: 'hi' }] };
const requestFor = (model: string): ChatRequest => ({ model, role: 'main', promptId: 'p' });

/** Each model has answers of its own, in turn. */
function conversation(answers: Record<string, Answer[]>, recovery: Partial<Recovery>) {
  const asked: { model: string; messages: readonly Message[] }[] = [];
  const sleeps: number[] = [];
  const generator = {
    async *generateContentStream({ model, messages }: GenerateRequest) {
      asked.push({ model, messages });
      for (const step of answers[model]?.shift() ?? [new Error(`no answer of ${model} is left`)]) {
        if (step instanceof Error) throw step;
        yield step;
      }
    },
  } as Partial<ContentGenerator> as ContentGenerator;
  const clock = { now: () => 0, sleep: async (ms: number) => void sleeps.push(ms) };
  const chat = new GeminiChat(generator, {
    maxAttempts: 3,
    clock,
    random: () => 0.5,
    recovery: { ...NO_RECOVERY, ...recovery },
  });
  const send = async () => {
    const events: AgentEventBody[] = [];
    const turn = new Turn(chat, requestFor('first'), prompt);
    for await (const event of turn.run(new AbortController().signal)) events.push(event);
    return events;
  };
  return { chat, send, asked, sleeps, models: () => asked.map(({ model }) => model) };
}

const toSecond: Partial<Recovery> = {
  switchAfter: async ({ request }) =>
    request.model === 'first'
      ? { request: requestFor('second'), errorClass: 'rate_limit', reason: 'first is busy.' }
      : undefined,
};
const textOf = (events: AgentEventBody[]) =>
  events.map((event) => (event.type === 'content' ? event.text : '')).join('');

describe('a fallback model', () => {
  it('takes over at once, and the switch is reported once', async () => {
    const { send, models, sleeps } = conversation(
      { first: [[busy()]], second: [[say('hello'), stop]] },
      toSecond,
    );
    const events = await send();
    expect(models()).toEqual(['first', 'second']);
    expect(sleeps).toEqual([]);
    expect(events.filter(({ type }) => type === 'warning')).toEqual([
      {
        type: 'warning',
        code: 'model_switched',
        message: 'first is busy. Continuing with second.',
        from: 'first',
        to: 'second',
        reason: 'rate_limit',
      },
    ]);
    expect(events.find(({ type }) => type === 'usage')).toMatchObject({ model: 'second' });
    expect(events.find(({ type }) => type === 'api_failure')).toMatchObject({
      model: 'first',
      isFinal: false,
    });
  });

  it('is not needed when the user keeps trying: the same model is asked until it answers', async () => {
    const tries = Array.from({ length: 9 }, () => [new ApiError(503, 'busy')]);
    const asks: boolean[] = [];
    const { send, models, sleeps } = conversation(
      { first: [...tries, [say('at last'), stop]] },
      {
        switchAfter: async ({ isLast }) => {
          asks.push(isLast);
          return isLast ? 'keep_trying' : undefined;
        },
      },
    );
    const events = await send();
    expect(textOf(events)).toBe('at last');
    expect(models()).toHaveLength(10);
    expect(asks.filter(Boolean)).toHaveLength(1);
    expect(sleeps).toEqual([5_000, 10_000, 5_000, 10_000, 20_000, 30_000, 30_000, 30_000, 30_000]);
    const retries = events.filter((event) => event.type === 'retry');
    expect(retries[0]).toMatchObject({ attempt: 1, maxAttempts: 3, code: 503 });
    expect(retries.at(-1)).toMatchObject({ attempt: 9, maxAttempts: 0 });
    expect(events.some((event) => event.type === 'api_failure' && event.isFinal)).toBe(false);
  });

  it('gets as many tries as the first', async () => {
    const { send, models } = conversation(
      { first: [[busy()]], second: [[busy()], [busy()], [say('at last'), stop]] },
      toSecond,
    );
    expect(textOf(await send())).toBe('at last');
    expect(models()).toEqual(['first', 'second', 'second', 'second']);
  });

  it('voids half an answer of the first', async () => {
    const { send, chat } = conversation(
      { first: [[say('I wi'), cut()]], second: [[say('Hello'), stop]] },
      toSecond,
    );
    const events = await send();
    expect(events.some((event) => event.type === 'retry' && event.discardsOutput)).toBe(true);
    expect(chat.getHistory().at(-1)?.parts).toEqual([{ text: 'Hello' }]);
  });

  it('is chosen for a stream without an end as for a cut one', async () => {
    const seen: unknown[] = [];
    const { send } = conversation(
      { first: [[say('half')]], second: [[say('whole'), stop]] },
      {
        switchAfter: async (failed) => {
          seen.push(failed.error);
          return toSecond.switchAfter?.(failed);
        },
      },
    );
    await send();
    expect(seen).toEqual([expect.objectContaining({ status: 502 })]);
  });

  it('gets no more tries than its limit', async () => {
    const { send, models } = conversation(
      { first: [[busy()], [busy()], [busy()]] },
      { attemptsFor: () => 2 },
    );
    await expect(send()).rejects.toThrow('busy');
    expect(models()).toHaveLength(2);
  });
});

describe('a conversation that is too long', () => {
  const tooLong = () => new ApiError(400, 'too long', [{ reason: CONTEXT_TOO_LONG }]);
  const shortened: AgentEventBody = {
    type: 'chat_compressed',
    status: 'COMPRESSED',
    originalTokens: 10,
    newTokens: 5,
  };

  it('is shortened once and sent again', async () => {
    const { send, models, chat } = conversation(
      { first: [[tooLong()], [say('ok'), stop]] },
      {
        shorten: async () => {
          chat.setHistory([prompt]);
          return [shortened];
        },
      },
    );
    const events = await send();
    expect(models()).toEqual(['first', 'first']);
    expect(events).toContainEqual(shortened);
    expect(textOf(events)).toBe('ok');
  });

  it('is not shortened a second time', async () => {
    const { send, models } = conversation(
      { first: [[tooLong()], [tooLong()]] },
      { shorten: async () => [shortened] },
    );
    await expect(send()).rejects.toThrow('too long');
    expect(models()).toHaveLength(2);
  });

  it('goes to another model when it cannot be shortened', async () => {
    const { send, models } = conversation({ first: [[tooLong()]], second: [[say('ok'), stop]] }, toSecond);
    await send();
    expect(models()).toEqual(['first', 'second']);
  });
});
