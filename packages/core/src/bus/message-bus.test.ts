import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type BusMessage,
  MessageBusType,
  PolicyDecision,
  type ToolConfirmationRequest,
} from '../protocol/confirmation.js';
import { type DecisionContext, MessageBus } from './message-bus.js';
import { deriveBus } from './subagent-bus.js';

const toolCall = { name: 'write_file', args: {} };
const bus = (decision: PolicyDecision) =>
  new MessageBus({ check: async () => ({ decision, reason: 'why' }) });
const signal = () => new AbortController().signal;

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

  it('tells of a rejection', async () => {
    expect(await answerTo(bus(PolicyDecision.DENY), MessageBusType.TOOL_POLICY_REJECTION)).toEqual({
      type: 'tool-policy-rejection',
      toolCall,
      reason: 'why',
    });
  });

  it('hands the question to a front end and its answer back', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    target.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, ({ correlationId }) => {
      target.publish({
        type: MessageBusType.TOOL_CONFIRMATION_RESPONSE,
        correlationId: 'of another',
        confirmed: false,
      });
      target.publish({ type: MessageBusType.TOOL_CONFIRMATION_RESPONSE, correlationId, confirmed: true });
    });
    expect((await target.confirm({ toolCall }, signal())).confirmed).toBe(true);
  });

  it('stops waiting for an answer when the request is cancelled', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    target.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, () => undefined);
    const controller = new AbortController();
    const answer = target.confirm({ toolCall }, controller.signal);
    controller.abort();
    expect((await answer).confirmed).toBe(false);
  });

  it('counts an abort as a refusal, and a request without an id as a mistake', async () => {
    const target = bus(PolicyDecision.ALLOW);
    const verdict = await target.decide(toolCall, { abortSignal: AbortSignal.abort() });
    expect(verdict.decision).toBe(PolicyDecision.DENY);
    expect(() =>
      target.publish({ type: MessageBusType.TOOL_CONFIRMATION_REQUEST, toolCall, correlationId: '' }),
    ).toThrow('correlationId');
  });

  it('lets go of listeners', async () => {
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

  it('are shown one at a time and in order, those of sub-agents too', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    const { shown, answer } = frontEnd(target);
    const inner = deriveBus(deriveBus(target, 'outer'), 'inner');
    const answers = [
      target.confirm(named('a'), signal()),
      inner.confirm(named('b'), signal()),
      target.confirm(named('c'), signal()),
    ];
    const names = () => shown.map(({ toolCall: { name } }) => name);
    expect(names()).toEqual(['a']);
    answer(shown[0]);
    expect(names()).toEqual(['a', 'b']);
    expect(shown[1]?.subagent).toBe('outer/inner');
    answer(shown[1], false);
    answer(shown[2]);
    expect((await Promise.all(answers)).map(({ confirmed }) => confirmed)).toEqual([true, false, true]);
  });

  it('are all answered by a front end that answers on the spot', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    target.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, ({ correlationId }) =>
      target.publish({ type: MessageBusType.TOOL_CONFIRMATION_RESPONSE, correlationId, confirmed: true }),
    );
    const answers = Array.from({ length: 5000 }, () => target.confirm({ toolCall }, signal()));
    expect((await Promise.all(answers)).every(({ confirmed }) => confirmed)).toBe(true);
  });

  it('are not answered by late, second, invented or misdirected answers', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    const { shown, answer } = frontEnd(target);
    const seen: BusMessage[] = [];
    target.subscribe(MessageBusType.TOOL_CONFIRMATION_RESPONSE, (response) => seen.push(response));
    const first = target.confirm({ toolCall, digest: 'of this call' }, signal());
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
    expect((await first).confirmed).toBe(false);
    expect(seen).toHaveLength(1);
  });

  it('cannot be answered before policy has spoken', async () => {
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
    const first = target.confirm(named('a'), controller.signal);
    const waiting = target.confirm(named('b'), controller.signal);
    const last = target.confirm(named('c'), signal());
    controller.abort();
    expect((await Promise.all([first, waiting])).map(({ confirmed }) => confirmed)).toEqual([false, false]);
    expect(closed).toContain(shown[0]?.correlationId);
    expect(shown.at(-1)?.toolCall.name).toBe('c');
    answer(shown.at(-1));
    expect((await last).confirmed).toBe(true);
  });

  it('are given up when the last front end leaves', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    const { unsubscribe } = frontEnd(target);
    const answers = [target.confirm(named('a'), signal()), target.confirm(named('b'), signal())];
    unsubscribe();
    for (const { confirmed, requiresUserConfirmation } of await Promise.all(answers)) {
      expect([confirmed, requiresUserConfirmation]).toEqual([false, true]);
    }
  });

  it('take the first answer, wherever it comes from', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    const { shown, answer } = frontEnd(target);
    const elsewhere = Promise.resolve({ confirmed: true, payload: { newContent: 'x' } });
    const response = await target.confirm({ toolCall }, signal(), elsewhere);
    answer(shown[0], false);
    expect([response.confirmed, response.payload]).toEqual([true, { newContent: 'x' }]);
    const second = target.confirm({ toolCall }, signal(), Promise.reject(new Error('editor gone')));
    answer(shown[1]);
    expect((await second).confirmed).toBe(true);
  });

  it('survive a listener that fails', async () => {
    const target = bus(PolicyDecision.ASK_USER);
    target.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, () => {
      throw new Error('broken dialog');
    });
    const { shown, answer } = frontEnd(target);
    const response = target.confirm({ toolCall }, signal());
    answer(shown[0]);
    expect((await response).confirmed).toBe(true);
  });
});

