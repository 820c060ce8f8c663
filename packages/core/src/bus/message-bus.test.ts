import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../protocol/agent-events.js';
import {
  type BusMessage,
  MessageBusType,
  PolicyDecision,
  ToolConfirmationOutcome,
  type ToolConfirmationRequest,
} from '../protocol/confirmation.js';
import { EventStream } from './event-stream.js';
import { type DecisionContext, MessageBus } from './message-bus.js';
import { deriveBus } from './subagent-bus.js';

const toolCall = { name: 'write_file', args: {} };
const bus = (decision: PolicyDecision) =>
  new MessageBus({ check: async () => ({ decision, reason: 'why' }) });
const signal = () => new AbortController().signal;
/** Whether the call may run. */
const isYes = (reply: Awaited<ReturnType<MessageBus['confirm']>>) =>
  reply.status === 'answered' && reply.answer.outcome !== ToolConfirmationOutcome.Cancel;

/** Publishes a request and waits for the first message of the given kind. */
function answerTo(target: MessageBus, kind: MessageBusType): Promise<BusMessage> {
  return new Promise((resolve) => {
    target.subscribe(kind, resolve);
    target.publish({ type: MessageBusType.TOOL_CONFIRMATION_REQUEST, toolCall, correlationId: 'c' });
  });
}

describe('MessageBus', () => {
  it.each([
    [PolicyDecision.ALLOW, { confirmed: true }],
    [PolicyDecision.DENY, { confirmed: false }],
    [PolicyDecision.ASK_USER, { confirmed: false, requiresUserConfirmation: true }],
  ])('answers a request by policy: %s', async (decision, expected) => {
    const answer = await answerTo(bus(decision), MessageBusType.TOOL_CONFIRMATION_RESPONSE);
    expect(answer).toEqual({ type: 'tool-confirmation-response', correlationId: 'c', ...expected });
  });

  it('reports a rejection', async () => {
    expect(await answerTo(bus(PolicyDecision.DENY), MessageBusType.TOOL_POLICY_REJECTION)).toEqual({
      type: 'tool-policy-rejection',
      toolCall,
      reason: 'why',
    });
  });

  it('passes the question to a front end and its answer back', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    target.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, ({ correlationId }) => {
      target.publish({
        type: MessageBusType.TOOL_CONFIRMATION_RESPONSE,
        correlationId: 'of another',
        confirmed: false,
      });
      target.publish({ type: MessageBusType.TOOL_CONFIRMATION_RESPONSE, correlationId, confirmed: true });
    });
    expect(isYes(await target.confirm({ toolCall }))).toBe(true);
  });

  it('stops waiting for an answer when the request is cancelled', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    target.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, () => undefined);
    const controller = new AbortController();
    const answer = target.confirm({ toolCall }, { signal: controller.signal });
    controller.abort();
    expect(await answer).toEqual({ status: 'withdrawn' });
  });

  it('counts an abort as a refusal, and a request without an id as an error', async () => {
    const target = bus(PolicyDecision.ALLOW);
    const verdict = await target.decide(toolCall, { abortSignal: AbortSignal.abort() });
    expect(verdict.decision).toBe(PolicyDecision.DENY);
    expect(() =>
      target.publish({ type: MessageBusType.TOOL_CONFIRMATION_REQUEST, toolCall, correlationId: '' }),
    ).toThrow('correlationId');
  });

  it('releases listeners', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    const unsubscribe = target.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, () => undefined);
    expect(target.hasAnswerer).toBe(true);
    unsubscribe();
    expect(target.hasAnswerer).toBe(false);
  });
});

/** A front end that keeps the questions it is shown. */
function frontEnd(target: MessageBus) {
  const shown: ToolConfirmationRequest[] = [];
  const unsubscribe = target.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, (request) =>
    shown.push(request),
  );
  const answer = (request: ToolConfirmationRequest | undefined, confirmed = true, digest?: string) =>
    target.publish({
      type: MessageBusType.TOOL_CONFIRMATION_RESPONSE,
      correlationId: request?.correlationId ?? 'none',
      confirmed,
      ...(digest && { digest }),
    });
  return { shown, answer, unsubscribe };
}

const named = (name: string) => ({ toolCall: { name, args: {} } });

