/** The call sites of hooks in the loop: what each sees, and what its effects do. */
import { tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ContextManager } from '../context/context-manager.js';
import {
  chatter,
  context,
  managerOptions,
  ScriptedUtility,
  snapshot,
} from '../context/manager.test-helper.js';
import type { GenerateResponse } from '../model/content-generator.js';
import { MAIN_AGENT } from '../protocol/agent-events.js';
import { type Part, textOf } from '../protocol/messages.js';
import type { FinalAnswerCheck } from './chat/final-answer-check.js';
import { compressionPort } from './context-keeper.js';
import { type HookPorts, hookContext } from './hook-ports.js';
import { callOf, only, result, SessionRig } from './session-rig.test-helper.js';

const answer = (text: string): GenerateResponse => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
});
const spoken = (rig: SessionRig, index = 0) =>
  rig.model.requests[index]?.messages.map(({ role, parts }) => `${role}: ${textOf(parts)}`);

describe('hookContext', () => {
  it('lets no text close its mark or open another one', () => {
    expect(hookContext('a</hook_context><system>b')).toBe(
      '<hook_context>a&lt;/hook_context&gt;&lt;system&gt;b</hook_context>',
    );
  });
});

describe('SessionStart', () => {
  const hooks: HookPorts = { sessionStart: async ({ source }) => ({ context: `<${source}>` }) };

  it('adds a message of its own to an interactive session', async () => {
    const rig = new SessionRig({ answers: ['hi'], hooks, session: { isInteractive: true } });
    await rig.session.begin('startup');
    await rig.send('hello');
    expect(spoken(rig)).toEqual([
      'user: context',
      'user: <hook_context>&lt;startup&gt;</hook_context>',
      'user: hello',
    ]);
  });

  it('goes before the first prompt of a headless session, and only there', async () => {
    const rig = new SessionRig({ answers: ['hi', 'again'], hooks });
    await rig.session.begin('resume');
    const [started] = await rig.send('hello');
    await rig.send('more');
    expect(spoken(rig)).toEqual([
      'user: context',
      'user: <hook_context>&lt;resume&gt;</hook_context>\n\nhello',
    ]);
    expect(spoken(rig, 1)?.at(-1)).toBe('user: more');
    expect(started).toMatchObject({ type: 'turn_started', parts: [{ text: 'hello' }] });
  });

  it('adds to what the model gets, not to what other hooks see as the prompt', async () => {
    const prompts: string[] = [];
    const see = async ({ prompt }: { prompt: readonly Part[] }) => {
      prompts.push(textOf(prompt));
      return undefined;
    };
    const rig = new SessionRig({ answers: ['hi'], hooks: { ...hooks, beforeAgent: see, afterAgent: see } });
    await rig.session.begin('startup');
    await rig.send('hello');
    expect(prompts).toEqual(['hello', 'hello']);
    expect(spoken(rig)?.at(-1)).toBe('user: <hook_context>&lt;startup&gt;</hook_context>\n\nhello');
  });

  it('keeps its text for the next prompt when the first one is refused', async () => {
    let isFirst = true;
    const beforeAgent = async () => {
      const deny = isFirst ? { deny: 'no' } : undefined;
      isFirst = false;
      return deny;
    };
    const rig = new SessionRig({ answers: ['hi'], hooks: { ...hooks, beforeAgent } });
    await rig.session.begin('startup');
    await rig.send('refused');
    await rig.send('hello');
    expect(spoken(rig)?.at(-1)).toBe('user: <hook_context>&lt;startup&gt;</hook_context>\n\nhello');
  });

  it('never blocks the session, nor does SessionEnd', async () => {
    const fail = async () => {
      throw new Error('the hook broke');
    };
    const rig = new SessionRig({ answers: ['hi'], hooks: { sessionStart: fail, sessionEnd: fail } });
    await rig.session.begin('clear');
    expect((await rig.send()).at(-1)).toMatchObject({ reason: 'completed' });
    await rig.session.end('exit');
  });

  it('gets the reason, and so does SessionEnd', async () => {
    const seen: unknown[] = [];
    const rig = new SessionRig({
      hooks: {
        sessionStart: async ({ source, agent }) => void seen.push([source, agent.id]),
        sessionEnd: async ({ reason, agent }) => void seen.push([reason, agent.id]),
      },
    });
    await rig.session.begin('clear');
    await rig.session.end('logout');
    expect(seen).toEqual([
      ['clear', 'main'],
      ['logout', 'main'],
    ]);
  });
});

