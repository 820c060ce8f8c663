import { describe, expect, it } from 'vitest';
import { type BusMessage, MessageBusType, PolicyDecision } from '../protocol/confirmation.js';
import { MessageBus } from './message-bus.js';

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
