/** What a program in JavaScript can pass although the types forbid it, and results that are no results. */
import { describe, expect, it } from 'vitest';
import {
  type AnyHook,
  type GeminiCliAgentOptions,
  GeminiCliError,
  hook,
  subagent,
  tool,
  z,
} from '../index.js';
import { call, eventsOf, lab, told } from '../testing/agent-lab.test-helper.js';

const nothing = z.object({});
const returns = (value: unknown) => tool({ name: 't', description: 't', inputSchema: nothing }, () => value);

describe('a tool', () => {
  it.each([
    ['a text part', { text: 'x'.repeat(11 * 1024 * 1024) }],
    ['data', { inlineData: { mimeType: 'image/png', data: 'A'.repeat(11 * 1024 * 1024) } }],
    ['several parts', Array.from({ length: 11 }, () => ({ text: 'x'.repeat(1024 * 1024) }))],
    ['a text', 'x'.repeat(11 * 1024 * 1024)],
    ['a buffer', Buffer.alloc(50_000_000)],
    ['a buffer in an object', { file: Buffer.alloc(5_000_000) }],
    ['a list', Array.from({ length: 3_000_000 }, (_, index) => ({ index }))],
    ['numbers', { samples: new Float64Array(5_000_000) }],
  ])('that returns more than 10 MB as %s is an error for the model', async (_name, value) => {
    const { agent, model } = lab([call('t'), 'ok']);
    await agent({ tools: [returns(value)] }).send('go');
    expect(told(model)).toEqual(['The tool "t" ran, but its result is too large; 10 MB are possible.']);
  });

  it.each([
    ['text', { text: 5 }, '{\n  "text": 5\n}'],
    ['data', { inlineData: null }, '{\n  "inlineData": null\n}'],
    ['data without a type', { inlineData: { data: 'QQ==' } }, expect.stringContaining('"data": "QQ=="')],
  ])('that returns something like a part, with wrong %s, returns JSON', async (_name, value, expected) => {
    const { agent, model } = lab([call('t'), 'ok']);
    await agent({ tools: [returns(value)] }).send('go');
    expect(told(model)).toEqual([expected]);
  });

  it('that throws has no HTTP status', async () => {
    const fails = tool({ name: 't', description: 't', inputSchema: nothing }, () => {
      throw new Error('no');
    });
    const { agent } = lab([call('t'), call('t')]);
    const session = agent({ tools: [fails] }).session();
    const error: unknown = await session.send('go').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'FatalToolExecutionError', message: 'The tool "t" failed: no' });
    expect((error as GeminiCliError).status).toBeUndefined();
    expect((await eventsOf(session.sendStream('again'))).at(-1)).toEqual({
      type: 'error',
      value: { error: { message: 'The tool "t" failed: no' } },
    });
  });
});

it.each<[string, () => unknown]>([
  ['tool', () => tool({ name: 't', description: 't', inputSchema: nothing }, undefined as never)],
  ['hook', () => hook({ event: 'BeforeAgent', name: 't' }, undefined as never)],
])('a %s without its action is refused where it is made', (_name, make) => {
  expect(make).toThrow(/"t"\): the action is missing/);
});

