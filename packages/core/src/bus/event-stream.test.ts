import { describe, expect, it } from 'vitest';
import { type AgentEvent, MAIN_AGENT } from '../protocol/agent-events.js';
import { MessageBusType, PolicyDecision, ToolConfirmationOutcome } from '../protocol/confirmation.js';
import type { Answer, Question } from '../protocol/questions.js';
import { EventStream } from './event-stream.js';
import { MessageBus } from './message-bus.js';

const { ProceedOnce, Cancel } = ToolConfirmationOutcome;
const confirmation: Question = { kind: 'tool_confirmation', toolName: 't', args: { n: 1 }, digest: 'd1' };

/** Every kind of question with an answer that fits and some that do not. */
const QUESTIONS: [Question, Answer, unknown[]][] = [
  [
    confirmation,
    { outcome: ProceedOnce, payload: { feedback: 'fine' }, digest: 'd1' },
    [
      undefined,
      null,
      true,
      ProceedOnce,
      {},
      { outcome: 'yes' },
      { outcome: ProceedOnce, digest: 'd2' },
      { outcome: ProceedOnce, payload: 'x' },
      { outcome: ProceedOnce, payload: { newContent: 1 } },
      { outcome: ProceedOnce, payload: { feedback: [] } },
      { outcome: ProceedOnce, payload: { answers: { 0: 1 } } },
      { outcome: ProceedOnce, payload: { approved: 'yes' } },
      { outcome: ProceedOnce, payload: { approvalMode: 'all' } },
    ],
  ],
  [
    { kind: 'ask_user', questions: [{ question: 'Which?', header: 'Which' }] },
    { answers: { 0: 'this' } },
    [undefined, {}, { answers: [] }, { answers: { 0: 1 } }, 'this'],
  ],
  [
    { kind: 'model_fallback', from: 'a', to: 'b', canWait: true, reason: 'busy', errorClass: 'terminal' },
    'retry_once',
    [undefined, 'maybe', true, { intent: 'stop' }],
  ],
  [
    { kind: 'workspace_policies', files: ['a.toml'], state: 'new', allowRules: 1 },
    true,
    [undefined, 'true', 1],
  ],
  [{ kind: 'folder_trust', folder: '/work' }, false, [undefined, null, 'no', 0]],
];

function watched(answers = true) {
  const stream = new EventStream();
  const events: AgentEvent[] = [];
  const leave = stream.subscribe((event) => events.push(event), { answers });
  const ids = () => events.flatMap((event) => (event.type === 'question' ? [event.id] : []));
  return { stream, events, leave, ids };
}

describe.each(QUESTIONS)('a question %o', (question, answer, wrong) => {
  it('is answered by its id, once, and both events are plain data', async () => {
    const { stream, events, ids } = watched();
    const reply = stream.ask(question);
    const [id = ''] = ids();
    expect(stream.answer(id, answer)).toBe(true);
    expect(stream.answer(id, answer)).toBe(false);
    expect(await reply).toEqual({ status: 'answered', answer });
    expect(events).toEqual([
      { type: 'question', id, question, agent: MAIN_AGENT },
      { type: 'question_settled', id, status: 'answered', agent: MAIN_AGENT },
    ]);
    expect(structuredClone(events)).toEqual(events);
    expect(JSON.parse(JSON.stringify(events))).toEqual(events);
  });

  it('stays open for invalid answers', async () => {
    const { stream, ids } = watched();
    const reply = stream.ask(question);
    const [id = ''] = ids();
    for (const value of wrong) expect(stream.answer(id, value as Answer)).toBe(false);
    expect(stream.answer('another id', answer)).toBe(false);
    expect(stream.answer(id, answer)).toBe(true);
    expect((await reply).status).toBe('answered');
  });

  it('is unanswerable at once without a subscriber that answers', async () => {
    const { stream, events } = watched(false);
    expect(await stream.ask(question)).toEqual({ status: 'unanswerable' });
    expect(events).toEqual([]);
  });

  it('is unanswerable when the last answering subscriber leaves', async () => {
    const { stream, events, leave } = watched();
    const other: AgentEvent[] = [];
    stream.subscribe((event) => other.push(event));
    const reply = stream.ask(question);
    leave();
    expect(await reply).toEqual({ status: 'unanswerable' });
    expect(events).toHaveLength(1);
    expect(other.map(({ type }) => type)).toEqual(['question', 'question_settled']);
  });

  it('is withdrawn by an abort, whether shown or queued, and a late answer does nothing', async () => {
    const { stream, events, ids } = watched();
    const [first, second] = [new AbortController(), new AbortController()];
    const shown = stream.ask(question, { signal: first.signal });
    const waiting = stream.ask(question, { signal: second.signal });
    const [id = ''] = ids();
    second.abort();
    first.abort();
    expect([await shown, await waiting]).toEqual([{ status: 'withdrawn' }, { status: 'withdrawn' }]);
    expect(stream.answer(id, answer)).toBe(false);
    expect(events.map(({ type }) => type)).toEqual(['question', 'question_settled']);
    expect(await stream.ask(question, { signal: AbortSignal.abort() })).toEqual({ status: 'withdrawn' });
  });
});

