import { makeBus } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import type { AnsiOutput } from '../protocol/tool-display.js';
import { BaseToolInvocation, type ExecuteOptions, type ToolInvocation, type ToolResult } from './tools.js';

type Update = (output: string | AnsiOutput) => void;

const resultOf = (signal: unknown): ToolResult => ({
  llmContent: String(signal instanceof AbortSignal),
  returnDisplay: '',
});

/** The published form: the signal and a function. */
class PositionalInvocation extends BaseToolInvocation<object, ToolResult> {
  getDescription = () => 'positional';

  override async execute(signal: AbortSignal, updateOutput?: Update): Promise<ToolResult> {
    updateOutput?.('working');
    return resultOf(signal);
  }
}

class RunInvocation extends BaseToolInvocation<object, ToolResult> {
  getDescription = () => 'options';

  protected async run({ abortSignal, updateOutput }: ExecuteOptions): Promise<ToolResult> {
    updateOutput?.('working');
    return resultOf(abortSignal);
  }
}

describe.each([
  ['that overrides execute', new PositionalInvocation({}, makeBus())],
  ['that implements run', new RunInvocation({}, makeBus())],
])('an invocation %s', (_name, invocation: ToolInvocation<object, ToolResult>) => {
  const { signal } = new AbortController();

  it('receives signal and output from a caller that passes options', async () => {
    const shown: unknown[] = [];
    const options = { abortSignal: signal, updateOutput: (output: unknown) => void shown.push(output) };
    expect((await invocation.execute(options)).llmContent).toBe('true');
    expect(shown).toEqual(['working']);
  });

  it('receives them from a caller that passes the signal first', async () => {
    const shown: unknown[] = [];
    const result = await invocation.execute(signal, (output) => void shown.push(output));
    expect(result.llmContent).toBe('true');
    expect(shown).toEqual(['working']);
  });
});

it('an invocation that implements neither fails with a clear message', () => {
  class Empty extends BaseToolInvocation<object, ToolResult> {
    getDescription = () => 'nothing';
  }
  const empty = new Empty({}, makeBus(), 'empty');
  expect(() => empty.execute(new AbortController().signal)).toThrow('empty has neither run() nor execute()');
});
