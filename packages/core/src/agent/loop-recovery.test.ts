/** What the client does about a loop, with a scripted model behind the real chat, scheduler and tools. */
import { describe, expect, it } from 'vitest';
import { EventStream } from '../bus/event-stream.js';
import { MessageBus } from '../bus/message-bus.js';
import type { ContentGenerator, GenerateRequest, GenerateResponse } from '../model/content-generator.js';
import { Ledger } from '../model/ledger.js';
import { processEnvironment } from '../platform/environment.js';
import { PolicyEngine } from '../policy/policy-engine.js';
import { type AgentEventBody, MAIN_AGENT } from '../protocol/agent-events.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import type { Message, Part } from '../protocol/messages.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import { AgentSession } from './agent-session.js';
import { plainParts } from './client-parts.test-helper.js';
import { GeminiClient } from './gemini-client.js';
import { RunLimits } from './limits.js';
import { Scheduler } from './scheduler/scheduler.js';

const SENTENCE = 'I will now look at the file again to make sure that nothing was missed. ';
const parts = (...list: Part[]): GenerateResponse => ({
  candidates: [{ content: { role: 'model', parts: list } }],
});
const stop: GenerateResponse = { candidates: [{ finishReason: 'STOP' }] };
const say = (text: string) => [parts({ text }), stop];
const call = (...names: string[]) => [
  parts(...names.map((name) => ({ functionCall: { name, args: { n: 1 } } }))),
  stop,
];
const repetition = (...last: Part[]) => [
  ...Array.from({ length: 40 }, () => parts({ text: SENTENCE })),
  ...last.map((part) => parts(part)),
  stop,
];

/** Answers in turn, repeating the last one. Does not stop by itself when it is aborted. */
function sessionWith(answers: GenerateResponse[][], { disabled = false, maxSessionTurns = -1 } = {}) {
  const requests: Message[][] = [];
  const read: number[] = [];
  const signals: AbortSignal[] = [];
  const generator = {
    async *generateContentStream({ messages }: GenerateRequest, signal: AbortSignal) {
      const turn = requests.push([...messages]) - 1;
      signals.push(signal);
      const answer = answers[Math.min(turn, answers.length - 1)] ?? [];
      read[turn] = 0;
      for (const chunk of answer) {
        read[turn]++;
        yield structuredClone(chunk);
      }
    },
  } as Partial<ContentGenerator> as ContentGenerator;
  const policy = new PolicyEngine({
    environment: processEnvironment(),
    approvalMode: ApprovalMode.YOLO,
    interactive: false,
    kindOf: () => undefined,
  });
  const registry = new ToolRegistry(policy);
  const clock = { now: () => 0, sleep: async () => undefined };
  const outputLimits = () => ({
    threshold: 1000,
    directory: '/nonexistent',
    redact: keep,
    redactForDisk: keep,
  });
  const scheduler = new Scheduler({
    registry,
    messageBus: new MessageBus(policy),
    outputLimits,
    now: clock.now,
  });
  const limits = new RunLimits(maxSessionTurns, {}, clock.now, new Ledger({ priceOf: () => undefined }));
  const options = {
    ...plainParts(registry),
    scheduler,
    limits,
    clock,
    random: () => 0.5,
    maxAttempts: 2,
    disableLoopDetection: disabled,
  };
  const client = new GeminiClient(generator, options);
  const session = new AgentSession({
    agent: MAIN_AGENT,
    client,
    events: new EventStream(),
    sessionId: () => 's',
    model: () => 'm',
  });
  const send = async (signal?: AbortSignal, onEvent?: (event: AgentEventBody) => void) => {
    const events: AgentEventBody[] = [];
    for await (const event of session.send('hi', { signal })) {
      events.push(event);
      onEvent?.(event);
    }
    return events;
  };
  return { send, client, requests, read, signals };
}

const keep = (text: string) => text;
const only = <T extends AgentEventBody['type']>(events: AgentEventBody[], type: T) =>
  events.filter((event): event is Extract<AgentEventBody, { type: T }> => event.type === type);

/** Every call has its answer in the next message, and no answer is without a call. */
function expectValid(history: readonly Message[]): void {
  history.forEach((message, index) => {
    const asked = message.parts.flatMap(({ functionCall }) => functionCall?.id ?? []);
    const answered = (history[index + 1]?.parts ?? []).flatMap((part) => part.functionResponse?.id ?? []);
    expect(answered).toEqual(asked);
  });
}

