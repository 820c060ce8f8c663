import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { MessageBus } from '../../bus/message-bus.js';
import type { AgentEventBody } from '../../protocol/agent-events.js';
import { MessageBusType, PolicyDecision, ToolConfirmationOutcome } from '../../protocol/confirmation.js';
import type { JsonSchema } from '../../protocol/tool-declaration.js';
import { ToolRegistry } from '../../tools/tool-registry.js';
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  type ExecuteOptions,
  Kind,
  type ToolInvocation,
  type ToolResult,
} from '../../tools/tools.js';
import { Scheduler } from './scheduler.js';

type Work = (params: Record<string, unknown>, options: ExecuteOptions) => Promise<ToolResult>;
const OPEN: JsonSchema = { type: 'object', properties: { n: { type: 'integer' } } };

class WorkInvocation extends BaseToolInvocation<Record<string, unknown>, ToolResult> {
  constructor(
    private readonly work: Work,
    ...rest: ConstructorParameters<typeof BaseToolInvocation<Record<string, unknown>, ToolResult>>
  ) {
    super(...rest);
  }
  getDescription(): string {
    return `work ${JSON.stringify(this.params)}`;
  }
  protected run(options: ExecuteOptions): Promise<ToolResult> {
    return this.work(this.params, options);
  }
}

class WorkTool extends BaseDeclarativeTool<Record<string, unknown>, ToolResult> {
  constructor(
    name: string,
    kind: Kind,
    private readonly work: Work,
    bus: MessageBus,
  ) {
    super(name, name, 'test', kind, OPEN, bus);
  }
  protected createInvocation(
    params: Record<string, unknown>,
    bus: MessageBus,
    name?: string,
    display?: string,
  ): ToolInvocation<Record<string, unknown>, ToolResult> {
    return new WorkInvocation(this.work, params, bus, name, display);
  }
}

const ok = (text: string): ToolResult => ({ llmContent: text, returnDisplay: text });
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

function setUp(decision: PolicyDecision = PolicyDecision.ALLOW, threshold = 0) {
  const directory = mkdtempSync(join(tmpdir(), 'scheduler-'));
  cleanups.push(() => rmSync(directory, { recursive: true }));
  const bus = new MessageBus({ check: async () => ({ decision, reason: 'because' }) });
  const registry = new ToolRegistry({ isAlwaysDenied: () => false });
  const log: string[] = [];
  /** Each call logs its start and end; the end waits for the next macrotask, so overlaps show. */
  const traced: Work = async (params) => {
    log.push(`+${params['n']}`);
    await new Promise((resolve) => setImmediate(resolve));
    log.push(`-${params['n']}`);
    return ok(`did ${params['n']}`);
  };
  registry.registerTool(new WorkTool('look', Kind.Read, traced, bus));
  registry.registerTool(new WorkTool('change', Kind.Edit, traced, bus));
  const scheduler = new Scheduler({
    registry,
    messageBus: bus,
    now: Date.now,
    outputLimits: () => ({
      threshold,
      directory,
      redact: (text: string) => text.replaceAll('hunter2', '[redacted]'),
      redactForDisk: (text: string) => text,
    }),
  });
  const events: AgentEventBody[] = [];
  const run = (calls: [string, Record<string, unknown>][], signal = new AbortController().signal) =>
    scheduler.schedule(
      calls.map(([name, args], index) => ({ callId: `c${index}`, name, args, promptId: 'p' })),
      signal,
      (event) => events.push(event),
    );
  return { scheduler, bus, registry, run, log, events, directory };
}

