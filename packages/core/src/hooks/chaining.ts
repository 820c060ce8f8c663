/** What the next of several sequential hooks gets to see of the output before it. */
import { isObject } from '../base/objects.js';
import { HookEventName, type HookInput, type HookOutput } from './types.js';

export function chained(event: HookEventName, input: HookInput, output: HookOutput): HookInput {
  const specific = output.hookSpecificOutput ?? {};
  switch (event) {
    case HookEventName.BeforeAgent: {
      const { additionalContext } = specific;
      if (typeof additionalContext !== 'string' || !('prompt' in input)) return input;
      return { ...input, prompt: `${input.prompt}\n\n${additionalContext}` } as HookInput;
    }
    case HookEventName.BeforeModel:
      return merged(input, 'llm_request', specific['llm_request']);
    case HookEventName.BeforeTool:
      return merged(input, 'tool_input', specific['tool_input']);
    default:
      return input;
  }
}

function merged(input: HookInput, key: string, changes: unknown): HookInput {
  const before: unknown = Reflect.get(input, key);
  if (!isObject(changes) || !isObject(before)) return input;
  return { ...input, [key]: { ...before, ...changes } };
}
