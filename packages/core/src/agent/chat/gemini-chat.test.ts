import { describe, expect, it } from 'vitest';
import type { ContentGenerator, GenerateRequest, GenerateResponse } from '../../model/content-generator.js';
import { ApiError } from '../../model/errors/api-error.js';
import type { AgentEventBody } from '../../protocol/agent-events.js';
import type { Message } from '../../protocol/messages.js';
import { GeminiChat } from './gemini-chat.js';

type Step = GenerateResponse | Error;
const text = (value: string, finishReason?: string): GenerateResponse => ({
  candidates: [
    { content: { role: 'model', parts: [{ text: value }] }, ...(finishReason && { finishReason }) },
  ],
});
const end = (finishReason: string): GenerateResponse => ({ candidates: [{ finishReason }] });
const cut = () => Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
const prompt: Message = { role: 'user', origin: 'prompt', parts: [{ text: 'hi' }] };
const request = { model: 'm', role: 'main', promptId: 'p' };

/** A model that plays one list of steps per request; time passes only during a sleep. */
function scriptedChat(...script: Step[][]) {
  const requests: GenerateRequest[] = [];
  const sleeps: number[] = [];
  let time = 0;
  const generator = {
    async *generateContentStream(req: GenerateRequest) {
      requests.push({ ...req, messages: [...req.messages] });
      const steps = script.shift() ?? [new Error('the script is over')];
      for (const step of steps) {
        if (step instanceof Error) throw step;
        yield step;
      }
    },
  } as Partial<ContentGenerator> as ContentGenerator;
  const clock = {
    now: () => time,
    sleep: async (ms: number) => {
      sleeps.push(ms);
      time += ms;
    },
  };
  const chat = new GeminiChat(generator, { maxAttempts: 4, clock, random: () => 0.5 });
  const send = async (message = prompt, signal = new AbortController().signal) => {
    const events: AgentEventBody[] = [];
    for await (const event of chat.sendMessageStream(message, request, signal)) events.push(event);
    return events;
  };
  return { chat, send, requests, sleeps };
}

