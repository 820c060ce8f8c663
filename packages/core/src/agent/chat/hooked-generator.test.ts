/** Hooks around the model: BeforeModel, BeforeToolSelection, AfterModel. */
import { describe, expect, it } from 'vitest';
import type { GenerateResponse } from '../../model/content-generator.js';
import { ApiError } from '../../model/errors/api-error.js';
import { FakeModel } from '../../model/wrappers/fake.js';
import { MAIN_AGENT } from '../../protocol/agent-events.js';
import type { HookPorts } from '../hook-ports.js';
import { callOf, only, result, SessionRig } from '../session-rig.test-helper.js';
import { withModelHooks } from './hooked-generator.js';

const bare = (text: string): GenerateResponse => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] } }],
});

describe('withModelHooks', () => {
  const request = { model: 'm', messages: [], role: 'main', promptId: 'p' };
  const { signal } = new AbortController();

  it("gives the model's own stream while no model hook is set", () => {
    const own = new FakeModel([]).generateContentStream(request);
    const model = Object.assign(new FakeModel([]), { generateContentStream: () => own });
    const hooks: HookPorts = { beforeTool: async () => undefined };
    const hooked = withModelHooks(model, { hooks, agent: MAIN_AGENT });
    expect(hooked.generateContentStream(request, signal)).toBe(own);
    hooks.afterModel = async () => undefined;
    expect(hooked.generateContentStream(request, signal)).not.toBe(own);
  });
});

describe('BeforeModel', () => {
  it('sees and changes every request, retries included', async () => {
    let count = 0;
    const hooks: HookPorts = {
      beforeModel: async ({ request }) => ({ request: { ...request, systemInstruction: `rule ${++count}` } }),
    };
    const rig = new SessionRig({
      answers: [new ApiError(503, 'busy'), callOf('work'), 'done'],
      hooks,
      tools: { work: () => result('ok') },
    });
    expect((await rig.send()).at(-1)).toMatchObject({ reason: 'completed' });
    expect(rig.model.requests.map(({ systemInstruction }) => systemInstruction)).toEqual([
      'rule 1',
      'rule 2',
      'rule 3',
    ]);
  });

  it.each([
    [{}, 'completed'],
    [{ deny: 'no' }, 'blocked'],
  ])('answers instead of the model, with %o', async (more, reason) => {
    const hooks: HookPorts = { beforeModel: async () => ({ response: bare('made up'), ...more }) };
    const rig = new SessionRig({ hooks });
    const events = await rig.send('hello');
    expect(only(events, 'content').map(({ text }) => text)).toEqual(['made up']);
    expect([rig.model.requests, rig.history().at(-1)]).toEqual([[], 'model: made up']);
    expect(events.at(-1)).toMatchObject({ reason });
    const warnings = only(events, 'warning').map(({ message }) => message);
    expect(warnings).toEqual(reason === 'blocked' ? ['Agent execution blocked: no'] : []);
  });

  it('refuses a request without a retry, and the prompt is removed', async () => {
    const hooks: HookPorts = { beforeModel: async () => ({ deny: 'no', response: undefined }) };
    const rig = new SessionRig({ answers: ['never'], hooks });
    const events = await rig.send();
    expect(events.at(-1)).toMatchObject({ reason: 'blocked' });
    expect([rig.model.requests, rig.history(), only(events, 'retry')]).toEqual([[], ['user: context'], []]);
  });

  it('stops the agent, and the prompt stays', async () => {
    const hooks: HookPorts = { beforeModel: async () => ({ stop: 'enough' }) };
    const rig = new SessionRig({ answers: ['never'], hooks });
    expect((await rig.send('hello')).at(-1)).toMatchObject({ reason: 'stopped' });
    expect(rig.history()).toEqual(['user: context', 'user: hello']);
  });

  it('keeps tool results in the history when it refuses after tools have run', async () => {
    let calls = 0;
    const hooks: HookPorts = { beforeModel: async () => (++calls > 1 ? { deny: 'no' } : undefined) };
    const rig = new SessionRig({ answers: [callOf('work')], hooks, tools: { work: () => result('ok') } });
    expect((await rig.send()).at(-1)).toMatchObject({ reason: 'blocked' });
    expect(rig.history().slice(-2)).toEqual(['model: call work', 'user: result work']);
  });
});

