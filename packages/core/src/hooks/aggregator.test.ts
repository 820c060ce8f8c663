/** How outputs of several hooks become one. */
import { describe, expect, it } from 'vitest';
import { mergeOutputs } from './aggregator.js';
import { HookEventName, type HookOutput } from './types.js';

const { BeforeTool, AfterTool, BeforeAgent, AfterAgent, SessionStart } = HookEventName;
const { BeforeModel, AfterModel, BeforeToolSelection, Notification } = HookEventName;
const specific = (hookSpecificOutput: Record<string, unknown>): HookOutput => ({ hookSpecificOutput });

describe.each([BeforeTool, AfterTool, BeforeAgent, AfterAgent, SessionStart])('%s', (event) => {
  it.each([
    [['allow', 'block', 'ask'], 'deny'],
    [['approve', 'ask'], 'ask'],
    [['approve', 'allow'], 'allow'],
    [[], undefined],
  ] as const)('decides by the strictest of %j', (decisions, expected) => {
    expect(
      mergeOutputs(
        event,
        decisions.map((decision) => ({ decision })),
      ).decision,
    ).toBe(expected);
  });

  it('joins texts in order, and any stop or flag holds', () => {
    const merged = mergeOutputs(event, [
      { continue: false, reason: 'r1', stopReason: 's1', systemMessage: 'm1' },
      { continue: true, reason: 'r2', systemMessage: 'm2', suppressOutput: true },
      { reason: '', ...specific({ additionalContext: 'c1', clearContext: true, other: 1 }) },
      specific({ additionalContext: 'c2', clearContext: false, other: 2 }),
    ]);
    expect(merged).toEqual({
      continue: false,
      reason: 'r1\nr2',
      stopReason: 's1',
      systemMessage: 'm1\nm2',
      suppressOutput: true,
      hookSpecificOutput: { additionalContext: 'c1\nc2', clearContext: true, other: 2 },
    });
  });
});

describe('BeforeTool', () => {
  it('merges changed arguments key by key', () => {
    const outputs = [specific({ tool_input: { a: 1, b: 1 } }), specific({ tool_input: { b: 2 } })];
    expect(mergeOutputs(BeforeTool, outputs)).toEqual(specific({ tool_input: { a: 1, b: 2 } }));
  });
});

describe.each([BeforeModel, AfterModel])('%s', (event) => {
  it('lets later fields replace earlier ones, one level deep', () => {
    const merged = mergeOutputs(event, [
      { systemMessage: 'a', ...specific({ llm_request: { model: 'a' }, x: 1 }) },
      { systemMessage: 'b', ...specific({ llm_request: { model: 'b' } }) },
    ]);
    expect(merged).toEqual({ systemMessage: 'b', ...specific({ llm_request: { model: 'b' }, x: 1 }) });
  });

  it('never loses a refusal or a stop to a later permission', () => {
    const merged = mergeOutputs(event, [
      { decision: 'block', reason: 'no' },
      { continue: false, stopReason: 'end' },
      { decision: 'allow', reason: 'yes', continue: true },
    ]);
    expect(merged).toMatchObject({ decision: 'deny', reason: 'no', continue: false, stopReason: 'end' });
  });
});

describe('BeforeToolSelection', () => {
  const choose = (...configs: object[]) =>
    mergeOutputs(
      BeforeToolSelection,
      configs.map((toolConfig) => specific({ toolConfig })),
    ).hookSpecificOutput?.['toolConfig'];

  it('takes the strictest mode and the sorted union of the names', () => {
    const any = { mode: 'ANY', allowedFunctionNames: ['c', 'a'] };
    expect(choose({ mode: 'AUTO', allowedFunctionNames: ['b', 'a'] }, any)).toEqual({
      mode: 'ANY',
      allowedFunctionNames: ['a', 'b', 'c'],
    });
    expect(choose(any, { mode: 'NONE' })).toEqual({ mode: 'NONE' });
    expect(choose({ mode: 'SOME', allowedFunctionNames: [1, 'a'] })).toEqual({ allowedFunctionNames: ['a'] });
  });

  it('changes nothing without a choice', () => {
    expect(mergeOutputs(BeforeToolSelection, [{ decision: 'deny' }, {}]).hookSpecificOutput).toEqual({});
  });
});

it('lets later fields replace earlier ones where nothing can be decided', () => {
  const merged = mergeOutputs(Notification, [{ systemMessage: 'a', reason: 'r' }, { systemMessage: 'b' }]);
  expect(merged).toEqual({ systemMessage: 'b', reason: 'r' });
});
