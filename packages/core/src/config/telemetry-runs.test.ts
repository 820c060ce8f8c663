/** Every event, metric and span is recorded by a run of the engine, or of the program (`integration-tests`). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventsNamed, sendPrompt, startCompanion, startOAuthServer } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FixedModel } from '../agent/fixed-model.js';
import { composeAgent } from '../engine/compose-agent.js';
import { ApiError } from '../model/errors/api-error.js';
import type { FakeAnswer } from '../model/wrappers/fake.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import { EVENTS, type EventAttributes, type EventName } from '../telemetry/catalog/events.js';
import { METRICS } from '../telemetry/catalog/metrics.js';
import {
  ACCOUNT_DIALOGS,
  BROWSER_TASKS,
  ENGINE_RUNS,
  missingFrom,
  PROGRAM_RUNS,
  type Produced,
} from '../telemetry/catalog/produced-by.test-helper.js';
import { SPAN_NAMES } from '../telemetry/catalog/spans.js';
import { WebFetchTool } from '../tools/web-fetch/web-fetch.js';
import { loopbackHttp } from '../tools/web-fixture.test-helper.js';
import { agentOf } from './agents.test-helper.js';
import { call, recordedRun, type TelemetryRun } from './telemetry-run.test-helper.js';

const LONG = 'a rather long answer that is worth summing up '.repeat(60);
const signal = new AbortController().signal;

/** Waits of the engine pass at once. */
async function withoutWaiting<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const done = work();
    let isDone = false;
    const settle = () => {
      isDone = true;
    };
    done.then(settle, settle);
    while (!isDone) await vi.advanceTimersByTimeAsync(1_000);
    return await done;
  } finally {
    vi.useRealTimers();
  }
}