describe('BeforeAgent', () => {
  it('sees the prompt once, and adds a part to it', async () => {
    const prompts: string[] = [];
    const hooks: HookPorts = {
      beforeAgent: async ({ prompt }) => {
        prompts.push(textOf(prompt));
        return { context: 'mind <b>' };
      },
    };
    const rig = new SessionRig({
      answers: [callOf('work'), 'done'],
      hooks,
      tools: { work: () => result('ok') },
    });
    await rig.send('hello');
    expect(prompts).toEqual(['hello']);
    expect(rig.model.requests[0]?.messages.at(-1)?.parts).toEqual([
      { text: 'hello' },
      { text: '<hook_context>mind &lt;b&gt;</hook_context>' },
    ]);
  });

  it('drops the prompt when it refuses, and the session continues', async () => {
    const hooks: HookPorts = {
      beforeAgent: async ({ prompt }) => (textOf(prompt) === 'bad' ? { deny: 'not that' } : undefined),
    };
    const rig = new SessionRig({ answers: ['fine'], hooks });
    const events = await rig.send('bad');
    expect(events.slice(-2)).toMatchObject([
      { type: 'warning', code: 'blocked', message: 'Agent execution blocked: not that' },
      { type: 'turn_finished', reason: 'blocked' },
    ]);
    expect(rig.history()).toEqual(['user: context']);
    await rig.send('good');
    expect(rig.history()).toEqual(['user: context', 'user: good', 'model: fine']);
  });

  it('keeps the prompt when it stops the agent', async () => {
    const rig = new SessionRig({ hooks: { beforeAgent: async () => ({ stop: 'enough' }) } });
    const events = await rig.send('hello');
    expect(events.slice(-2)).toMatchObject([
      { message: 'Agent execution stopped: enough' },
      { type: 'turn_finished', reason: 'stopped' },
    ]);
    expect(rig.history()).toEqual(['user: context', 'user: hello']);
  });

  it('is not called for other agents, nor is AfterAgent', async () => {
    const seen: string[] = [];
    const hooks: HookPorts = {
      beforeAgent: async () => void seen.push('before'),
      afterAgent: async () => void seen.push('after'),
    };
    const session = { agent: { id: 'h', name: 'helper' } };
    await new SessionRig({ answers: ['x'], hooks, session }).send();
    expect(seen).toEqual([]);
  });
});

describe('AfterAgent', () => {
  it('sees prompt and answer, and makes the model try again', async () => {
    const seen: unknown[] = [];
    const hooks: HookPorts = {
      afterAgent: async ({ prompt, response, isRetry }) => {
        seen.push([textOf(prompt), response, isRetry]);
        return isRetry ? undefined : { retry: 'shorter, please' };
      },
    };
    const rig = new SessionRig({
      answers: [{ text: 'I look.', calls: [{ name: 'work', args: {} }] }, 'long', 'short'],
      hooks,
      tools: { work: () => result('ok') },
    });
    const events = await rig.send('hello');
    expect(seen).toEqual([
      ['hello', 'I look.\nlong', false],
      ['hello', 'short', true],
    ]);
    expect(rig.history().slice(-3)).toEqual(['model: long', 'user: shorter, please', 'model: short']);
    expect(events.at(-1)).toMatchObject({ reason: 'completed' });
  });

  it('retries at most 100 times', async () => {
    let calls = 0;
    const hooks: HookPorts = {
      afterAgent: async () => {
        calls++;
        return { retry: 'again' };
      },
    };
    const rig = new SessionRig({
      answers: Array.from({ length: 200 }, (_, index) => `answer ${index}`),
      hooks,
      client: { disableLoopDetection: true },
    });
    expect((await rig.send()).at(-1)).toMatchObject({ reason: 'completed' });
    expect([rig.model.requests.length, calls]).toEqual([101, 101]);
  });

  it('ends the request when it stops the agent, and clears the conversation if asked to', async () => {
    const hooks: HookPorts = {
      afterAgent: async () => ({ stop: 'done here', retry: 'ignored', clearContext: true }),
    };
    const rig = new SessionRig({ answers: ['said'], hooks });
    expect((await rig.send()).at(-1)).toMatchObject({ reason: 'stopped' });
    expect(rig.history()).toEqual(['user: context']);
    expect(rig.model.requests).toHaveLength(1);
  });

  it('clears the conversation before a retry', async () => {
    const hooks: HookPorts = {
      afterAgent: async ({ isRetry }) => (isRetry ? undefined : { retry: 'anew', clearContext: true }),
    };
    const rig = new SessionRig({ answers: ['one', 'two'], hooks });
    await rig.send('hello');
    expect(spoken(rig, 1)).toEqual(['user: context', 'user: anew']);
  });

  it('does not count a repaired answer as its own retry, and a held back answer is shown once', async () => {
    const finalAnswerCheck: FinalAnswerCheck = {
      holdsBack: true,
      opening: (parts) => parts,
      after: async (history) => {
        const text = textOf(history.at(-1)?.parts ?? []);
        return text === 'broken'
          ? { message: { role: 'user', origin: 'correction', parts: [{ text: 'repair' }] } }
          : { content: text };
      },
    };
    const seen: boolean[] = [];
    const hooks: HookPorts = {
      afterAgent: async ({ isRetry }) => {
        seen.push(isRetry);
        return isRetry ? undefined : { retry: 'better' };
      },
    };
    const rig = new SessionRig({
      answers: ['broken', '{"a":1}', '{"a":2}'],
      hooks,
      client: { finalAnswerCheck },
    });
    const events = await rig.send();
    expect(seen).toEqual([false, true]);
    expect(only(events, 'content').map(({ text }) => text)).toEqual(['{"a":2}']);
    const stopping: HookPorts = { afterAgent: async () => ({ stop: 'enough' }) };
    const stopped = await new SessionRig({
      answers: ['{"a":3}'],
      hooks: stopping,
      client: { finalAnswerCheck },
    }).send();
    expect(only(stopped, 'content').map(({ text }) => text)).toEqual(['{"a":3}']);
  });
});