describe('BeforeToolSelection', () => {
  const send = async (choice: Awaited<ReturnType<NonNullable<HookPorts['beforeToolSelection']>>>) => {
    const rig = new SessionRig({
      answers: ['hi'],
      hooks: { beforeToolSelection: async () => choice },
      tools: { one: () => result(''), two: () => result('') },
    });
    await rig.send();
    const { tools, toolChoice } = rig.model.requests[0] ?? {};
    return { names: tools?.map(({ name }) => name), toolChoice };
  };

  it('leaves the tools alone, disables them, requires some of them, or declares only some', async () => {
    const all = ['one', 'two'];
    expect(await send(undefined)).toEqual({ names: all, toolChoice: undefined });
    expect(await send({ mode: 'NONE' })).toEqual({ names: all, toolChoice: { mode: 'NONE' } });
    const any = { mode: 'ANY', allowedFunctionNames: ['two'] } as const;
    expect(await send({ ...any, allowedFunctionNames: ['two'] })).toEqual({ names: all, toolChoice: any });
    expect(await send({ mode: 'AUTO', allowedFunctionNames: ['two'] })).toEqual({
      names: ['two'],
      toolChoice: undefined,
    });
    expect(await send({ mode: 'AUTO' })).toEqual({ names: all, toolChoice: undefined });
  });

  it('runs after BeforeModel and sees its changes', async () => {
    const seen: unknown[] = [];
    const rig = new SessionRig({
      answers: ['hi'],
      hooks: {
        beforeModel: async ({ request }) => ({ request: { ...request, model: 'other' } }),
        beforeToolSelection: async ({ request }) => void seen.push(request.model),
      },
    });
    await rig.send();
    expect(seen).toEqual(['other']);
  });
});

describe('AfterModel', () => {
  const chunks: GenerateResponse[] = [
    { candidates: [{ content: { role: 'model', parts: [{ text: 'hm', thought: true }, { text: 'se' }] } }] },
    {
      candidates: [
        {
          content: { role: 'model', parts: [{ text: 'cret' }, { functionCall: { name: 'work', args: {} } }] },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 5, totalTokenCount: 8 },
    },
  ];
  const rigWith = (afterModel: HookPorts['afterModel']) =>
    new SessionRig({ answers: [chunks, 'done'], hooks: { afterModel }, tools: { work: () => result('ok') } });

  it('sees every chunk', async () => {
    const seen: unknown[] = [];
    await rigWith(async ({ chunk }) => void seen.push(chunk)).send();
    expect(seen.slice(0, 2)).toEqual(chunks);
  });

  it.each([
    { candidates: [{ content: { parts: [{ text: '*' }] } }] },
    {
      candidates: [{ content: { parts: [{ text: '*' }] }, finishReason: 'SAFETY' }],
      usageMetadata: { promptTokenCount: 99, totalTokenCount: 99 },
    },
    {},
  ])(
    'replaces text, and calls, thoughts, tokens and finish reason stay the model’s: %o',
    async (replacement: GenerateResponse) => {
      const rig = rigWith(async ({ chunk }) => (chunks.includes(chunk) ? { chunk: replacement } : undefined));
      const events = await rig.send();
      const star = replacement.candidates ? '*' : '';
      const shown = only(events, 'content').map(({ text }) => text);
      expect(shown.join('')).toBe(`${star}${star}done`);
      expect(only(events, 'tool_requested')).toHaveLength(1);
      expect(only(events, 'thought')[0]?.description).toBe('hm');
      expect(only(events, 'usage')[0]?.usage).toMatchObject({ prompt: 5, total: 8 });
      expect(events.at(-1)).toMatchObject({ reason: 'completed' });
    },
  );

  it('drops the chunk and the prompt when it refuses', async () => {
    const rig = rigWith(async () => ({ deny: 'no' }));
    const events = await rig.send();
    expect(events.at(-1)).toMatchObject({ reason: 'blocked' });
    expect([only(events, 'content'), rig.history()]).toEqual([[], ['user: context']]);
  });

  it('stops the agent and keeps the text before', async () => {
    const rig = rigWith(async ({ chunk }) => (chunk === chunks[1] ? { stop: 'enough' } : undefined));
    const events = await rig.send('hello');
    expect(events.at(-1)).toMatchObject({ reason: 'stopped' });
    expect(rig.history()).toEqual(['user: context', 'user: hello', 'model: se']);
  });
});