describe('questions to the user', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are shown one at a time and in order, those of sub-agents included', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    const { shown, answer } = frontEnd(target);
    const inner = deriveBus(deriveBus(target, 'outer'), 'inner');
    const answers = [target.confirm(named('a')), inner.confirm(named('b')), target.confirm(named('c'))];
    const names = () => shown.map(({ toolCall: { name } }) => name);
    expect(names()).toEqual(['a']);
    answer(shown[0]);
    expect(names()).toEqual(['a', 'b']);
    expect(shown[1]?.subagent).toBe('outer/inner');
    answer(shown[1], false);
    answer(shown[2]);
    expect((await Promise.all(answers)).map(isYes)).toEqual([true, false, true]);
  });

  it('are all answered by a front end that answers synchronously', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    target.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, ({ correlationId }) =>
      target.publish({ type: MessageBusType.TOOL_CONFIRMATION_RESPONSE, correlationId, confirmed: true }),
    );
    const answers = Array.from({ length: 5000 }, () => target.confirm({ toolCall }));
    expect((await Promise.all(answers)).every(isYes)).toBe(true);
  });

  it('ignore late, second, invented or misdirected answers', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    const { shown, answer } = frontEnd(target);
    const seen: BusMessage[] = [];
    target.subscribe(MessageBusType.TOOL_CONFIRMATION_RESPONSE, (response) => seen.push(response));
    const first = target.confirm({ toolCall, digest: 'of this call' });
    answer({ ...shown[0], correlationId: 'invented' } as ToolConfirmationRequest);
    answer(shown[0], true, 'of another call');
    deriveBus(target, 'sub').publish({
      type: MessageBusType.TOOL_CONFIRMATION_RESPONSE,
      correlationId: shown[0]?.correlationId ?? '',
      confirmed: true,
    });
    target.publish({
      type: MessageBusType.ASK_USER_RESPONSE,
      correlationId: shown[0]?.correlationId ?? '',
      answers: {},
    });
    expect(seen).toEqual([]);
    answer(shown[0], false, 'of this call');
    answer(shown[0], true);
    expect(isYes(await first)).toBe(false);
    expect(seen).toHaveLength(1);
  });

  it('cannot be answered before policy has decided', async () => {
    let decide: (decision: PolicyDecision) => void = () => undefined;
    const verdict = new Promise<PolicyDecision>((resolve) => {
      decide = resolve;
    });
    const target = new MessageBus({ check: async () => ({ decision: await verdict }) });
    const answers: boolean[] = [];
    target.subscribe(MessageBusType.TOOL_CONFIRMATION_RESPONSE, ({ confirmed }) => answers.push(confirmed));
    target.publish({ type: MessageBusType.TOOL_CONFIRMATION_REQUEST, toolCall, correlationId: 'c' });
    target.publish({
      type: MessageBusType.TOOL_CONFIRMATION_RESPONSE,
      correlationId: 'c',
      confirmed: true,
    });
    expect(answers).toEqual([]);
    const done = new Promise((resolve) => {
      target.subscribe(MessageBusType.TOOL_CONFIRMATION_RESPONSE, resolve);
    });
    decide(PolicyDecision.DENY);
    await done;
    expect(answers).toEqual([false]);
  });

  it('make room for the next one when they are withdrawn, and the front end sees that', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    const { shown, answer } = frontEnd(target);
    const closed: string[] = [];
    target.subscribe(MessageBusType.TOOL_CONFIRMATION_RESPONSE, ({ correlationId }) =>
      closed.push(correlationId),
    );
    const controller = new AbortController();
    const first = target.confirm(named('a'), { signal: controller.signal });
    const waiting = target.confirm(named('b'), { signal: controller.signal });
    const last = target.confirm(named('c'));
    controller.abort();
    expect((await Promise.all([first, waiting])).map(isYes)).toEqual([false, false]);
    expect(closed).toContain(shown[0]?.correlationId);
    expect(shown.at(-1)?.toolCall.name).toBe('c');
    answer(shown.at(-1));
    expect(isYes(await last)).toBe(true);
  });

  it('are withdrawn when the last front end leaves', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    const { unsubscribe } = frontEnd(target);
    const answers = [target.confirm(named('a')), target.confirm(named('b'))];
    unsubscribe();
    for (const reply of await Promise.all(answers)) expect(reply).toEqual({ status: 'unanswerable' });
  });

  it('take the first answer, whichever view gives it', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    const { shown, answer } = frontEnd(target);
    const inEditor = { outcome: ToolConfirmationOutcome.ProceedOnce, payload: { newContent: 'x' } };
    const first = await target.confirm({ toolCall }, { elsewhere: Promise.resolve(inEditor) });
    answer(shown[0], false);
    expect(first).toEqual({ status: 'answered', answer: inEditor });
    const elsewhere = Promise.reject(new Error('editor gone'));
    const second = target.confirm({ toolCall }, { elsewhere });
    answer(shown[1]);
    expect(isYes(await second)).toBe(true);
  });

  it('are shown elsewhere when they are shown here, not while they wait for others', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    const { shown, answer } = frontEnd(target);
    const opened: string[] = [];
    const confirm = (name: string) =>
      target.confirm(named(name), {
        elsewhere: () => {
          opened.push(name);
          return new Promise(() => undefined);
        },
      });
    const replies = [confirm('a'), confirm('b')];
    expect(opened).toEqual(['a']);
    answer(shown[0]);
    expect(opened).toEqual(['a', 'b']);
    answer(shown[1]);
    expect((await Promise.all(replies)).map(isYes)).toEqual([true, true]);
  });

  it('survive a listener that fails', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    target.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, () => {
      throw new Error('broken dialog');
    });
    const { shown, answer } = frontEnd(target);
    const response = target.confirm({ toolCall });
    answer(shown[0]);
    expect(isYes(await response)).toBe(true);
  });
});

