/** Firing events: what front ends and telemetry get, and when hooks do not run. */
import { tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentEventBody } from '../protocol/agent-events.js';
import { noTelemetry } from '../telemetry/record.js';
import { createHookSystem } from './create.js';
import { HookEventName, type HookOutput, type RuntimeHook } from './types.js';

const { BeforeTool, AfterModel, SessionStart, BeforeAgent } = HookEventName;

function hook(
  event: HookEventName,
  name: string,
  output?: HookOutput | Error,
  more: Partial<RuntimeHook> = {},
): RuntimeHook {
  const action = () => {
    if (output instanceof Error) throw output;
    return output;
  };
  return { event, ...more, hook: { type: 'runtime', name, action } };
}

async function system(runtimeHooks: RuntimeHook[], canAsk = false) {
  const { path, cleanup } = tempDir();
  onTestFinished(cleanup);
  const events: AgentEventBody[] = [];
  const recorded: Record<string, unknown>[] = [];
  const made = await createHookSystem({
    settings: undefined,
    runtimeHooks,
    extensions: [],
    runner: {
      isTrusted: () => true,
      variables: {},
      settings: { environmentRedaction: { enabled: false, allowed: [], blocked: [] } },
      places: () => ({ projectDir: path, cwd: path, plansDir: undefined, sessionId: 's' }),
    },
    variables: {},
    session: () => ({ sessionId: 's', transcriptPath: '/t', cwd: path }),
    globalDir: path,
    projectRoot: path,
    resolveModel: (name) => name,
    emit: (body) => events.push(body),
    notice: () => undefined,
    canAsk: () => canAsk,
    showsRunning: () => true,
    redact: (text) => text.replaceAll('secret', '***'),
    recorder: { ...noTelemetry, event: (name, attributes) => void recorded.push({ name, ...attributes }) },
    now: () => 0,
  });
  const messages = () =>
    events.flatMap((event) =>
      event.type === 'hook_message' ? [`${event.level} ${event.name}: ${event.message}`] : [],
    );
  return { ...made, events, recorded, messages };
}

describe('An event', () => {
  it('tells front ends which hook runs and how it ended', async () => {
    const {
      system: hooks,
      events,
      recorded,
    } = await system([
      hook(BeforeAgent, 'one', { decision: 'allow' }),
      hook(BeforeAgent, 'two', new Error('bad')),
    ]);
    await hooks.fireBeforeAgentEvent('hi');
    expect(events.filter(({ type }) => type !== 'hook_message')).toMatchObject([
      { type: 'hook_started', name: 'one', event: 'BeforeAgent', index: 1, total: 2, isShown: true },
      { type: 'hook_started', name: 'two', index: 2, total: 2 },
      { type: 'hook_finished', name: 'one', success: true },
      { type: 'hook_finished', name: 'two', success: false },
    ]);
    const ids = events.flatMap((event) => ('id' in event ? [event.id] : []));
    expect(new Set(ids).size).toBe(2);
    expect(recorded).toMatchObject([
      {
        name: 'gemini_cli.hook_call',
        hook_event_name: 'BeforeAgent',
        hook_name: 'one',
        hook_type: 'runtime',
        success: true,
      },
      { name: 'gemini_cli.hook_call', hook_name: 'two', success: false, stderr: 'bad' },
    ]);
  });

  it('without a matching hook does nothing', async () => {
    const { system: hooks, events } = await system([hook(BeforeTool, 'x', {}, { matcher: 'write_' })]);
    expect(await hooks.fireBeforeToolEvent({ name: 'read_file', args: {} })).toBeUndefined();
    expect(await hooks.fireSessionStartEvent('startup')).toBeUndefined();
    expect([events, hooks.has(BeforeTool), hooks.has(SessionStart)]).toEqual([[], true, false]);
  });

  it('names the hooks that refuse, without secrets', async () => {
    const { system: hooks } = await system([
      hook(BeforeTool, 'a', { decision: 'block' }),
      hook(BeforeTool, 'secret', { decision: 'deny' }),
      hook(BeforeTool, 'c', { decision: 'allow', ...Object({ refusedBy: 'x' }) }),
    ]);
    const output = await hooks.fireBeforeToolEvent({ name: 'x', args: {} });
    expect(output).toEqual({ decision: 'deny', refusedBy: 'a, ***' });
  });

  it('that was cancelled has no effect', async () => {
    const { system: hooks } = await system([hook(BeforeTool, 'x', { decision: 'deny' })]);
    const { signal } = new AbortController();
    const aborted = AbortSignal.abort();
    expect(await hooks.fireBeforeToolEvent({ name: 'a', args: {} }, { signal: aborted })).toBeUndefined();
    expect(await hooks.fireBeforeToolEvent({ name: 'a', args: {} }, { signal })).toMatchObject({
      decision: 'deny',
    });
  });
});

describe('Messages of hooks', () => {
  it('are told with the name, without secrets, unless the hook wants silence', async () => {
    const { system: hooks, messages } = await system([
      hook(BeforeAgent, 'a', { systemMessage: 'the secret' }),
      hook(BeforeAgent, 'b', { systemMessage: 'hidden', suppressOutput: true }),
      hook(BeforeAgent, 'c', { systemMessage: 'in the stop line', continue: false }),
    ]);
    await hooks.fireBeforeAgentEvent('hi');
    expect(messages()).toEqual(['info a: the ***']);
  });

  it('about failures are one per event', async () => {
    const { system: hooks, messages } = await system([
      hook(BeforeAgent, 'a', new Error('x')),
      hook(BeforeAgent, 'b', new Error('y')),
    ]);
    await hooks.fireBeforeAgentEvent('hi');
    await hooks.fireBeforeAgentEvent('hi');
    expect(messages()).toEqual(['warning a, b: a: x\nb: y', 'warning a, b: a: x\nb: y']);
  });

  it('of the chunks of one answer are told once', async () => {
    const { system: hooks, messages } = await system([
      hook(AfterModel, 'a', new Error('x')),
      hook(AfterModel, 'b', { systemMessage: 'm' }),
    ]);
    const request = { model: 'm', messages: [] };
    for (const once of [{}, {}]) {
      for (let chunk = 0; chunk < 3; chunk++)
        await hooks.fireAfterModelEvent(request, { candidates: [] }, { once });
    }
    expect(messages()).toEqual(['info b: m', 'warning a: x', 'info b: m', 'warning a: x']);
  });

  it('are left to the question that shows them', async () => {
    const ask = hook(BeforeTool, 'a', { decision: 'ask', systemMessage: 'sure?' });
    for (const canAsk of [true, false]) {
      const { system: hooks, messages } = await system([ask], canAsk);
      await hooks.fireBeforeToolEvent({ name: 'x', args: {} });
      expect(messages()).toEqual(canAsk ? [] : ['info a: sure?']);
    }
  });

  it('are left to the question in the spelling of Claude Code, too', async () => {
    const output = { systemMessage: 'sure?', hookSpecificOutput: { permissionDecision: 'ask' } };
    const { system: hooks, messages } = await system([hook(BeforeTool, 'a', output)], true);
    expect(await hooks.fireBeforeToolEvent({ name: 'x', args: {} })).toMatchObject({ decision: 'ask' });
    expect(messages()).toEqual([]);
  });

  it('show the reason where nothing can be refused', async () => {
    const { system: hooks, messages } = await system([
      hook(SessionStart, 'a', { decision: 'deny', reason: 'no' }),
    ]);
    expect(await hooks.fireSessionStartEvent('startup')).toBeDefined();
    expect(messages()).toEqual(['info a: no']);
  });
});