describe('a model that repeats itself', () => {
  it('is stopped and corrected when it repeats text, and what was shown stays', async () => {
    const { send, client, requests, read, signals } = sessionWith([repetition(), say('Sorry. Done.')]);
    const events = await send();
    expect(read).toEqual([10, 2]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(only(events, 'warning')).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'turn_finished', reason: 'completed' });
    expect(only(events, 'content').at(-1)?.text).toBe('Sorry. Done.');
    expect(requests[1]?.slice(1, 3)).toEqual([
      { role: 'user', origin: 'prompt', parts: [{ text: 'hi' }] },
      { role: 'model', origin: 'model', parts: [{ text: SENTENCE.repeat(10) }] },
    ]);
    expect(requests[1]?.at(-1)).toMatchObject({ role: 'user', origin: 'correction' });
    expect(requests[1]?.at(-1)?.parts[0]?.text).toContain('the same text was written 10 times or more');
    expectValid(client.getChat().getHistory());
  });

  it('gets one warning for a second loop, and the prompt ends without an error', async () => {
    const { send, client, requests } = sessionWith([repetition()]);
    const events = await send();
    expect(requests).toHaveLength(2);
    expect(only(events, 'warning')).toMatchObject([
      {
        type: 'warning',
        code: 'loop_detected',
        message: expect.stringMatching(/^Loop detected: the same text /),
        loop: { type: 'chanting_identical_sentences', count: 10 },
      },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'turn_finished', reason: 'completed' });
    expect(client.getChat().getHistory().at(-1)?.role).toBe('model');
  });

  it('has later calls neither run nor kept when its text was stopped', async () => {
    const { send, client } = sessionWith([repetition({ functionCall: { name: 'a', args: {} } }), say('ok')]);
    const events = await send();
    expect(only(events, 'tool_requested')).toEqual([]);
    expectValid(client.getChat().getHistory());
  });

  it('gets "not run" for the fifth identical call, and five more end the prompt', async () => {
    const { send, client, requests } = sessionWith([call('missing')]);
    const events = await send();
    const finished = only(events, 'tool_finished').map(({ call }) => call.status);
    const four = ['error', 'error', 'error', 'error'];
    expect(finished).toEqual([...four, 'cancelled', ...four, 'cancelled']);
    expect(requests).toHaveLength(10);
    expect(only(events, 'warning').map(({ code }) => code)).toEqual(['loop_detected']);
    expect(requests[5]?.slice(-2).map(({ origin }) => origin)).toEqual(['tool_response', 'correction']);
    expect(requests[5]?.at(-2)?.parts[0]?.functionResponse?.response['error']).toContain(
      'Skipped: part of a loop.',
    );
    expectValid(client.getChat().getHistory());
  });

  it('gets an answer for each of a thousand calls in one answer, and none of them runs', async () => {
    const many = call(...Array.from({ length: 1000 }, () => 'missing'));
    const { send, client } = sessionWith([many, say('ok')]);
    const calls = only(await send(), 'tool_finished').map(({ call }) => call.status);
    expect(calls).toEqual(Array.from({ length: 1000 }, () => 'cancelled'));
    expectValid(client.getChat().getHistory());
  });

  it("keeps the user's question when it repeats thoughts", async () => {
    const thought = parts({ text: '**Reading** I read the file.', thought: true });
    const { send, requests } = sessionWith([
      [...Array.from({ length: 9 }, () => thought), ...say('x')],
      say('ok'),
    ]);
    await send();
    expect(requests[1]?.slice(1).map(({ origin }) => origin)).toEqual(['prompt', 'correction']);
    expect(requests[1]?.at(-1)?.parts[0]?.text).toContain(
      'the same thought came 5 times in a row: "Reading"',
    );
  });

  it('gets a fresh chance with each prompt', async () => {
    const { send, requests } = sessionWith([repetition(), say('a'), repetition(), say('b')]);
    expect(only([...(await send()), ...(await send())], 'warning')).toEqual([]);
    expect(requests).toHaveLength(4);
  });

  it('ends as cancelled when the user cancels at that moment', async () => {
    const { send, requests } = sessionWith([repetition()]);
    const controller = new AbortController();
    let seen = 0;
    const events = await send(controller.signal, (event) => {
      if (event.type === 'content' && ++seen === 10) controller.abort();
    });
    expect(events.at(-1)).toMatchObject({ type: 'turn_finished', reason: 'cancelled' });
    expect(requests).toHaveLength(1);
  });

  it('is not stopped when the check is disabled', async () => {
    const { send, requests } = sessionWith([call('missing')], { disabled: true, maxSessionTurns: 150 });
    expect((await send()).at(-1)).toMatchObject({ type: 'turn_finished', reason: 'max_turns' });
    expect(requests).toHaveLength(150);
  });

  it('is reported as loop_detected by GeminiClient.sendMessageStream', async () => {
    const { client } = sessionWith([repetition()]);
    const types: string[] = [];
    for await (const { type } of client.sendMessageStream('hi')) types.push(type);
    expect(types.at(-1)).toBe('loop_detected');
  });
});