describe('Scheduler', () => {
  it('runs read-only neighbours in parallel and changes alone, in order', async () => {
    const { run, log } = setUp();
    await run([
      ['look', { n: 1 }],
      ['look', { n: 2 }],
      ['change', { n: 3 }],
      ['change', { n: 4 }],
      ['look', { n: 5 }],
    ]);
    expect(log).toEqual(['+1', '+2', '-1', '-2', '+3', '-3', '+4', '-4', '+5', '-5']);
  });

  it('runs update_topic alone before the other calls, and answers it in its place', async () => {
    const { run, log, registry, bus } = setUp();
    const told: Work = async () => {
      log.push('+topic');
      await new Promise((resolve) => setImmediate(resolve));
      log.push('-topic');
      return ok('told');
    };
    registry.registerTool(new WorkTool('update_topic', Kind.Think, told, bus));
    const done = await run([
      ['look', { n: 1 }],
      ['update_topic', {}],
      ['look', { n: 2 }],
    ]);
    expect(log).toEqual(['+topic', '-topic', '+1', '+2', '-1', '-2']);
    expect(done.map(({ request }) => request.name)).toEqual(['look', 'update_topic', 'look']);
  });

  it('obeys wait_for_previous and hides it from the tool', async () => {
    const { run, log } = setUp();
    const done = await run([
      ['look', { n: 1 }],
      ['look', { n: 2, wait_for_previous: true }],
    ]);
    expect(log).toEqual(['+1', '-1', '+2', '-2']);
    expect(done[1]?.request.args).toEqual({ n: 2 });
  });

  it('shortens the error of a tool like its output, and keeps the whole text in a file', async () => {
    const { run, registry, bus, directory } = setUp(PolicyDecision.ALLOW, 1_000);
    const long = 'x'.repeat(50_000);
    const fail: Work = async () => ({ llmContent: long, returnDisplay: 'failed', error: { message: long } });
    registry.registerTool(new WorkTool('fail', Kind.Edit, fail, bus));
    const [done] = await run([['fail', {}]]);
    const error = done?.response.responseParts[0]?.functionResponse?.response?.['error'];
    expect(String(error).length).toBeLessThan(2_000);
    expect(error).toContain('Output too large: 50000 characters');
    expect(readdirSync(directory)).toHaveLength(1);
  });

  it('answers in the order of the requests, whichever ends first', async () => {
    const { run, registry, bus } = setUp();
    const waits = new Map<number, () => void>();
    registry.registerTool(
      new WorkTool(
        'race',
        Kind.Read,
        async ({ n }) => {
          if (n === 1) await new Promise<void>((resolve) => waits.set(1, resolve));
          else waits.get(1)?.();
          return ok(`race ${n}`);
        },
        bus,
      ),
    );
    const done = await run([
      ['race', { n: 1 }],
      ['race', { n: 2 }],
    ]);
    expect(done.map((call) => call.response.responseParts[0]?.functionResponse)).toEqual([
      { id: 'c0', name: 'race', response: { output: 'race 1' } },
      { id: 'c1', name: 'race', response: { output: 'race 2' } },
    ]);
  });

  it('reports bad arguments, unknown names, denials and exceptions to the model', async () => {
    const { run, registry, bus } = setUp();
    registry.registerTool(
      new WorkTool('broken', Kind.Read, () => Promise.reject(new Error('it broke')), bus),
    );
    const done = await run([
      ['look', { n: 'one' }],
      ['lok', {}],
      ['broken', {}],
    ]);
    expect(done.map((call) => call.response.error)).toEqual([
      {
        type: 'invalid_tool_params',
        message: 'Invalid arguments for "look": params.n must be an integer, got string',
      },
      {
        type: 'tool_not_registered',
        message: 'Tool "lok" not found in registry. Did you mean "look"? Use one of the declared tools.',
      },
      { type: 'unhandled_exception', message: 'it broke' },
    ]);
    const denied = await setUp(PolicyDecision.DENY).run([['change', { n: 1 }]]);
    expect(denied[0]?.response.error).toEqual({
      type: 'policy_violation',
      message: 'Tool execution denied by policy. because',
    });
  });

  it('asks when policy says so, and a refusal cancels the rest of the batch', async () => {
    const { run, bus, log, events } = setUp(PolicyDecision.ASK_USER);
    bus.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, ({ correlationId, toolCall }) => {
      const refused = toolCall.args['n'] === 2;
      bus.publish({
        type: MessageBusType.TOOL_CONFIRMATION_RESPONSE,
        correlationId,
        confirmed: !refused,
        outcome: refused ? ToolConfirmationOutcome.Cancel : ToolConfirmationOutcome.ProceedOnce,
      });
    });
    const done = await run([
      ['change', { n: 1 }],
      ['change', { n: 2 }],
      ['change', { n: 3 }],
    ]);
    expect(log).toEqual(['+1', '-1']);
    expect(done.map((call) => [call.status, call.decision])).toEqual([
      ['success', 'accept'],
      ['cancelled', 'reject'],
      ['cancelled', 'auto_accept'],
    ]);
    const states = events.flatMap((event) =>
      event.type === 'tool_status' && event.callId === 'c0' ? [event.status] : [],
    );
    expect(states).toEqual(['validating', 'awaiting_approval', 'scheduled', 'executing']);
    // The names for users are known before anything is asked: a later call waits under its own name.
    expect(events.slice(0, 3)).toMatchObject(
      ['c0', 'c1', 'c2'].map((callId) => ({ type: 'tool_status', callId, displayName: expect.any(String) })),
    );
  });

  it('runs nothing without a clear approval', async () => {
    const answers = [
      { confirmed: true, outcome: ToolConfirmationOutcome.ModifyWithEditor },
      { confirmed: false, outcome: ToolConfirmationOutcome.ProceedOnce },
      { confirmed: false },
    ];
    for (const answer of answers) {
      const { run, bus, log } = setUp(PolicyDecision.ASK_USER);
      let asked = 0;
      bus.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, ({ correlationId }) => {
        asked++;
        bus.publish({ type: MessageBusType.TOOL_CONFIRMATION_RESPONSE, correlationId, ...answer });
      });
      const [call] = await run([['change', { n: 1 }]]);
      expect([log, call?.decision, call?.status === 'success']).toEqual([[], 'reject', false]);
      expect(asked).toBeLessThan(5);
    }
  });

  it('asks again after "modify" until there is an answer, and runs the approved call', async () => {
    const { run, bus, log } = setUp(PolicyDecision.ASK_USER);
    const outcomes = [ToolConfirmationOutcome.ModifyWithEditor, ToolConfirmationOutcome.ProceedOnce];
    bus.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, ({ correlationId }) => {
      const outcome = outcomes.shift();
      bus.publish({
        type: MessageBusType.TOOL_CONFIRMATION_RESPONSE,
        correlationId,
        confirmed: true,
        outcome,
      });
    });
    const [call] = await run([['change', { n: 1 }]]);
    expect([call?.status, log]).toEqual(['success', ['+1', '-1']]);
  });

  it("does not run a slash command's call that policy denies", async () => {
    const { scheduler, log } = setUp(PolicyDecision.DENY);
    const request = { callId: 'c', name: 'change', args: { n: 1 }, promptId: 'p', isClientInitiated: true };
    const [call] = await scheduler.schedule([request], new AbortController().signal, () => undefined);
    expect([call?.response.error?.type, log]).toEqual(['policy_violation', []]);
  });

  it('refuses instead of hanging when no front end can answer', async () => {
    const { run } = setUp(PolicyDecision.ASK_USER);
    const done = await run([['change', { n: 1 }]]);
    expect(done[0]?.response.error?.type).toBe('policy_violation');
  });

  it('answers every call after an abort and keeps partial output', async () => {
    const { run, registry, bus } = setUp();
    const controller = new AbortController();
    registry.registerTool(
      new WorkTool(
        'long',
        Kind.Execute,
        async (_params, { abortSignal }) => {
          controller.abort();
          return { ...ok(abortSignal.aborted ? 'so far' : 'not aborted'), returnDisplay: 'shown so far' };
        },
        bus,
      ),
    );
    const done = await run(
      [
        ['long', {}],
        ['change', { n: 2 }],
      ],
      controller.signal,
    );
    expect(done.map((call) => call.response.responseParts[0]?.functionResponse?.response)).toEqual([
      { error: '[Operation Cancelled] The user cancelled the request.', output: 'so far' },
      { error: '[Operation Cancelled] The user cancelled the request.' },
    ]);
    expect(done.map(({ response }) => response.resultDisplay)).toEqual([
      'shown so far',
      'The user cancelled the request.',
    ]);
  });

  it('limits long results and saves the whole text in a file', async () => {
    const { run, registry, bus, directory } = setUp(PolicyDecision.ALLOW, 1000);
    const long = 'x'.repeat(50_000);
    registry.registerTool(new WorkTool('wordy', Kind.Read, async () => ok(long), bus));
    const [call] = await run([['wordy', {}]]);
    const output = String(call?.response.responseParts[0]?.functionResponse?.response['output']);
    expect(output.length).toBeLessThan(2000);
    expect(readFileSync(join(directory, 'wordy_c0.txt'), 'utf8')).toBe(long);
    expect(output).toContain(join(directory, 'wordy_c0.txt'));
  });

  it('redacts secrets for the model', async () => {
    const { run, registry, bus } = setUp();
    registry.registerTool(new WorkTool('leaky', Kind.Read, async () => ok('key=hunter2'), bus));
    const [call] = await run([['leaky', {}]]);
    expect(call?.response.responseParts[0]?.functionResponse?.response).toEqual({ output: 'key=[redacted]' });
  });

  it('redacts secrets in failures, too', async () => {
    const { run, registry, bus } = setUp();
    const fail = () => Promise.reject(new Error('no access with hunter2'));
    registry.registerTool(new WorkTool('crashing', Kind.Read, fail, bus));
    const [call] = await run([['crashing', {}]]);
    expect(JSON.stringify(call)).not.toContain('hunter2');
  });

  it('runs a thousand calls of one turn', async () => {
    const { run } = setUp();
    const done = await run(Array.from({ length: 1000 }, (_, n) => ['look', { n }]));
    expect(done.map((call) => call.request.args['n'])).toEqual(Array.from({ length: 1000 }, (_, n) => n));
  });
});
