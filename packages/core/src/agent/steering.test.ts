/** Steering: text typed while the agent works reaches the model once and in order, is recorded, or is returned. */
import {
  callTool,
  createTestConfig,
  type Script,
  startAnthropicServer,
  startModelServer,
  startOpenAiServer,
  text,
} from '@gemini-cli/test-utils';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiError } from '../model/errors/api-error.js';
import { textOf } from '../protocol/messages.js';
import { toMessages } from '../sessions/reading/convert.js';
import { readSession } from '../sessions/reading/read-session.js';
import { SessionRecorder } from '../sessions/recording/session-recorder.js';
import { testSessions } from '../sessions/sessions.test-helper.js';
import { callOf, only, type RigOptions, result, SessionRig, type Work } from './session-rig.test-helper.js';

afterEach(() => vi.unstubAllEnvs());

/** The tool is where the user types: `typed[n]` during its n-th call. */
function rigWith(typed: readonly string[][], options: RigOptions = {}) {
  let calls = 0;
  const accepted: boolean[] = [];
  const work: Work = () => {
    for (const line of typed[calls++] ?? []) accepted.push(rig.session.steer(line));
    return result('ok');
  };
  const rig: SessionRig = new SessionRig({
    tools: { work },
    ...options,
    session: { allowsSteering: () => true, ...options.session },
  });
  return { rig, accepted };
}

const toldIn = (rig: SessionRig, index: number) =>
  rig.model.requests[index]?.messages.flatMap(({ role, parts }) => (role === 'user' ? [textOf(parts)] : []));

describe('steering', () => {
  it('reaches the model with the tool results, once and in order', async () => {
    const { rig, accepted } = rigWith([['use tabs', 'and be brief', '  ']], {
      answers: [callOf('work'), callOf('work'), 'done'],
    });
    const events = await rig.send('hello');
    expect(accepted).toEqual([true, true, true]);
    expect(toldIn(rig, 0)).toEqual(['context', 'hello']);
    expect(toldIn(rig, 1)).toEqual(['context', 'hello', '', 'use tabs\n\nand be brief']);
    expect(only(events, 'steered').map((event) => event.text)).toEqual(['use tabs\n\nand be brief']);
    expect(rig.history()).toEqual([
      'user: context',
      'user: hello',
      'model: call work',
      'user: result work',
      'user: use tabs\n\nand be brief',
      'model: call work',
      'user: result work',
      'model: done',
    ]);
    expect(JSON.stringify(rig.model.requests)).not.toContain('interrupted');
    expect(only(events, 'turn_finished')[0]?.unsent).toBeUndefined();
  });

  it('makes the model continue when it comes with the last answer', async () => {
    const { rig } = rigWith([], { answers: ['first', 'second'] });
    const texts: string[] = [];
    for await (const event of rig.session.send('hello')) {
      if (event.type !== 'content') continue;
      texts.push(event.text);
      if (event.text === 'first') rig.session.steer('wait');
    }
    expect(texts).toEqual(['first', 'second']);
    expect(rig.history().slice(-3)).toEqual(['model: first', 'user: wait', 'model: second']);
  });

  it('makes the model continue when it comes while the AfterAgent hook runs', async () => {
    let calls = 0;
    const { rig } = rigWith([], {
      answers: ['first', 'second'],
      hooks: { afterAgent: async () => void (calls++ === 0 && rig.session.steer('wait')) },
    });
    await rig.send('hello');
    expect([calls, rig.history().at(-1)]).toEqual([2, 'model: second']);
  });

  it('is refused without the setting, and while no request is running', async () => {
    const off = rigWith([['x']], {
      answers: [callOf('work'), 'done'],
      session: { allowsSteering: () => false },
    });
    expect(off.rig.session.steer('x')).toBe(false);
    await off.rig.send();
    expect([off.accepted, off.rig.history().length]).toEqual([[false], 5]);
    const { rig } = rigWith([], { answers: ['done'] });
    expect(rig.session.steer('before')).toBe(false);
    for await (const event of rig.session.send('go')) {
      if (event.type === 'turn_finished') expect(rig.session.steer('at the end')).toBe(false);
    }
    expect(rig.session.steer('after')).toBe(false);
  });

  it.each([
    ['cancelled', (rig: SessionRig) => rig.session.abort()],
    ['stopped', () => undefined],
  ] as const)(
    'is returned at the end of a request that is %s, and is not in the next one',
    async (reason, act) => {
      const hooks = reason === 'stopped' ? { afterTool: async () => ({ stop: 'enough' }) } : {};
      const rig: SessionRig = new SessionRig({
        answers: [callOf('work'), 'next'],
        hooks,
        tools: {
          work: () => {
            rig.session.steer('not told');
            act(rig);
            return result('ok');
          },
        },
        session: { allowsSteering: () => true },
      });
      const events = await rig.send();
      expect(events.at(-1)).toMatchObject({ type: 'turn_finished', reason, unsent: 'not told' });
      expect(only(events, 'steered')).toEqual([]);
      const next = await rig.send('next');
      expect(JSON.stringify([next, rig.history()])).not.toContain('not told');
    },
  );

  it('is returned to subscribers when the reader leaves', async () => {
    const { rig } = rigWith([], { answers: ['first'] });
    const unsent: unknown[] = [];
    rig.events.subscribe((event) => event.type === 'turn_finished' && unsent.push(event.unsent));
    for await (const event of rig.session.send('hello')) {
      if (event.type !== 'content') continue;
      rig.session.steer('wait');
      break;
    }
    expect(unsent).toEqual(['wait']);
  });

  it.each([
    ['fails', { answers: [callOf('work'), new ApiError(400, 'bad')] }, 'error'],
    ['is over the limit of turns', { answers: [callOf('work')], maxSessionTurns: 1 }, 'max_turns'],
  ])('stays in the history when its request %s', async (_what, options, reason) => {
    const { rig } = rigWith([['mind this']], options);
    const events = await rig.send();
    expect(events.at(-1)).toMatchObject({ reason });
    expect(only(events, 'steered')).toHaveLength(1);
    expect(rig.history().slice(-2)).toEqual(['user: result work', 'user: mind this']);
  });

  it('is recorded in its place as a message of the user', async () => {
    const sessions = testSessions();
    onTestFinished(() => sessions.cleanup());
    const service = sessions.service();
    const { rig } = rigWith([['mind this']], { answers: [callOf('work'), 'done'] });
    let id = 0;
    const recorder = new SessionRecorder({
      service,
      history: () => (rig.client.isInitialized() ? rig.client.getChat().getHistory() : []),
      now: () => sessions.time.now,
      newId: () => `new-${id++}`,
    });
    rig.session.subscribe((event) => recorder.observe(event));
    await rig.send('hello');
    const session = readSession(service.conversationFile ?? '');
    const said = toMessages(session).map(({ role, origin, parts }) => `${role} ${origin}: ${textOf(parts)}`);
    expect(said).toEqual([
      'user prompt: hello',
      'model model: ',
      'user tool_response: ',
      'user prompt: mind this',
      'model model: done',
    ]);
  });
});

