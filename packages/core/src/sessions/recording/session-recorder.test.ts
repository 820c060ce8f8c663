/** The recorder with the real session, chat, scheduler and tools; only the model is scripted. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentSession } from '../../agent/agent-session.js';
import { plainParts } from '../../agent/client-parts.test-helper.js';
import { GeminiClient } from '../../agent/gemini-client.js';
import { RunLimits } from '../../agent/limits.js';
import { Scheduler } from '../../agent/scheduler/scheduler.js';
import { EventStream } from '../../bus/event-stream.js';
import { MessageBus } from '../../bus/message-bus.js';
import type { ContentGenerator, GenerateResponse } from '../../model/content-generator.js';
import { ApiError } from '../../model/errors/api-error.js';
import { Ledger } from '../../model/ledger.js';
import { processEnvironment } from '../../platform/environment.js';
import { PolicyEngine } from '../../policy/policy-engine.js';
import { type AgentEventBody, MAIN_AGENT } from '../../protocol/agent-events.js';
import { ApprovalMode } from '../../protocol/confirmation.js';
import type { Message, Part } from '../../protocol/messages.js';
import { ToolRegistry } from '../../tools/tool-registry.js';
import { type RecordIds, toMessages } from '../reading/convert.js';
import { readSession } from '../reading/read-session.js';
import { linesOf, type TestSessions, testSessions } from '../sessions.test-helper.js';
import { ChatRecordingService } from './chat-recording-service.js';
import { SessionRecorder } from './session-recorder.js';

type Answer = (GenerateResponse | Error)[];
const parts = (...list: Part[]): GenerateResponse => ({
  candidates: [{ content: { role: 'model', parts: list } }],
});
const stop: GenerateResponse = {
  candidates: [{ finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
};
const say = (text: string): Answer => [
  parts({ text: '**Plan** think', thought: true }),
  parts({ text }),
  stop,
];
const call = (...names: string[]): Answer => [
  parts(
    { text: 'I call.' },
    ...names.map((name) => ({ functionCall: { name, args: { n: 1 } }, thoughtSignature: `s-${name}` })),
  ),
  stop,
];

const keep = (text: string) => text;

function engine(
  answers: Answer[],
  compress?: (history: readonly Message[]) => readonly Message[] | undefined,
) {
  const generator = {
    async *generateContentStream() {
      for (const step of answers.shift() ?? [new Error('no answer left')]) {
        if (step instanceof Error) throw step;
        yield structuredClone(step);
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
  const plain = plainParts(registry);
  const client = new GeminiClient(generator, {
    ...plain,
    context: {
      ...plain.context,
      prepare: async ({ history }) => {
        const shorter = compress?.(history);
        if (!shorter) return { history, events: [] };
        return {
          history: shorter,
          events: [{ type: 'chat_compressed', status: 'COMPRESSED', originalTokens: 2, newTokens: 1 }],
        };
      },
    },
    scheduler: new Scheduler({
      registry,
      messageBus: new MessageBus(policy),
      outputLimits: () => ({ threshold: 1000, directory: '/nonexistent', redact: keep, redactForDisk: keep }),
      now: clock.now,
    }),
    limits: new RunLimits(-1, {}, clock.now, new Ledger({ priceOf: () => undefined })),
    clock,
    random: () => 0.5,
    maxAttempts: 1,
    sessionContext: async () => '<session_context>\nhere\n</session_context>',
  });
  const session = new AgentSession({
    agent: MAIN_AGENT,
    client,
    events: new EventStream(),
    sessionId: () => 's',
    model: () => 'm',
  });
  const send = async (text: string) => {
    const events: AgentEventBody[] = [];
    for await (const event of session.send(text)) events.push(event);
    return events;
  };
  return { client, session, send };
}

describe('the session recorder', () => {
  let sessions: TestSessions;
  beforeEach(() => {
    sessions = testSessions();
  });
  afterEach(() => sessions.cleanup());

  function record({ client, session }: ReturnType<typeof engine>, service = sessions.service()) {
    let id = 0;
    const history = () => (client.isInitialized() ? client.getChat().getHistory() : []);
    const recorder = new SessionRecorder({
      service,
      history,
      now: () => sessions.time.now,
      newId: () => `new-${id++}`,
    });
    session.subscribe((event) => recorder.observe(event));
    const said = () => history().filter(({ origin }) => origin !== 'context');
    return { service, recorder, said, read: () => readSession(service.conversationFile ?? '') };
  }

  it('records prompts, calls with their signatures, results, thoughts and tokens', async () => {
    const conversation = engine([call('none', 'other'), say('Done.')]);
    const { said, read } = record(conversation);
    await conversation.send('go');
    const session = read();
    expect(toMessages(session)).toEqual(said());
    expect(session.messages.map(({ type, origin }) => origin ?? type)).toEqual([
      'user',
      'context',
      'gemini',
      'gemini',
    ]);
    expect(session.messages[2]?.toolCalls).toMatchObject([
      { name: 'none', status: 'error', thoughtSignature: 's-none', result: [{ functionResponse: {} }] },
      { name: 'other', status: 'error', thoughtSignature: 's-other' },
    ]);
    expect(session.messages[3]).toMatchObject({
      thoughts: [{ subject: 'Plan', description: 'think' }],
      tokens: { input: 7, output: 3, total: 10 },
      model: 'm',
    });
    expect(session.userMessageCount).toBe(1);
  });

  it('writes a call to disk before it runs', async () => {
    const conversation = engine([call('none'), say('Done.')]);
    const { read } = record(conversation);
    let seen: unknown;
    conversation.session.subscribe((event) => {
      if (event.type === 'tool_requested') seen = read().messages.at(-1)?.toolCalls?.[0];
    });
    await conversation.send('go');
    expect(seen).toMatchObject({ name: 'none', status: 'scheduled', result: null });
  });

  it('writes to disk that a call waits for the user, and that it no longer does', () => {
    const service = sessions.service();
    const history: Message[] = [];
    const recorder = new SessionRecorder({
      service,
      history: () => history,
      now: () => 0,
      newId: () => 'new',
    });
    const usage = { prompt: 1, candidates: 1, cached: 0, thoughts: 0, tool: 0, total: 2 };
    const status = () => readSession(service.conversationFile ?? '').messages[1]?.toolCalls?.[0]?.status;
    recorder.observe({
      type: 'turn_started',
      sessionId: 's',
      promptId: 'p',
      model: 'm',
      parts: [{ text: 'content of file, go' }],
      typed: '@file go',
    });
    history.push({ role: 'user', origin: 'prompt', parts: [{ text: 'content of file, go' }] });
    history.push({
      role: 'model',
      origin: 'model',
      parts: [{ functionCall: { id: 'c', name: 'rm', args: {} } }],
    });
    recorder.observe({ type: 'usage', role: 'main', model: 'm', usage, latencyMs: 0 });
    expect(status()).toBe('scheduled');
    recorder.observe({
      type: 'tool_status',
      callId: 'c',
      status: 'awaiting_approval',
      description: 'rm -r x',
    });
    expect(status()).toBe('awaiting_approval');
    recorder.observe({ type: 'tool_status', callId: 'c', status: 'executing' });
    expect(status()).toBe('executing');
    const { messages, firstUserMessage } = readSession(service.conversationFile ?? '');
    expect(messages[1]?.toolCalls?.[0]?.description).toBe('rm -r x');
    expect(messages[0]?.displayContent).toBe('@file go');
    expect(firstUserMessage).toBe('@file go');
    service.close();
  });

  it('keeps a refused prompt readable, and does not send it again', async () => {
    const conversation = engine([[new ApiError(400, 'bad prompt')], say('Fine.')]);
    const { said, read } = record(conversation);
    await conversation.send('bad');
    await conversation.send('good');
    const session = read();
    expect(
      session.messages.filter(({ type }) => type === 'user').map(({ content }) => content),
    ).toContainEqual([{ text: 'bad' }]);
    expect(session.messages.some(({ type }) => type === 'error')).toBe(true);
    expect(toMessages(session)).toEqual(said());
  });

  it('records a compression together with the pending prompt', async () => {
    let isDue = false;
    const conversation = engine([say('one'), say('two'), call('none'), say('four')], (history) => {
      if (!isDue) return undefined;
      isDue = false;
      const summary: Message[] = [
        { role: 'user', origin: 'summary', parts: [{ text: 'Before: much.' }] },
        { role: 'model', origin: 'summary', parts: [{ text: 'Understood.' }] },
      ];
      return [history[0] as Message, ...summary, ...history.slice(-2)];
    });
    const { said, read } = record(conversation);
    await conversation.send('first');
    await conversation.send('second');
    isDue = true;
    await conversation.send('third');
    const session = read();
    expect(toMessages(session)).toEqual(said());
    expect(said()[0]?.origin).toBe('summary');
    expect(session.firstUserMessage).toBe('first');
    expect(
      session.messages.find(({ content }) => JSON.stringify(content).includes('two'))?.thoughts,
    ).toHaveLength(1);
  });

  it('keeps messages whole that the conversation shortens, without rewriting the history', async () => {
    const shorter = (history: readonly Message[]) =>
      history.map((message) =>
        message.origin === 'model' && (message.parts[0]?.text?.length ?? 0) > 100
          ? { ...message, parts: [{ text: 'In short.' }] }
          : message,
      );
    const long = (name: string) => say(`${name} ${'words '.repeat(200)}`);
    const conversation = engine([long('one'), long('two'), long('three'), say('four')]);
    const { read, service } = record(conversation);
    for (const prompt of ['a', 'b', 'c', 'd']) {
      await conversation.send(prompt);
      const chat = conversation.client.getChat();
      chat.setHistory(shorter(chat.getHistory()));
    }
    const lines = linesOf(service.conversationFile ?? '').map((line) => JSON.stringify(line));
    expect(lines.filter((line) => line.includes('"messages":['))).toEqual([]);
    const texts = read().messages.map(({ content }) => JSON.stringify(content));
    for (const start of ['"one words', '"two words', '"three words', '"four"'])
      expect(texts.filter((text) => text.includes(start))).toHaveLength(1);
  });

  it('writes a rewind and continues from there', async () => {
    const conversation = engine([say('one'), say('two'), say('three')]);
    const { recorder, said, read } = record(conversation);
    await conversation.send('first');
    await conversation.send('second');
    const chat = conversation.client.getChat();
    const target = chat.getHistory().findLast(({ origin }) => origin === 'prompt') as Message;
    expect(recorder.rewindTo(target)).toBe(true);
    chat.setHistory(chat.getHistory().slice(0, chat.getHistory().indexOf(target)));
    await conversation.send('other');
    expect(toMessages(read())).toEqual(said());
    expect(JSON.stringify(said())).not.toContain('second');
  });

  it('continues a resumed session in the same file', async () => {
    const first = engine([call('none'), say('one')]);
    const before = record(first);
    await first.send('first');
    before.service.close();
    const path = before.service.conversationFile ?? '';

    const second = engine([say('two')]);
    const service = ChatRecordingService.resume(path, sessions.options());
    const { recorder, said, read } = record(second, service);
    await second.client.initialize();
    const chat = second.client.getChat();
    const ids: RecordIds = new Map();
    chat.setHistory([...chat.getHistory(), ...toMessages(readSession(path), ids)]);
    recorder.adopt(chat.getHistory(), ids);
    await second.send('second');
    service.close();
    expect(toMessages(read())).toEqual(said());
    expect(read().messages.map(({ type, origin }) => origin ?? type)).toEqual([
      'user',
      'context',
      'gemini',
      'gemini',
      'user',
      'gemini',
    ]);
    expect(linesOf(path).filter((line) => 'sessionId' in line)).toHaveLength(1);
  });
});
