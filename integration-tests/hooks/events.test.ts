/** One headless run in which all eleven events fire: the input of each, and what its output does. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventsNamed, type RunResult, readTelemetryFile, type TestRig, testRig } from '../test-utils.js';
import { EVENTS, type EventName, type LoggedInput, loggedInputs, loggingHooks } from './hook-log.js';

const specific = (hookSpecificOutput: object) => ({ hookSpecificOutput });
const part = (...parts: object[]) => ({ content: { role: 'model', parts } });

/** The model reads a file, tries to write one, and answers in two pieces. */
const RESPONSES = [
  [
    {
      candidates: [
        {
          ...part({ functionCall: { name: 'read_file', args: { file_path: 'a.txt' } } }),
          finishReason: 'STOP',
        },
      ],
    },
  ],
  [
    {
      candidates: [
        {
          ...part({ functionCall: { name: 'list_directory', args: { dir_path: '.' } } }),
          finishReason: 'STOP',
        },
      ],
    },
  ],
  [
    { candidates: [part({ text: 'all ' })] },
    { candidates: [{ ...part({ text: 'done' }), finishReason: 'STOP' }] },
  ],
];

const OUTPUTS: Partial<Record<EventName, object | string>> = {
  SessionStart: { systemMessage: 'hello', ...specific({ additionalContext: 'branch <main>' }) },
  BeforeAgent: specific({ additionalContext: 'be kind' }),
  BeforeModel: specific({ llm_request: { config: { temperature: 0.25 } } }),
  BeforeToolSelection: specific({
    toolConfig: { mode: 'AUTO', allowedFunctionNames: ['read_file', 'list_directory'] },
  }),
  AfterModel: 'plain text of a chunk',
  AfterTool: specific({ additionalContext: 'checked' }),
  AfterAgent: { systemMessage: 'bye' },
  SessionEnd: { systemMessage: 'ended' },
};

async function runAll(...flags: string[]): Promise<{ rig: TestRig; run: RunResult; inputs: LoggedInput[] }> {
  const hooks = {
    ...loggingHooks(OUTPUTS),
    // Only listing a directory needs a question, so that one tool runs and one asks.
    BeforeTool: [
      {
        hooks: [
          {
            type: 'command',
            name: 'log-BeforeTool',
            command:
              'line=$(cat); echo "$line" >> "$GEMINI_PROJECT_DIR/hooks.log"; ' +
              'case $line in *list_directory*) echo \'{"decision":"ask","systemMessage":"sure?"}\';; esac',
          },
        ],
      },
    ],
  };
  const rig = await testRig({
    files: { 'a.txt': 'content of a', '.gemini/settings.json': JSON.stringify({ hooks }) },
    settings: { telemetry: { enabled: true, target: 'local', outfile: 'telemetry.log', logPrompts: true } },
    env: { GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined },
  });
  const lines = RESPONSES.map((response) => JSON.stringify({ method: 'generateContentStream', response }));
  const file = rig.writeHome('r.jsonl', `${lines.join('\n')}\n`);
  const outfile = join(rig.home, 'telemetry.log');
  const run = await rig.cli('-p', 'look around', '-m', 'any', '--fake-responses', file, ...flags, {
    env: { GEMINI_TELEMETRY_OUTFILE: outfile },
  });
  expect(run.exitCode, run.stderr).toBe(0);
  return { rig, run, inputs: loggedInputs(rig) };
}