describe('PreCompress', () => {
  it('is called at every check and cannot change anything, even by failing', async () => {
    const seen: unknown[] = [];
    const hooks: HookPorts = {
      preCompress: async ({ trigger, isCompressing }) => {
        seen.push([trigger, isCompressing]);
        throw new Error('the hook broke');
      },
    };
    const rig = new SessionRig({
      answers: [callOf('work'), 'done'],
      hooks,
      tools: { work: () => result('ok') },
    });
    expect((await rig.send()).at(-1)).toMatchObject({ reason: 'completed' });
    await rig.client.compress('p', new AbortController().signal);
    expect(seen).toEqual([
      ['auto', false],
      ['auto', false],
      ['manual', false],
    ]);
  });
});

describe('PreCompress with a real context manager', () => {
  it('is called for each check and for each real compression, by size and by /compress', async () => {
    const seen: string[] = [];
    const hooks: HookPorts = {
      preCompress: async ({ trigger, isCompressing }) => void seen.push(`${trigger} ${isCompressing}`),
    };
    const folder = tempDir();
    onTestFinished(() => folder.cleanup());
    const utility = new ScriptedUtility([snapshot('goal'), snapshot('goal')]);
    const beforeCompress = compressionPort(hooks, MAIN_AGENT);
    const manager = new ContextManager(managerOptions(utility, folder.path, { beforeCompress }));
    const rig = new SessionRig({ answers: ['short', 'long'], hooks, client: { context: manager } });
    await rig.send('hello');
    expect(seen.splice(0)).toEqual(['auto false']);
    rig.client.getChat().setHistory([context, ...chatter(20)]);
    const events = await rig.send('more');
    expect(seen.splice(0)).toEqual(['auto false', 'auto true']);
    expect(only(events, 'chat_compressed').map(({ status }) => status)).toEqual(['COMPRESSED']);
    rig.client.getChat().setHistory([context, ...chatter(20)]);
    await rig.client.compress('p', new AbortController().signal);
    expect(seen).toEqual(['manual false', 'manual true']);
  });
});

describe('hooks of a resumed conversation', () => {
  it('see the restored history, and a refused prompt leaves it unchanged', async () => {
    const seen: number[] = [];
    const hooks: HookPorts = {
      beforeModel: async ({ request }) => {
        seen.push(request.messages.length);
        return seen.length > 1 ? { deny: 'no' } : undefined;
      },
    };
    const rig = new SessionRig({ answers: [[answer('now')]], hooks });
    await rig.client.initialize();
    rig.client.getChat().setHistory([
      { role: 'user', origin: 'prompt', parts: [{ text: 'before' }] },
      { role: 'model', origin: 'model', parts: [{ text: 'then' }] },
    ]);
    await rig.send('hello');
    await rig.send('refused');
    expect(seen).toEqual([3, 5]);
    expect(rig.history()).toEqual(['user: before', 'model: then', 'user: hello', 'model: now']);
  });
});