describe('request', () => {
  const request = { type: MessageBusType.TOOL_CONFIRMATION_REQUEST, toolCall } as const;

  afterEach(() => {
    vi.useRealTimers();
  });

  it('gives policy’s answer, or the user’s', async () => {
    expect((await bus(PolicyDecision.ALLOW).request(request)).confirmed).toBe(true);
    const nobody = await bus(PolicyDecision.ASK_USER).request(request);
    expect([nobody.confirmed, nobody.requiresUserConfirmation]).toEqual([false, true]);
    const asked = bus(PolicyDecision.ASK_USER);
    asked.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, ({ correlationId }) =>
      asked.publish({ type: MessageBusType.TOOL_CONFIRMATION_RESPONSE, correlationId, confirmed: true }),
    );
    expect((await asked.request(request)).confirmed).toBe(true);
  });

  it('ends after 60 seconds in front of the user; waiting in line does not count', async () => {
    vi.useFakeTimers();
    const target = bus(PolicyDecision.ASK_USER);
    const { shown, answer } = frontEnd(target);
    const dialog = target.confirm(named('dialog'), signal());
    const response = target.request(request);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(shown).toHaveLength(1);
    answer(shown[0]);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(shown).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await response).confirmed).toBe(false);
    answer(shown[1]);
    expect((await dialog).confirmed).toBe(true);
  });

  it('asks questions in the same line, and is cancelled without anybody to answer', async () => {
    const target = bus(PolicyDecision.ALLOW);
    const question = { type: MessageBusType.ASK_USER_REQUEST, questions: [] } as const;
    expect(await target.request({ ...question, questions: [] })).toMatchObject({ cancelled: true });
    target.subscribe(MessageBusType.ASK_USER_REQUEST, ({ correlationId }) =>
      target.publish({ type: MessageBusType.ASK_USER_RESPONSE, correlationId, answers: { 0: 'yes' } }),
    );
    expect(await target.request({ ...question, questions: [] })).toMatchObject({ answers: { 0: 'yes' } });
  });

  it('stops at an abort, also while policy thinks', async () => {
    const target = new MessageBus({ check: () => new Promise(() => undefined) });
    const controller = new AbortController();
    const response = target.request(request, { signal: controller.signal });
    controller.abort();
    expect((await response).confirmed).toBe(false);
    expect((await target.request(request, { signal: AbortSignal.abort() })).confirmed).toBe(false);
  });
});

describe('the bus of a sub-agent', () => {
  it('names it to policy and lets it force nothing', async () => {
    const contexts: DecisionContext[] = [];
    const target = new MessageBus({
      check: async (_call, context) => {
        contexts.push(context);
        return { decision: PolicyDecision.DENY };
      },
    });
    const derived = deriveBus(target, 'helper');
    const forced = {
      type: MessageBusType.TOOL_CONFIRMATION_REQUEST,
      toolCall,
      forcedDecision: PolicyDecision.ALLOW,
      serverName: 'trusted',
      subagent: 'somebody else',
    } as const;
    expect((await derived.request(forced)).confirmed).toBe(false);
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
});
