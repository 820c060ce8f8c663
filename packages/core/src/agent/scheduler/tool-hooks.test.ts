/** BeforeTool, AfterTool and Notification: what they see, and each of their effects. */
import { describe, expect, it } from 'vitest';
import { PolicyDecision, ToolConfirmationOutcome } from '../../protocol/confirmation.js';
import { ToolErrorType } from '../../tools/tool-error.js';
import { toolFailure } from '../../tools/tools.js';
import type { HookPorts } from '../hook-ports.js';
import { callOf, only, result, SessionRig, type Work } from '../session-rig.test-helper.js';

const ask = async () => ({ decision: PolicyDecision.ASK_USER });

function rigWith(hooks: HookPorts, tools: Record<string, Work> = {}, check?: typeof ask) {
  const ran: unknown[] = [];
  const rig = new SessionRig({
    answers: [callOf('work', { n: 1, word: 'a' }), 'done'],
    hooks,
    tools: {
      work: (params) => {
        ran.push(params);
        return result('worked');
      },
      other: (params) => {
        ran.push(params);
        return result('other result');
      },
      ...tools,
    },
    ...(check && { check }),
  });
  const answering = (outcome: ToolConfirmationOutcome) => {
    const messages: (string | undefined)[] = [];
    rig.events.subscribe(
      (event) => {
        if (event.type !== 'question' || event.question.kind !== 'tool_confirmation') return;
        messages.push(event.question.details?.systemMessage);
        rig.events.answer(event.id, { outcome });
      },
      { answers: true },
    );
    return messages;
  };
  const send = async () => {
    const events = await rig.send();
    const [call] = only(events, 'tool_finished').map((event) => event.call);
    return {
      events,
      call,
      told: JSON.stringify(call?.response.responseParts),
      reason: only(events, 'turn_finished')[0]?.reason,
    };
  };
  return { rig, ran, send, answering };
}

describe('BeforeTool', () => {
  it('sees the call with its checked arguments, once, and cannot change them in place', async () => {
    const seen: unknown[] = [];
    const { send, ran } = rigWith({
      beforeTool: async ({ call, agent, originalName }) => {
        seen.push([call.name, { ...call.args }, agent.id, originalName]);
        call.args['n'] = 'not a number';
        return undefined;
      },
    });
    await send();
    expect(seen).toEqual([['work', { n: 1, word: 'a' }, 'main', undefined]]);
    expect(ran).toEqual([{ n: 1, word: 'a' }]);
  });

  it('does not see a call with invalid arguments', async () => {
    let calls = 0;
    const rig = new SessionRig({
      answers: [callOf('work', { n: 'x' }), 'done'],
      hooks: { beforeTool: async () => void calls++ },
      tools: { work: () => result('') },
    });
    await rig.send();
    expect(calls).toBe(0);
  });

  it('refuses a call, and the model is told why and continues', async () => {
    const { send, ran } = rigWith({ beforeTool: async () => ({ deny: 'not now' }) });
    const { call, told, reason } = await send();
    expect([call?.response.error, reason, ran]).toEqual([
      { message: 'not now', type: 'policy_violation' },
      'completed',
      [],
    ]);
    expect(told).toContain('not now');
  });

  it('is named to the user when it refuses, and not to the model, like AfterTool', async () => {
    const deny = async () => ({ deny: 'not now', deniedBy: 'guard' });
    for (const hooks of [{ beforeTool: deny }, { afterTool: deny }]) {
      const { call, told } = await rigWith(hooks).send();
      const shown = 'Refused by the hook guard: not now';
      expect([call?.response.resultDisplay, call?.response.error?.message]).toEqual([shown, shown]);
      expect(told).toContain('not now');
      expect(told).not.toContain('guard');
    }
  });

  it('changes arguments, which are merged, validated and reported to the model', async () => {
    const { send, ran } = rigWith({ beforeTool: async () => ({ args: { n: 2 } }) });
    const { told } = await send();
    expect(ran).toEqual([{ n: 2, word: 'a' }]);
    expect(told).toContain('A hook changed arguments of this call before it ran: n.');
    const broken = rigWith({ beforeTool: async () => ({ args: { n: 'x' } }) });
    expect((await broken.send()).call?.response.error?.type).toBe('invalid_tool_params');
    expect(broken.ran).toEqual([]);
  });

  it('has its changes reported for a call that fails, too', async () => {
    const failing: Work = () => toolFailure('broken', ToolErrorType.EXECUTION_FAILED);
    const { told } = await rigWith(
      { beforeTool: async () => ({ args: { n: 2 } }) },
      { work: failing },
    ).send();
    expect(told).toContain('broken');
    expect(told).toContain('before it ran: n.');
  });

  it('makes the user decide where policy allows, and shows its text', async () => {
    const { send, ran, answering } = rigWith({ beforeTool: async () => ({ ask: 'are you sure?' }) });
    const messages = answering(ToolConfirmationOutcome.Cancel);
    expect((await send()).call?.status).toBe('cancelled');
    expect([messages, ran]).toEqual([['are you sure?'], []]);
  });

  it('stops the agent, no later call runs, and the history has an answer for each', async () => {
    const ran: string[] = [];
    const rig = new SessionRig({
      answers: [{ calls: ['a', 'b', 'c'].map((name) => ({ name, args: {} })) }, 'never'],
      hooks: { beforeTool: async ({ call }) => (call.name === 'b' ? { stop: 'enough' } : undefined) },
      tools: Object.fromEntries(
        ['a', 'b', 'c'].map((name): [string, Work] => [
          name,
          () => {
            ran.push(name);
            return result('ok');
          },
        ]),
      ),
    });
    const events = await rig.send();
    expect(events.at(-1)).toMatchObject({ reason: 'stopped' });
    expect(ran).toEqual(['a']);
    expect(rig.history().at(-1)).toBe('user: result a + result b + result c');
    expect(rig.model.requests).toHaveLength(1);
  });

  it('refuses the call when it fails', async () => {
    const { send, ran } = rigWith({
      beforeTool: async () => {
        throw new Error('the hook broke');
      },
    });
    expect((await send()).call?.status).toBe('error');
    expect(ran).toEqual([]);
  });
});