describe('GeminiChat', () => {
  it('keeps prompt and answer, joins text, drops thoughts', async () => {
    const thought = { candidates: [{ content: { parts: [{ text: 'hm', thought: true }] } }] };
    const { chat, send } = scriptedChat([thought, text('Hel'), text('lo', 'STOP')]);
    await send();
    expect(chat.getHistory()).toEqual([
      prompt,
      { role: 'model', origin: 'model', parts: [{ text: 'Hello' }] },
    ]);
  });

  it('waits as long as the server asks, then doubles its own delay', async () => {
    const { send, sleeps } = scriptedChat(
      [new ApiError(429, 'busy', [{ retryDelay: '2s' }])],
      [new ApiError(503, 'busy')],
      [new ApiError(500, 'busy')],
      [text('ok', 'STOP')],
    );
    await send();
    expect(sleeps).toEqual([2200, 10_000, 20_000]);
  });

  it('gives up after the allowed attempts with the last error, and removes the prompt', async () => {
    const { chat, send, sleeps } = scriptedChat(
      ...Array.from({ length: 9 }, () => [new ApiError(503, 'busy', [], 0)]),
    );
    await expect(send()).rejects.toThrow('busy');
    expect(sleeps).toHaveLength(3);
    expect(chat.getHistory()).toEqual([]);
  });

  it('does not retry after a 400', async () => {
    const { send, requests } = scriptedChat([new ApiError(400, 'bad request')]);
    await expect(send()).rejects.toThrow('bad request');
    expect(requests).toHaveLength(1);
  });

  it('retries a cut stream three times, after 1, 2 and 4 s', async () => {
    const { send, sleeps } = scriptedChat(
      [text('a'), cut()],
      [text('b'), cut()],
      [text('c'), cut()],
      [text('d'), cut()],
    );
    await expect(send()).rejects.toThrow('aborted');
    expect(sleeps).toEqual([1000, 2000, 4000]);
  });

  it('asks for an answer when the model sent nothing to show, in that request only', async () => {
    const { chat, send, requests } = scriptedChat([end('STOP')], [text('here', 'STOP')]);
    await send();
    expect(requests.map((item) => item.messages.length)).toEqual([1, 2]);
    expect(requests[1]?.messages[1]?.origin).toBe('correction');
    expect(chat.getHistory()).toHaveLength(2);
  });

  it('reports a blocked answer and a blocked prompt without a retry', async () => {
    const blocked = scriptedChat([end('SAFETY')]);
    await expect(blocked.send()).rejects.toThrow('safety filter');
    const refused = scriptedChat([{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }]);
    await expect(refused.send()).rejects.toThrow('PROHIBITED_CONTENT');
    expect([blocked.requests.length, refused.requests.length]).toEqual([1, 1]);
  });

  it('accepts an empty STOP after a tool response and keeps the responses when a request fails', async () => {
    const toolResponse: Message = {
      role: 'user',
      origin: 'tool_response',
      parts: [{ functionResponse: { name: 't', response: {} } }],
    };
    const quiet = scriptedChat([end('STOP')]);
    const events = await quiet.send(toolResponse);
    expect(events.at(-1)?.type).toBe('model_turn_finished');
    const failing = scriptedChat([new ApiError(400, 'no')]);
    await expect(failing.send(toolResponse)).rejects.toThrow('no');
    expect(failing.chat.getHistory()).toEqual([toolResponse]);
  });

  it('gives every call a unique id, also where the server repeats or omits them', async () => {
    const calls = (...ids: (string | undefined)[]): GenerateResponse => ({
      candidates: [
        {
          content: { parts: ids.map((id) => ({ functionCall: { name: 'f', args: {}, ...(id && { id }) } })) },
          finishReason: 'STOP',
        },
      ],
    });
    const { chat, send } = scriptedChat([calls('x', 'x', undefined)], [calls('x', undefined)]);
    await send();
    await send();
    const ids = chat
      .getHistory()
      .flatMap((message) => message.parts.flatMap((part) => part.functionCall?.id ?? []));
    expect(ids).toEqual(['x', 'x_2', 'f_0_0', 'x_3', 'f_0_0_2']);
  });

  it('keeps what arrived before a cancellation, and removes the prompt when nothing did', async () => {
    const controller = new AbortController();
    const abort = new (class extends Error {
      override name = 'AbortError';
    })();
    const partial = scriptedChat([text('half an ans'), abort]);
    const pending = partial.send(prompt, controller.signal);
    controller.abort();
    await expect(pending).rejects.toThrow();
    expect(partial.chat.getHistory()).toEqual([
      prompt,
      { role: 'model', origin: 'model', parts: [{ text: 'half an ans' }] },
    ]);
    const nothing = scriptedChat([abort]);
    await expect(nothing.send(prompt, controller.signal)).rejects.toThrow();
    expect(nothing.chat.getHistory()).toEqual([]);
  });

  it('keeps the shown text when the user cancels during the wait for a retry', async () => {
    const controller = new AbortController();
    const { chat } = scriptedChat([text('half an ans'), cut()]);
    const reading = (async () => {
      for await (const event of chat.sendMessageStream(prompt, request, controller.signal)) {
        if (event.type === 'retry') controller.abort();
      }
    })();
    await expect(reading).rejects.toThrow();
    expect(chat.getHistory()).toEqual([
      prompt,
      { role: 'model', origin: 'model', parts: [{ text: 'half an ans' }] },
    ]);
  });

  it('answers abandoned calls before the next prompt', async () => {
    const called: GenerateResponse = {
      candidates: [
        { content: { parts: [{ functionCall: { name: 'f', args: {}, id: 'x' } }] }, finishReason: 'STOP' },
      ],
    };
    const { send, requests } = scriptedChat([called], [text('ok', 'STOP')]);
    await send();
    await send();
    expect(requests[1]?.messages.map(({ origin }) => origin)).toEqual([
      'prompt',
      'model',
      'tool_response',
      'model',
      'prompt',
    ]);
    expect(requests[1]?.messages[2]?.parts).toEqual([
      { functionResponse: { id: 'x', name: 'f', response: { error: expect.stringContaining('was lost') } } },
    ]);
  });
});