describe('a hook', () => {
  const specific: [Parameters<typeof hook>[0]['event'], object, string][] = [
    ['BeforeTool', { toolInput: 'x' }, 'string as "hookSpecificOutput.toolInput", not an object'],
    ['BeforeTool', { tool_input: [1] }, 'a list as "hookSpecificOutput.tool_input", not an object'],
    ['AfterTool', { additionalContext: 9 }, 'number as "hookSpecificOutput.additionalContext", not a string'],
    [
      'AfterTool',
      { tailToolCallRequest: 4 },
      'number as "hookSpecificOutput.tailToolCallRequest", not an object',
    ],
    [
      'BeforeAgent',
      { additionalContext: {} },
      'object as "hookSpecificOutput.additionalContext", not a string',
    ],
    ['AfterAgent', { clearContext: 'yes' }, 'string as "hookSpecificOutput.clearContext", not a boolean'],
    ['BeforeModel', { llmRequest: 5 }, 'number as "hookSpecificOutput.llmRequest", not an object'],
    ['AfterModel', { llmResponse: 'x' }, 'string as "hookSpecificOutput.llmResponse", not an object'],
    ['BeforeToolSelection', { toolConfig: 7 }, 'number as "hookSpecificOutput.toolConfig", not an object'],
    [
      'SessionStart',
      { additionalContext: 1 },
      'number as "hookSpecificOutput.additionalContext", not a string',
    ],
  ];

  const warnings = async (wrong: AnyHook) => {
    const { agent, model } = lab([call('t'), 'ok']);
    const events = await eventsOf(agent({ hooks: [wrong], tools: [returns('ran')] }).sendStream('go'));
    expect(told(model)).toEqual(['ran']);
    return events.flatMap((event) => (event.type === 'warning' ? [event.value.message] : []));
  };

  it.each(specific)('of %s that returns %o is a warning', async (event, hookSpecificOutput, problem) => {
    const wrong = hook({ event, name: 'h' }, () => ({ hookSpecificOutput }) as never);
    expect(await warnings(wrong)).toContain(`h: A ${event} hook returned ${problem}.`);
  });

  it('that decides with an unknown word is a warning', async () => {
    const wrong = hook({ event: 'BeforeTool', name: 'h' }, () => ({ decision: 'denied' }) as never);
    expect(await warnings(wrong)).toEqual([
      'h: A BeforeTool hook returned "denied" as "decision", not allow, approve, ask, block or deny.',
    ]);
  });

  it('that returns no object at the start of the session is a warning of the first prompt', async () => {
    const wrong = hook({ event: 'SessionStart', name: 'h' }, () => 'hello' as never);
    expect(await warnings(wrong)).toEqual([
      'h: A SessionStart hook must return an object or nothing, not string.',
    ]);
  });
});

describe('a prompt', () => {
  it.each([
    ['null', null],
    ['a number', 5],
    ['an object that is not a part', { foo: 1 }],
    ['a list with something else', [{ text: 'a' }, 'b']],
    ['an empty text', ''],
    ['an empty list', []],
    ['an empty part', [{ text: '' }]],
  ])('of %s is refused before anything is sent, and the session continues', async (_name, prompt) => {
    const { agent, model } = lab(['fine']);
    const session = agent().session();
    const error: unknown = await session.send(prompt as never).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GeminiCliError);
    expect(error).toMatchObject({ code: 'INVALID_PROMPT' });
    expect(model.requests).toEqual([]);
    expect((await session.send('go')).text).toBe('fine');
  });
});

describe('instructions that never come', () => {
  const never = () => new Promise<string>(() => undefined);

  it('end with the prompt, and do not keep the session from closing', async () => {
    const { agent } = lab(['fine']);
    const session = agent({ instructions: never }).session();
    const first = session.send('go');
    await session.initialize();
    session.cancel();
    expect((await first).finishReason).toBe('cancelled');
    const second = session.send('again');
    await new Promise(setImmediate);
    await session.close();
    expect((await second).finishReason).toBe('cancelled');
  });

  it('of a sub-agent end with the prompt', async () => {
    const { agent, model } = lab([call('invoke_agent', { agent_name: 'slow', prompt: 'p' })]);
    let isAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const instructions = () => {
      isAsked();
      return never();
    };
    const slow = subagent({ name: 'slow', description: 'is slow', instructions });
    const session = agent({ subagents: [slow] }).session();
    const sent = session.send('go');
    await asked;
    session.cancel();
    expect((await sent).finishReason).toBe('cancelled');
    expect(model.requests).toHaveLength(1);
  });
});

describe('an agent', () => {
  it.each<[string, GeminiCliAgentOptions, RegExp]>([
    ['a file as its folder', { cwd: import.meta.filename }, /bad-values\.test\.ts.* not a directory/],
    ['an unknown approval mode', { approvalMode: 'auto' as never }, /"auto".*default, autoEdit, plan, yolo/],
    ['a missing policy file', { policies: { files: ['gone.toml'] } }, /gone\.toml/],
    ['policies that are no list', { policies: { files: 'x.toml' } as never }, /policies/],
    ['policies by a wrong name', { policies: { file: ['x.toml'] } as never }, /policies/],
    ['an unknown sign-in', { auth: { type: 'google' as never } }, /"google".*gemini-api-key/],
    [
      'an unknown word for its settings',
      { settings: 'None' as never },
      /"load", "none" or an object.*"None"/,
    ],
    ['instructions that are no text', { instructions: 7 as never }, /instructions is a text/],
    ['a policy file that is no path', { policies: { files: [7] } as never }, /policies/],
  ])('with %s rejects its first prompt', async (_name, options, message) => {
    const { agent, model } = lab(['fine']);
    const error: unknown = await agent(options)
      .send('go')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GeminiCliError);
    expect((error as Error).message).toMatch(message);
    expect(model.requests).toEqual([]);
  });
});