describe('the bus of a sub-agent', () => {
  it('names the sub-agent to policy and cannot force a decision', async () => {
    const contexts: DecisionContext[] = [];
    const target = new MessageBus({
      check: async (_call, context) => {
        contexts.push(context);
        return { decision: PolicyDecision.DENY };
      },
    });
    const derived = deriveBus(target, 'helper');
    const answered = new Promise<boolean>((resolve) => {
      target.subscribe(MessageBusType.TOOL_CONFIRMATION_RESPONSE, ({ confirmed }) => resolve(confirmed));
    });
    derived.publish({
      type: MessageBusType.TOOL_CONFIRMATION_REQUEST,
      correlationId: 'c',
      toolCall,
      forcedDecision: PolicyDecision.ALLOW,
      serverName: 'trusted',
      subagent: 'another agent',
    });
    expect(await answered).toBe(false);
    const verdict = await derived.decide(toolCall, {
      abortSignal: signal(),
      forcedDecision: PolicyDecision.ALLOW,
    });
    expect(verdict.decision).toBe(PolicyDecision.DENY);
    expect(contexts.map(({ subagent, serverName }) => [subagent, serverName])).toEqual([
      ['helper', undefined],
      ['helper', undefined],
    ]);
  });

  it("uses its agent's own decisions if there are any", async () => {
    const target = bus(PolicyDecision.DENY);
    const decisions = { check: async () => ({ decision: PolicyDecision.ALLOW }) };
    const derived = deriveBus(target, 'confined', { decisions });
    expect((await derived.decide(toolCall, { abortSignal: signal() })).decision).toBe(PolicyDecision.ALLOW);
  });
});

describe('a question to the user over the bus', () => {
  it('is answered by a subscriber, and is cancelled without one', async () => {
    const target = bus(PolicyDecision.ALLOW);
    const seen: BusMessage[] = [];
    target.subscribe(MessageBusType.ASK_USER_RESPONSE, (response) => seen.push(response));
    target.publish({ type: MessageBusType.ASK_USER_REQUEST, correlationId: 'a', questions: [] });
    target.subscribe(MessageBusType.ASK_USER_REQUEST, ({ correlationId }) =>
      target.publish({ type: MessageBusType.ASK_USER_RESPONSE, correlationId, answers: { 0: 'yes' } }),
    );
    target.publish({ type: MessageBusType.ASK_USER_REQUEST, correlationId: 'b', questions: [] });
    expect(seen).toMatchObject([{ cancelled: true }, { answers: { 0: 'yes' } }]);
  });
});

describe('a request that a tool publishes', () => {
  it('is shown to the user with details, as plain data, so that it can be answered', async () => {
    const events = new EventStream();
    const target = new MessageBus(
      { check: async () => ({ decision: PolicyDecision.ASK_USER }) },
      events.questions,
    );
    const asked: AgentEvent[] = [];
    events.subscribe(
      (event) => {
        if (event.type !== 'question') return;
        asked.push(event);
        events.answer(event.id, { outcome: ToolConfirmationOutcome.ProceedOnce });
      },
      { answers: true },
    );
    const answered = new Promise<BusMessage>((resolve) => {
      target.subscribe(MessageBusType.TOOL_CONFIRMATION_RESPONSE, resolve);
    });
    const args = { path: 'a\u202etxt', done: () => undefined };
    target.publish({
      type: MessageBusType.TOOL_CONFIRMATION_REQUEST,
      toolCall: { name: 'write_file', args },
      correlationId: 'c',
    });
    expect(await answered).toMatchObject({ confirmed: true, correlationId: 'c' });
    expect(structuredClone(asked)).toMatchObject([
      {
        question: {
          toolName: 'write_file',
          details: {
            type: 'info',
            title: 'Confirm: write_file',
            prompt: expect.stringContaining('a\\u{202E}txt'),
            offeredOutcomes: ['proceed_once', 'cancel'],
          },
        },
      },
    ]);
  });
});