describe('several views', () => {
  const request = { toolCall: { name: 't', args: {} } };
  const views = () => {
    const watching = watched();
    const bus = new MessageBus(
      { check: async () => ({ decision: PolicyDecision.ASK_USER }) },
      watching.stream.questions,
    );
    const onBus: string[] = [];
    const settled: boolean[] = [];
    bus.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, ({ correlationId }) => onBus.push(correlationId));
    bus.subscribe(MessageBusType.TOOL_CONFIRMATION_RESPONSE, ({ confirmed }) => settled.push(confirmed));
    const publish = (correlationId: string, confirmed: boolean) =>
      bus.publish({ type: MessageBusType.TOOL_CONFIRMATION_RESPONSE, correlationId, confirmed });
    return { ...watching, bus, onBus, settled, publish };
  };

  it('show the same question, and the first answer counts, here from the stream', async () => {
    const { stream, bus, ids, onBus, settled, publish } = views();
    const reply = bus.confirm(request);
    expect(onBus).toEqual(ids());
    const [id = ''] = ids();
    expect(stream.answer(id, { outcome: Cancel })).toBe(true);
    publish(id, true);
    expect(await reply).toEqual({ status: 'answered', answer: { outcome: Cancel } });
    expect(settled).toEqual([false]);
  });

  it('show the same question, and the first answer counts, here from the bus', async () => {
    const { stream, bus, events, ids, publish } = views();
    const reply = bus.confirm(request);
    const [id = ''] = ids();
    publish(id, true);
    expect(stream.answer(id, { outcome: Cancel })).toBe(false);
    expect(await reply).toEqual({ status: 'answered', answer: { outcome: ProceedOnce } });
    expect(events.at(-1)).toMatchObject({ type: 'question_settled', id, status: 'answered' });
  });

  it('may come late, and only those that answer get the open question', async () => {
    const { stream, ids } = watched();
    const reply = stream.ask(confirmation);
    const late: AgentEvent[] = [];
    const watching: AgentEvent[] = [];
    stream.subscribe((event) => late.push(event), { answers: true });
    stream.subscribe((event) => watching.push(event));
    expect(late).toMatchObject([{ type: 'question', id: ids()[0] }]);
    expect(watching).toEqual([]);
    stream.answer(ids()[0] ?? '', { outcome: ProceedOnce });
    expect((await reply).status).toBe('answered');
  });

  it('see one question at a time, in order', async () => {
    const { stream, ids } = watched();
    const replies = [stream.ask(confirmation), stream.ask(confirmation)];
    expect(ids()).toHaveLength(1);
    stream.answer(ids()[0] ?? '', { outcome: ProceedOnce });
    expect(ids()).toHaveLength(2);
    stream.answer(ids()[1] ?? '', { outcome: Cancel });
    expect(await Promise.all(replies)).toMatchObject([
      { answer: { outcome: ProceedOnce } },
      { answer: { outcome: Cancel } },
    ]);
  });

  it('survive one that fails, and the same function may subscribe twice', () => {
    const stream = new EventStream();
    let count = 0;
    const listener = () => void count++;
    stream.subscribe(() => {
      throw new Error('a broken view');
    });
    const leave = stream.subscribe(listener);
    stream.subscribe(listener);
    stream.notice('one');
    leave();
    leave();
    stream.notice('two');
    expect(count).toBe(3);
  });
});

describe('an answer from an editor or tool', () => {
  it('counts when it is first, and its failure is harmless', async () => {
    const { stream, events } = watched();
    const elsewhere = Promise.resolve({ outcome: ProceedOnce });
    expect(await stream.ask(confirmation, { elsewhere })).toMatchObject({ status: 'answered' });
    const failing = Promise.reject(new Error('the editor is gone'));
    const signal = AbortSignal.abort();
    expect(await stream.ask(confirmation, { elsewhere: failing, signal })).toEqual({ status: 'withdrawn' });
    expect(events.map(({ type }) => type)).toEqual(['question', 'question_settled']);
  });
});