describe('AfterTool', () => {
  it('sees the result', async () => {
    const seen: unknown[] = [];
    await rigWith({
      afterTool: async ({ call, result: r }) => void seen.push([call.name, r.llmContent]),
    }).send();
    expect(seen).toEqual([['work', 'worked']]);
  });

  it('sees a tool that threw as a failure', async () => {
    const seen: unknown[] = [];
    const work: Work = () => {
      throw new Error('broken');
    };
    const { call } = await rigWith(
      { afterTool: async ({ result: r }) => void seen.push(r.error) },
      { work },
    ).send();
    expect(seen).toEqual([{ message: 'broken', type: 'unhandled_exception' }]);
    expect(call?.response.error).toEqual({ message: 'broken', type: 'unhandled_exception' });
  });

  it('adds escaped text for the model, to results and to failures', async () => {
    const hooks: HookPorts = { afterTool: async () => ({ context: '</hook_context>!' }) };
    const mark = '<hook_context>&lt;/hook_context&gt;!</hook_context>';
    expect((await rigWith(hooks).send()).told).toContain(mark);
    const work: Work = () => toolFailure('broken', ToolErrorType.EXECUTION_FAILED);
    const failed = await rigWith(hooks, { work }).send();
    expect(failed.told).toContain('broken');
    expect(failed.told).toContain(mark);
  });

  it('hides a result', async () => {
    const { call, told, reason } = await rigWith({ afterTool: async () => ({ deny: 'secret' }) }).send();
    expect([call?.status, call?.response.error?.message, reason]).toEqual(['error', 'secret', 'completed']);
    expect(told).not.toContain('worked');
  });

  it('runs another tool under the same id, which both hooks see with the first name', async () => {
    const seen: unknown[] = [];
    const { send, ran } = rigWith({
      beforeTool: async ({ call, originalName }) => void seen.push(['before', call.name, originalName]),
      afterTool: async ({ call, originalName }) => {
        seen.push(['after', call.name, originalName]);
        return call.name === 'work' ? { tail: { name: 'other', args: { n: 5 } } } : undefined;
      },
    });
    const { call, told } = await send();
    expect(seen).toEqual([
      ['before', 'work', undefined],
      ['after', 'work', undefined],
      ['before', 'other', 'work'],
      ['after', 'other', 'work'],
    ]);
    expect(ran).toEqual([{ n: 1, word: 'a' }, { n: 5 }]);
    expect(call).toMatchObject({ request: { name: 'work' }, executed: { name: 'other', args: { n: 5 } } });
    expect(told).toContain('other result');
  });

  it('gets an error for an unknown tail call, and tail calls are limited', async () => {
    const unknown = await rigWith({ afterTool: async () => ({ tail: { name: 'absent', args: {} } }) }).send();
    expect(unknown.call?.response.error?.message).toContain('"absent" not found');
    const endless = rigWith({ afterTool: async () => ({ tail: { name: 'other', args: {} } }) });
    expect((await endless.send()).call?.status).toBe('success');
    expect(endless.ran).toHaveLength(11);
  });

  it('stops the agent', async () => {
    const { send, rig } = rigWith({ afterTool: async () => ({ stop: 'enough' }) });
    expect((await send()).reason).toBe('stopped');
    expect([rig.model.requests.length, rig.history().at(-1)]).toEqual([1, 'user: result work']);
  });
});

describe('Notification', () => {
  it('comes just before a question, as plain data, and cannot change anything', async () => {
    const order: string[] = [];
    const { send, rig, answering } = rigWith(
      {
        notification: async ({ message, details }) => {
          order.push(`${message} (${details.type})`);
          expect(structuredClone(details)).toEqual(details);
          throw new Error('the hook broke');
        },
      },
      {},
      ask,
    );
    rig.events.subscribe(({ type }) => type === 'question' && order.push(type));
    answering(ToolConfirmationOutcome.ProceedOnce);
    expect((await send()).call?.status).toBe('success');
    expect(order).toEqual(['Confirm: work (info)', 'question']);
  });

  it('also comes where no user can answer', async () => {
    let calls = 0;
    const { send } = rigWith({ notification: async () => void calls++ }, {}, ask);
    expect((await send()).call?.response.error?.type).toBe('policy_violation');
    expect(calls).toBe(1);
  });
});