describe('A headless run with a hook on every event', () => {
  it('fires all eleven, each with its input', async () => {
    const { rig, run, inputs } = await runAll();
    expect(new Set(inputs.map(({ hook_event_name }) => hook_event_name))).toEqual(new Set(EVENTS));
    const [first] = inputs;
    for (const input of inputs) {
      expect(input).toMatchObject({ session_id: first?.session_id, cwd: rig.workspace });
      expect(input.timestamp).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
      expect(input.transcript_path).toMatch(/^\/.*chats\/session-.*\.jsonl$/);
      // At the start the file does not exist yet, but its path is known.
      expect(input.transcript_path).toBe(first?.transcript_path);
    }
    const of = (event: EventName) => inputs.filter(({ hook_event_name }) => hook_event_name === event);
    expect(of('SessionStart')).toMatchObject([{ source: 'startup' }]);
    expect(of('BeforeAgent')).toMatchObject([{ prompt: 'look around' }]);
    expect(of('PreCompress').map(({ trigger }) => trigger)).toEqual(['auto', 'auto', 'auto']);
    expect(of('BeforeModel')).toHaveLength(3);
    expect(of('BeforeModel')[0]?.['llm_request']).toMatchObject({
      model: 'any',
      messages: [{ role: 'user' }, { role: 'user', content: expect.stringContaining('be kind') }],
    });
    expect(of('BeforeToolSelection')[0]?.['llm_request']).toMatchObject({ config: { temperature: 0.25 } });
    expect(of('AfterModel').map((input) => input['llm_response'])).toMatchObject([
      { candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP' }] },
      { candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP' }] },
      { text: 'all ', candidates: [{ content: { role: 'model', parts: ['all '] } }] },
      { text: 'done', candidates: [{ content: { role: 'model', parts: ['done'] }, finishReason: 'STOP' }] },
    ]);
    expect(of('BeforeTool')).toMatchObject([
      { tool_name: 'read_file', tool_input: { file_path: 'a.txt' } },
      { tool_name: 'list_directory', tool_input: { dir_path: '.' } },
    ]);
    expect(of('AfterTool')).toMatchObject([
      {
        tool_name: 'read_file',
        tool_input: { file_path: 'a.txt' },
        tool_response: { llmContent: expect.stringContaining('content of a') },
      },
    ]);
    expect(of('Notification')).toMatchObject([
      {
        notification_type: 'ToolPermission',
        message: expect.any(String),
        details: { type: 'info', title: expect.any(String) },
      },
    ]);
    expect(of('AfterAgent')).toMatchObject([
      { prompt: 'look around', prompt_response: 'all done', stop_hook_active: false },
    ]);
    expect(of('SessionEnd')).toMatchObject([{ reason: 'exit' }]);
    expect(run.stdout).toBe('all done\n');
  });

  it('lets the outputs take effect, and tells their messages on stderr, each once', async () => {
    const { run, inputs } = await runAll();
    const requests = inputs.filter(({ hook_event_name }) => hook_event_name === 'BeforeToolSelection');
    const text = JSON.stringify(requests.at(-1)?.['llm_request']);
    expect(text).toContain('<hook_context>branch &lt;main&gt;</hook_context>\\n\\nlook around');
    expect(text).toContain('<hook_context>be kind</hook_context>');
    const lines = run.stderr.split('\n').filter((line) => line.startsWith('[INFO]'));
    expect(lines).toEqual([
      '[INFO] log-SessionStart: hello',
      '[INFO] log-AfterModel: plain text of a chunk',
      '[INFO] log-AfterModel: plain text of a chunk',
      '[INFO] log-BeforeTool: sure?',
      '[INFO] log-AfterModel: plain text of a chunk',
      '[INFO] log-AfterAgent: bye',
      '[INFO] log-SessionEnd: ended',
    ]);
    expect(run.stderr).toContain('This project has new or changed hooks');
    expect(run.stderr).toContain("needs the user's approval");
  });

  it('with -o json has the result alone on stdout', async () => {
    const { run, inputs } = await runAll('-o', 'json');
    expect(new Set(inputs.map(({ hook_event_name }) => hook_event_name)).size).toBe(11);
    expect(run.json()).toMatchObject({ response: 'all done', stats: { tools: { totalCalls: 2 } } });
    expect(run.json()).not.toHaveProperty('warnings');
    expect(run.stderr).toContain('[INFO] log-SessionStart: hello');
  });

  it('with -o stream-json begins with init and ends with a good result', async () => {
    const { run, inputs } = await runAll('-o', 'stream-json');
    expect(new Set(inputs.map(({ hook_event_name }) => hook_event_name)).size).toBe(11);
    const events = run.events();
    expect(events[0]).toMatchObject({ type: 'init' });
    expect(events.at(-1)).toMatchObject({ type: 'result', status: 'success' });
    expect(run.stderr).toContain('[INFO] log-AfterAgent: bye');
  });

  it('records every run of a hook for telemetry', async () => {
    const { rig, inputs } = await runAll();
    const calls = eventsNamed(readTelemetryFile(join(rig.home, 'telemetry.log')), 'gemini_cli.hook_call');
    expect(calls).toHaveLength(inputs.length);
    const start = calls.find((attributes) => attributes['hook_event_name'] === 'SessionStart');
    expect(start).toMatchObject({
      hook_type: 'command',
      hook_name: 'log-SessionStart',
      success: true,
      exit_code: 0,
      duration_ms: expect.any(Number),
      hook_input: expect.stringContaining('"source":"startup"'),
      hook_output: expect.stringContaining('"systemMessage":"hello"'),
      stdout: expect.stringContaining('hello'),
      stderr: '',
    });
  });
});
