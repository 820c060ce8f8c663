import { expect, it } from 'vitest';
import { fromClaude } from './claude-output.js';
import { HookEventName, type HookOutput } from './types.js';

const { BeforeTool, BeforeAgent } = HookEventName;
const specific = (hookSpecificOutput: Record<string, unknown>): HookOutput => ({ hookSpecificOutput });
const CLAUDE = { permissionDecision: 'deny', permissionDecisionReason: 'why', updatedInput: { a: 1 } };

it('becomes a decision, a reason and changed arguments', () => {
  expect(fromClaude(BeforeTool, specific(CLAUDE))).toEqual({
    decision: 'deny',
    reason: 'why',
    hookSpecificOutput: { tool_input: { a: 1 } },
  });
});

it('never weakens a decision in our spelling, and unknown words decide nothing', () => {
  const both = { decision: 'deny' as const, ...specific({ permissionDecision: 'allow' }) };
  expect(fromClaude(BeforeTool, both).decision).toBe('deny');
  expect(fromClaude(BeforeTool, specific({ permissionDecision: 'perhaps' })).decision).toBeUndefined();
});

it('is left alone in events that are not about tools', () => {
  expect(fromClaude(BeforeAgent, specific(CLAUDE))).toEqual(specific(CLAUDE));
});
