/** Which events the reader of a prompt and the subscribers get. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ContentGenerator, GenerateResponse } from '../model/content-generator.js';
import { ApiError } from '../model/errors/api-error.js';
import type { AgentEvent } from '../protocol/agent-events.js';
import {
  type DiffUpdateResult,
  PolicyDecision,
  type ToolCallConfirmationDetails,
  ToolConfirmationOutcome,
} from '../protocol/confirmation.js';
import { DeclarativeTool, Kind, type ToolInvocation, type ToolResult } from '../tools/tools.js';
import { callOf, only, result, SessionRig } from './session-rig.test-helper.js';

const { ProceedOnce, ProceedAlways } = ToolConfirmationOutcome;
const ask = async () => ({ decision: PolicyDecision.ASK_USER });
const HELPER = { id: 'helper-1', name: 'helper', parentId: 'main' };

function expectPlain(events: readonly AgentEvent[]): void {
  expect(structuredClone(events)).toEqual(events);
  expect(JSON.parse(JSON.stringify(events))).toEqual(events);
  for (const { agent } of events) expect([typeof agent.id, typeof agent.name]).toEqual(['string', 'string']);
}

/** A model that waits until the test releases it. */
function waitingModel() {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = () => {};
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const generator = {
    async *generateContentStream(_request: unknown, signal: AbortSignal): AsyncGenerator<GenerateResponse> {
      begun();
      const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      await Promise.race([gate, aborted]);
      signal.throwIfAborted();
      yield { candidates: [{ content: { role: 'model', parts: [{ text: 'late' }] }, finishReason: 'STOP' }] };
    },
  } as Partial<ContentGenerator> as ContentGenerator;
  return { generator, release: () => release(), started };
}

describe('the events of a prompt', () => {
  it('are plain data with an agent, with calls, questions, failures, retries, compression and other agents', async () => {
    const rig: SessionRig = new SessionRig({
      answers: [
        new ApiError(503, 'busy'),
        {
          calls: [
            { name: 'work', args: { n: 1 } },
            { name: 'fail', args: {} },
            { name: 'absent', args: {} },
          ],
        },
        callOf('foreign'),
        callOf('work', { n: 'no number' }),
        'done',
      ],
      check: ask,
      tools: {
        work: async (_params, { updateOutput }) => {
          updateOutput?.('half');
          rig.events.emit({ type: 'content', text: 'from below' }, HELPER);
          return result('ok');
        },
        fail: async () => {
          throw new Error('broken');
        },
        foreign: () => ({
          llmContent: [{ text: 'x' }],
          returnDisplay: 'x',
          data: {
            when: new Date(0),
            run: () => 1,
            big: 1n,
            none: undefined,
            nan: Number.NaN,
            map: new Map(),
          },
        }),
      },
      client: {
        context: {
          prepare: async ({ history }) => ({
            history,
            events: [{ type: 'chat_compressed', status: 'COMPRESSED', originalTokens: 9, newTokens: 1 }],
          }),
          compress: async () => {
            throw new Error('not asked for');
          },
          uncompress: () => undefined,
          uncompressTo: (recorded) => recorded,
          learn: () => undefined,
          reset: () => undefined,
        },
      },
    });
    rig.events.subscribe(
      (event) => {
        if (event.type === 'question') rig.events.answer(event.id, { outcome: ProceedOnce });
      },
      { answers: true },
    );
    const events = await rig.send();
    expectPlain(events);
    const types = new Set(events.map(({ type }) => type));
    for (const type of [
      'retry',
      'api_failure',
      'chat_compressed',
      'question',
      'question_settled',
      'tool_output',
      'tool_finished',
      'usage',
      'turn_finished',
    ]) {
      expect(types).toContain(type);
    }
    expect(only(events, 'content').map(({ agent, text }) => `${agent.name}: ${text}`)).toEqual([
      'helper: from below',
      'main: done',
    ]);
    expect(only(events, 'tool_finished').map(({ call }) => call.status)).toEqual([
      'error',
      'success',
      'error',
      'success',
      'error',
    ]);
  });

  it('end with the failure of a request as data', async () => {
    const rig = new SessionRig({ answers: [new ApiError(400, 'bad')] });
    const events = await rig.send();
    expectPlain(events);
    expect(events.at(-1)).toMatchObject({
      type: 'turn_finished',
      reason: 'error',
      error: { type: 'ApiError' },
    });
  });

  it('exclude events of other agents when another agent than the main one is read', async () => {
    const rig: SessionRig = new SessionRig({
      answers: [callOf('work'), 'done'],
      session: { agent: HELPER },
      tools: {
        work: () => {
          rig.events.notice('of the main agent');
          return result('ok');
        },
      },
    });
    const events = await rig.send();
    expect(new Set(events.map(({ agent }) => agent.id))).toEqual(new Set(['helper-1']));
  });

  it('reach subscribers once each, in the order in which the reader gets them', async () => {
    const rig: SessionRig = new SessionRig({ answers: ['one'] });
    const watching: AgentEvent[] = [];
    rig.session.subscribe((event) => {
      watching.push(event);
      // A listener that emits during an event: the reader must not lose it.
      if (event.type === 'content') rig.events.notice('heard');
    });
    const events = await rig.send();
    expect(events.map(({ type }) => type).filter((type) => type === 'notice')).toHaveLength(1);
    expect(new Set(watching)).toEqual(new Set(events));
  });
});

