/** An agent inside a tool call of another one: one stream, one user, events never mixed up. */
import { describe, expect, it } from 'vitest';
import type { AgentEvent, AgentRef } from '../protocol/agent-events.js';
import { PolicyDecision, ToolConfirmationOutcome } from '../protocol/confirmation.js';
import { callOf, only, result, SessionRig } from './session-rig.test-helper.js';

const refOf = (name: string): AgentRef => ({ id: `${name}-1`, name, parentId: 'main' });

/** A main agent whose tool runs the named agents side by side; each calls a tool that policy asks about. */
function nest(names: readonly string[]) {
  const parent: SessionRig = new SessionRig({
    answers: [callOf('delegate'), 'main is done'],
    check: async ({ name }) => ({
      decision: name === 'delegate' ? PolicyDecision.ALLOW : PolicyDecision.ASK_USER,
    }),
    tools: {
      delegate: async () => {
        const ends = await Promise.all(children.map((child) => child.send('task')));
        return result(ends.map((events) => only(events, 'content').at(-1)?.text).join(', '));
      },
    },
  });
  const children = names.map(
    (name) =>
      new SessionRig({
        parent,
        answers: [callOf('look'), `${name} is done`],
        tools: { look: () => result('seen') },
        session: { agent: refOf(name) },
      }),
  );
  const asked: AgentEvent[] = [];
  parent.events.subscribe(
    (event) => {
      if (event.type !== 'question') return;
      asked.push(event);
      parent.events.answer(event.id, { outcome: ToolConfirmationOutcome.ProceedOnce });
    },
    { answers: true },
  );
  return { parent, children, asked };
}

describe('agents inside a tool call', () => {
  it('send the main reader plain events, each with its agent', async () => {
    const { parent, asked } = nest(['left', 'right']);
    const events = await parent.send();
    expect(structuredClone(events)).toEqual(events);
    expect(JSON.parse(JSON.stringify(events))).toEqual(events);
    const said = only(events, 'content').map(({ agent, text }) => `${agent.id}: ${text}`);
    expect(said.slice(0, 2).sort()).toEqual(['left-1: left is done', 'right-1: right is done']);
    expect(said.slice(2)).toEqual(['main: main is done']);
    expect(
      only(events, 'turn_finished')
        .map(({ agent }) => agent.id)
        .at(-1),
    ).toBe('main');
    expect(asked.map(({ agent }) => agent.id).sort()).toEqual(['left-1', 'right-1']);
    expect(asked).toMatchObject([
      {
        question: {
          kind: 'tool_confirmation',
          toolName: 'look',
          subagent: expect.stringMatching(/left|right/),
        },
      },
      {},
    ]);
  });

  it('send each event once, as it happens', async () => {
    const { parent } = nest(['left']);
    const watching: AgentEvent[] = [];
    parent.events.subscribe((event) => watching.push(event));
    const events = await parent.send();
    expect(events).toHaveLength(watching.length);
    expect(new Set(events)).toEqual(new Set(watching));
    const ends = events.flatMap((event) => (event.type === 'turn_finished' ? [event.agent.id] : []));
    expect(ends).toEqual(['left-1', 'main']);
  });

  it('are invisible to subscribers of the main agent alone', async () => {
    const { parent, children } = nest(['left']);
    const main = new Set<string>();
    const left = new Set<string>();
    parent.session.subscribe(({ agent }) => main.add(agent.id));
    children[0]?.session.subscribe(({ agent }) => left.add(agent.id));
    await parent.send();
    expect([...main, ...left]).toEqual(['main', 'left-1']);
  });

  it('end with the main agent, and an abort withdraws their questions', async () => {
    const { parent, children } = nest(['left']);
    for await (const event of parent.session.send('go')) {
      if (event.type !== 'tool_requested' || event.agent.id === 'main') continue;
      // The tool of the main agent passes no signal on here; a real one does.
      children[0]?.session.abort();
      parent.session.abort();
    }
    expect([parent.session.isBusy, children[0]?.session.isBusy]).toEqual([false, false]);
  });
});