const WIRES = {
  'gemini-2.5-flash': async () => {
    const server = await startModelServer();
    onTestFinished(() => server.close());
    return { server, model: server };
  },
  'openai/gpt-x': async () => {
    const server = await startOpenAiServer();
    vi.stubEnv('OPENAI_BASE_URL', server.url);
    vi.stubEnv('OPENAI_API_KEY', 'test');
    return { server };
  },
  'anthropic/claude-x': async () => {
    const server = await startAnthropicServer();
    vi.stubEnv('ANTHROPIC_BASE_URL', server.url);
    vi.stubEnv('ANTHROPIC_API_KEY', 'test');
    onTestFinished(() => server.close());
    return { server };
  },
};

describe.each(Object.entries(WIRES))('steering on the wire of %s', (model, start) => {
  it('follows the tool results in an order the API accepts, now and in later requests', async () => {
    const started = await start();
    const { server } = started;
    const config = await createTestConfig({ model }, 'model' in started ? { model: started.model } : {});
    const look: Script = [callTool('list_directory', { dir_path: '.' }, 'c1')];
    const scripts: Script[] = [look, [text('zebra')], [text('again')]];
    server.replies(...scripts.map((script) => () => script));
    for await (const event of config.getSession().send('look around')) {
      if (event.type === 'tool_requested') config.getGeminiClient().steering.add('only the first');
    }
    for await (const event of config.getSession().send('and now?')) {
      if (event.type === 'turn_finished') expect(event.reason).toBe('completed');
    }
    const bodies = server.requests.map(({ body }) => JSON.stringify(body));
    for (const body of bodies.slice(1)) {
      expect(body.split('only the first')).toHaveLength(2);
      expect(body).not.toContain('interrupted');
      // After the result of the call, before what the model says next.
      expect(body.lastIndexOf('only the first')).toBeGreaterThan(body.lastIndexOf('c1'));
    }
    expect(bodies[2]?.indexOf('only the first')).toBeLessThan(bodies[2]?.indexOf('zebra') ?? 0);
    expect('refused' in server ? server.refused : []).toEqual([]);
  });
});