describe('a notice', () => {
  it('reaches the reader while the model still thinks', async () => {
    const { generator, release, started } = waitingModel();
    const rig = new SessionRig({ generator });
    const order: string[] = [];
    const reading = (async () => {
      for await (const event of rig.session.send('go')) {
        if (event.type === 'notice') {
          order.push(event.message);
          if (event.message === 'second') release();
        }
        if (event.type === 'content') order.push(event.text);
      }
    })();
    await started;
    rig.events.notice('first');
    rig.events.notice('second');
    await reading;
    expect(order).toEqual(['first', 'second', 'late']);
  });

  it('between two requests goes to subscribers, not into the next request', async () => {
    const rig = new SessionRig({ answers: ['one'] });
    const seen: string[] = [];
    rig.events.subscribe(({ type }) => seen.push(type));
    rig.events.notice('between');
    expect(seen).toEqual(['notice']);
    expect(only(await rig.send(), 'notice')).toEqual([]);
  });
});

describe('a reader that leaves early', () => {
  const rejections: unknown[] = [];
  const note = (error: unknown) => rejections.push(error);
  const guard = () => {
    rejections.length = 0;
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it.each(['turn_started', 'model_turn_started', 'content', 'tool_requested', 'tool_status'])(
    'ends the request at %s, and the next one works',
    async (type) => {
      guard();
      const rig = new SessionRig({
        answers: [{ text: 'I call.', calls: [{ name: 'work', args: {} }] }, 'after', 'again'],
        tools: { work: () => result('ok') },
      });
      const watching: AgentEvent[] = [];
      rig.events.subscribe((event) => watching.push(event));
      for await (const event of rig.session.send('go')) if (event.type === type) break;
      expect(rig.session.isBusy).toBe(false);
      expect(watching.at(-1)).toMatchObject({ type: 'turn_finished', reason: 'cancelled' });
      expect(watching.filter(({ type }) => type === 'turn_finished')).toHaveLength(1);
      expect((await rig.send('next')).at(-1)).toMatchObject({ reason: 'completed' });
      // Every call of the conversation has its answer, and nothing was added later.
      const said = rig.history();
      expect(said.filter((line) => line.includes('call work'))).toHaveLength(
        said.filter((line) => line.includes('result work')).length,
      );
      await settle();
      expect(rejections).toEqual([]);
    },
  );

  it('cancels a running model call when it leaves at a notice', async () => {
    guard();
    const { generator, started } = waitingModel();
    const rig = new SessionRig({ generator });
    void started.then(() => rig.events.notice('news'));
    for await (const event of rig.session.send('go')) if (event.type === 'notice') break;
    expect(rig.session.isBusy).toBe(false);
    await settle();
    expect(rejections).toEqual([]);
  });

  it('leaves no listener behind', async () => {
    const rig = new SessionRig({ answers: ['a', 'b'] });
    const signals = new AbortController();
    const added: string[] = [];
    const removed: string[] = [];
    const { signal } = signals;
    signal.addEventListener = (type: string) => void added.push(type);
    signal.removeEventListener = (type: string) => void removed.push(type);
    const subscribe = rig.events.subscribe.bind(rig.events);
    let open = 0;
    rig.events.subscribe = (...args) => {
      const stop = subscribe(...args);
      open++;
      return () => {
        open--;
        stop();
      };
    };
    for await (const _ of rig.session.send('go', { signal })) break;
    for await (const _ of rig.session.send('go', { signal }));
    expect([open, added, removed]).toEqual([0, ['abort', 'abort'], ['abort', 'abort']]);
  });
});

describe('the functions of confirmation details', () => {
  class EditTool extends DeclarativeTool<object, ToolResult> {
    readonly confirmed: unknown[] = [];
    constructor(
      rig: SessionRig,
      private readonly ideConfirmation?: Promise<DiffUpdateResult>,
    ) {
      super('edit', 'Edit', 'test', Kind.Edit, { type: 'object' }, rig.bus);
    }
    build(params: object): ToolInvocation<object, ToolResult> {
      const details: ToolCallConfirmationDetails & { more: () => void } = {
        type: 'edit',
        title: 'Edit a.txt',
        fileName: 'a.txt',
        filePath: '/a.txt',
        fileDiff: '+x',
        originalContent: null,
        newContent: 'x',
        more: () => undefined,
        ...(this.ideConfirmation && { ideConfirmation: this.ideConfirmation }),
        onConfirm: async (...answer) => void this.confirmed.push(answer),
      };
      return {
        params,
        getDescription: () => 'edit',
        toolLocations: () => [],
        shouldConfirmExecute: async () => details,
        execute: async () => result('edited'),
      };
    }
  }

  it('stay with the engine: an answer by id calls them', async () => {
    const rig = new SessionRig({ answers: [callOf('edit'), 'done'] });
    const tool = new EditTool(rig);
    rig.registry.registerTool(tool);
    const payload = { feedback: 'good' };
    rig.events.subscribe(
      (event) => {
        if (event.type === 'question') rig.session.answer(event.id, { outcome: ProceedAlways, payload });
      },
      { answers: true },
    );
    const events = await rig.send();
    expectPlain(events);
    const [question] = only(events, 'question');
    expect(question?.question).toMatchObject({
      kind: 'tool_confirmation',
      toolName: 'edit',
      callId: expect.any(String),
    });
    expect(JSON.stringify(question)).not.toMatch(/onConfirm|ideConfirmation|"more"/);
    expect(tool.confirmed).toEqual([[ProceedAlways, payload]]);
  });

  it('are called after a refusal, too', async () => {
    const rig = new SessionRig({ answers: [callOf('edit'), 'done'] });
    const tool = new EditTool(rig);
    rig.registry.registerTool(tool);
    rig.events.subscribe(
      (event) => {
        if (event.type === 'question')
          rig.session.answer(event.id, { outcome: ToolConfirmationOutcome.Cancel });
      },
      { answers: true },
    );
    const events = await rig.send();
    expect(tool.confirmed).toEqual([[ToolConfirmationOutcome.Cancel, undefined]]);
    expect(only(events, 'tool_finished')[0]?.call.status).toBe('cancelled');
  });

  it('let an editor answer instead of the front end', async () => {
    const rig = new SessionRig({ answers: [callOf('edit'), 'done'] });
    rig.registry.registerTool(new EditTool(rig, Promise.resolve({ status: 'accepted' })));
    rig.events.subscribe(() => undefined, { answers: true });
    const events = await rig.send();
    expectPlain(events);
    expect(only(events, 'question_settled').map(({ status }) => status)).toEqual(['answered']);
    expect(only(events, 'tool_finished')[0]?.call.status).toBe('success');
  });
});

describe('abort()', () => {
  it('withdraws the open question and ends the request as cancelled', async () => {
    const rig = new SessionRig({
      answers: [callOf('work')],
      check: ask,
      tools: { work: () => result('ok') },
    });
    rig.events.subscribe(
      (event) => {
        if (event.type === 'question') rig.session.abort();
      },
      { answers: true },
    );
    const events = await rig.send();
    expect(only(events, 'question_settled').map(({ status }) => status)).toEqual(['withdrawn']);
    expect(events.at(-1)).toMatchObject({ type: 'turn_finished', reason: 'cancelled' });
    expect(rig.history().at(-1)).toBe('user: result work');
  });
});