const RUNS: Record<keyof typeof ENGINE_RUNS, () => Promise<TelemetryRun>> = {
  async conversation() {
    const run = await recordedRun({
      truncateToolOutputThreshold: 100,
      hooks: { beforeAgent: async () => ({ context: 'be brief' }) },
      answers: {
        main: [
          call('write_file', { file_path: 'a.ts', content: 'const a = 1;\n' }),
          call('replace', { file_path: 'a.ts', old_string: 'a = 1', new_string: 'a = 2', instruction: 'x' }),
          call('read_file', { file_path: 'long.txt' }),
          'done',
        ],
      },
    });
    run.write('long.txt', LONG);
    await sendPrompt(run.config, 'go');
    return run;
  },
  async 'failing requests'() {
    const empty: FakeAnswer = [{ candidates: [{ finishReason: 'STOP' }] }];
    const run = await recordedRun({
      model: 'gemini-2.5-pro',
      models: { fallbacks: [{ model: 'gemini-2.5-flash', on: ['quota'] }] },
      answers: {
        main: [
          new ApiError(503, 'overloaded'),
          empty,
          'at last',
          ...[empty, empty, empty, empty],
          new ApiError(429, 'used up', [], undefined, true),
          'from another model',
          new ApiError(400, 'bad'),
        ],
      },
    });
    for (const prompt of ['retries', 'gives up', 'switches', 'fails'])
      await withoutWaiting(() => sendPrompt(run.config, prompt));
    return run;
  },
  async 'a model that asks other models'() {
    const run = await recordedRun({
      model: 'auto',
      enableConseca: true,
      disableLLMCorrection: false,
      models: { classifier: true, skipNextSpeakerCheck: false },
      answers: {
        main: [
          call('replace', { file_path: 'a.txt', old_string: 'tow', new_string: '2', instruction: 'x' }),
          call('web_fetch', { prompt: 'read http://127.0.0.1:9/' }),
          'done',
        ],
        utility_router: Array.from({ length: 9 }, () => 'not JSON'),
        utility_conseca: (request) =>
          JSON.stringify(request).includes('you write down what it needs')
            ? '{"tools":[]}'
            : '{"decision":"allow","reason":"fits"}',
        utility_edit_corrector:
          '{"search":"two","replace":"2","noChangesRequired":false,"explanation":"typing mistake"}',
        utility_tool: [new ApiError(400, 'cannot read it'), 'the page is empty'],
        utility_next_speaker: '{"reasoning":"finished","next_speaker":"user"}',
      },
    });
    run.write('a.txt', 'one\ntwo\n');
    const { config } = run;
    const ports = { http: loopbackHttp(), clock: { now: Date.now, sleep: async () => undefined } };
    config.getToolRegistry().registerTool(new WebFetchTool(config, config.getMessageBus(), ports));
    await sendPrompt(config, 'go');
    return run;
  },
  async 'an editor'() {
    const folder = mkdtempSync(join(tmpdir(), 'gemini-ide-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { env } = await startCompanion({ tmpdir: folder, roots: ['/'] });
    const run = await recordedRun({ ide: { enabled: true }, variables: env, answers: { main: 'done' } });
    await run.config.getIde().connect();
    return run;
  },
  async 'a loop'() {
    const same = call('glob', { pattern: 'same' });
    const run = await recordedRun({
      answers: {
        main: [
          ...Array.from({ length: 31 }, (_, index) => call('glob', { pattern: `${index}.txt` })),
          ...Array.from({ length: 10 }, () => same),
        ],
        utility_loop_detector: () =>
          '{"unproductive_state_analysis":"moves on","unproductive_state_confidence":0.1}',
      },
    });
    await sendPrompt(run.config, 'go');
    run.config.getGeminiClient().disableLoopDetection();
    return run;
  },
  async 'a long conversation'() {
    const masking = { protectionThresholdTokens: 100, minPrunableThresholdTokens: 100 };
    const summary = '<state_snapshot>\n<overall_goal>to talk</overall_goal>\n</state_snapshot>';
    const run = await recordedRun({
      sessions: {},
      context: { limits: { tools: { outputMasking: masking } } },
      answers: {
        main: [
          ...Array.from({ length: 2 }, () => call('read_file', { file_path: 'long.txt' })),
          ...[LONG, LONG, LONG, 'again'],
        ],
        utility_compressor: () => summary,
      },
    });
    run.write('long.txt', LONG);
    const { config } = run;
    for (const prompt of ['read', 'one', 'two']) await sendPrompt(config, prompt);
    await config.getGeminiClient().compress('p', signal);
    await sendPrompt(config, 'three');
    const { rewind } = await config.getCheckpoints();
    await rewind.rewindTo((await rewind.turns()).at(-1)?.messageId ?? '', 'conversation');
    await config.setModel('gemini-2.5-pro');
    return run;
  },
  async 'a plan'() {
    const run = await recordedRun({
      approvalMode: ApprovalMode.PLAN,
      answers: { main: [call('exit_plan_mode', { plan_filename: 'plan.md' }), 'carried out'] },
    });
    const plan = join(run.config.getPlansDirectory() ?? '', 'plan.md');
    mkdirSync(dirname(plan), { recursive: true });
    writeFileSync(plan, '# Plan\n\n1. Write it.\n');
    await sendPrompt(run.config, 'go');
    return run;
  },
  async 'another agent'() {
    const run = await recordedRun({ answers: { subagent: ['looked at it'] } });
    const agent = await composeAgent(run.config.getEngine(), {
      name: 'helper',
      model: new FixedModel('gemini-2.5-flash'),
      settings: () => ({}),
      systemInstruction: () => 'Help.',
      registerTools: () => undefined,
    });
    for await (const _ of agent.session.send('look')) void _;
    agent.close();
    return run;
  },
  async 'a sub-agent at its limit'() {
    const run = await recordedRun({
      answers: {
        main: [call('invoke_agent', { agent_name: 'helper', prompt: 'look' }), 'done'],
        subagent: ['looked at it', call('complete_task', { result: 'seen' })],
      },
    });
    run.config.getAgentRegistry().registerAgent(agentOf('helper'));
    await sendPrompt(run.config, 'go');
    return run;
  },
  async 'a new Google account'() {
    const server = await startOAuthServer();
    onTestFinished(() => server.close());
    const answer = (body: object) => [{ status: 200, body }];
    const tier = { id: 'standard-tier', isDefault: true };
    server.codeAssist.set('loadCodeAssist', answer({ allowedTiers: [tier] }));
    server.codeAssist.set(
      'onboardUser',
      answer({ done: true, response: { cloudaicompanionProject: { id: 'p' } } }),
    );
    return recordedRun({
      model: 'gemini-2.5-flash',
      auth: { selectedType: 'oauth-personal' },
      variables: {
        GOOGLE_GENAI_USE_GCA: 'true',
        GOOGLE_CLOUD_ACCESS_TOKEN: server.issue().access_token,
        GOOGLE_CLOUD_PROJECT: 'my-project',
        CODE_ASSIST_ENDPOINT: server.url,
      },
    });
  },
};

/** Of some records: what the run makes of them. */
const VALUES: { readonly [N in EventName]?: EventAttributes<N> } = {
  'gemini_cli.config': { file_filtering_respect_git_ignore: true, sandbox_enabled: false },
  'gemini_cli.edit_strategy': { strategy: 'exact' },
  'gemini_cli.hook_call': { hook_event_name: 'BeforeAgent', success: true, stdout: '' },
  'gemini_cli.edit_correction': { correction: 'success' },
  'gemini_cli.next_speaker_check': { finish_reason: 'STOP', result: 'user' },
  'gemini_cli.web_fetch_fallback_attempt': { reason: 'primary_failed' },
  'gemini_cli.llm_loop_check': { flash_confidence: 0.1, main_model: 'gemini-2.5-flash' },
  'gemini_cli.rewind': { outcome: 'conversation' },
  'gemini_cli.slash_command.model': { model_name: 'gemini-2.5-pro' },
  'gemini_cli.tool_output_masking': { masked_count: 1 },
  'gemini_cli.plan.approval_mode_switch': { from_mode: 'plan', to_mode: 'default' },
  'gemini_cli.plan.execution': { approval_mode: 'default' },
  'gemini_cli.agent.start': { agent_id: 'helper-1', agent_name: 'helper' },
  'gemini_cli.agent.finish': { agent_name: 'helper', turn_count: 1, terminate_reason: 'completed' },
  'gemini_cli.onboarding.success': { user_tier: 'standard-tier' },
};

describe('a run of the engine', () => {
  it.each(Object.entries(ENGINE_RUNS))('records what belongs to it: %s', async (name, produced: Produced) => {
    const run = await RUNS[name as keyof typeof ENGINE_RUNS]();
    const records = await run.records();
    expect(missingFrom(records, produced)).toEqual([]);
    for (const event of produced.events)
      expect(eventsNamed(records, event)).toContainEqual(expect.objectContaining(VALUES[event] ?? {}));
  });
});

it('names a run for every event, metric and span', () => {
  const all: Produced[] = [
    ...Object.values(ENGINE_RUNS),
    ...Object.values(PROGRAM_RUNS),
    ACCOUNT_DIALOGS,
    BROWSER_TASKS,
  ];
  const from = (kind: keyof Produced) => all.flatMap((produced) => produced[kind] ?? []).sort();
  expect(from('events')).toEqual(Object.keys(EVENTS).sort());
  expect(from('metrics')).toEqual(Object.keys(METRICS).sort());
  expect(from('spans')).toEqual([...SPAN_NAMES].sort());
});
