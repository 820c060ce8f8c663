/** Merges the outputs of several hooks into one, by the rules of the event. Outputs come in order of priority. */
import { isObject } from '../base/objects.js';
import { isDenial, rankOf } from './decision.js';
import { HookEventName, type HookOutput } from './types.js';

export interface MergedOutput extends HookOutput {
  /** The hooks that refused, for the user. No hook can print this. */
  refusedBy?: string;
}

export function mergeOutputs(event: HookEventName, outputs: readonly HookOutput[]): HookOutput {
  switch (event) {
    case HookEventName.BeforeTool:
    case HookEventName.AfterTool:
    case HookEventName.BeforeAgent:
    case HookEventName.AfterAgent:
    case HookEventName.SessionStart:
      return strictest(outputs);
    case HookEventName.BeforeModel:
    case HookEventName.AfterModel:
      return latest(outputs);
    case HookEventName.BeforeToolSelection:
      return { ...replaced(outputs), ...toolSelection(outputs) };
    case HookEventName.SessionEnd:
    case HookEventName.PreCompress:
    case HookEventName.Notification:
      return replaced(outputs);
  }
}

type Specific = Record<string, unknown>;

/** Any refusal wins, else any `ask`; texts are joined. */
function strictest(outputs: readonly HookOutput[]): HookOutput {
  const decisions = outputs.map(({ decision }) => decision).filter((decision) => decision !== undefined);
  const decision = decisions.reduce<HookOutput['decision']>(
    (strict, next) => (rankOf(next) > rankOf(strict) ? next : strict),
    undefined,
  );
  const stops = outputs.some((output) => output.continue === false);
  const mergedSpecific = outputs.reduce<Specific>(
    (all, { hookSpecificOutput = {} }) => joinSpecific(all, hookSpecificOutput),
    {},
  );
  return {
    ...(decision && { decision: isDenial(decision) ? 'deny' : decision === 'ask' ? 'ask' : 'allow' }),
    ...(stops && { continue: false }),
    ...joined(outputs, 'reason'),
    ...joined(outputs, 'stopReason'),
    ...joined(outputs, 'systemMessage'),
    ...(outputs.some(({ suppressOutput }) => suppressOutput) && { suppressOutput: true }),
    ...(Object.keys(mergedSpecific).length > 0 && { hookSpecificOutput: mergedSpecific }),
  };
}

function joined(
  outputs: readonly HookOutput[],
  key: 'reason' | 'stopReason' | 'systemMessage',
): Partial<HookOutput> {
  const texts = outputs.map((output) => output[key]).filter((text) => text !== undefined && text !== '');
  return texts.length > 0 ? { [key]: texts.join('\n') } : {};
}

function joinSpecific(all: Specific, next: Specific): Specific {
  const result = { ...all };
  for (const [key, value] of Object.entries(next)) {
    const before = result[key];
    if (key === 'additionalContext' && typeof before === 'string' && typeof value === 'string')
      result[key] = `${before}\n${value}`;
    else if (key === 'clearContext') result[key] = before === true || value === true;
    else if (key === 'tool_input' && isObject(before) && isObject(value))
      result[key] = { ...before, ...value };
    else result[key] = value;
  }
  return result;
}

/** Later fields replace earlier ones; a refusal or a stop stays. */
function latest(outputs: readonly HookOutput[]): HookOutput {
  const merged = replaced(outputs);
  const denial = outputs.findLast(({ decision }) => isDenial(decision));
  const stop = outputs.findLast((output) => output.continue === false);
  return {
    ...merged,
    ...(denial && { decision: 'deny' as const, reason: denial.reason ?? merged.reason ?? '' }),
    ...(stop && {
      continue: false,
      ...(stop.stopReason !== undefined && { stopReason: stop.stopReason }),
      ...(!denial && stop.reason !== undefined && { reason: stop.reason }),
    }),
  };
}

function replaced(outputs: readonly HookOutput[]): HookOutput {
  const specific: Specific = Object.assign(
    {},
    ...outputs.map(({ hookSpecificOutput }) => hookSpecificOutput),
  );
  const merged: HookOutput = Object.assign({}, ...outputs);
  return Object.keys(specific).length > 0 ? { ...merged, hookSpecificOutput: specific } : merged;
}

const MODES = ['AUTO', 'ANY', 'NONE'] as const;

/** `NONE` beats `ANY` beats `AUTO`; the allowed names are the sorted union. */
function toolSelection(outputs: readonly HookOutput[]): Pick<HookOutput, 'hookSpecificOutput'> {
  const configs = outputs
    .map(({ hookSpecificOutput }) => hookSpecificOutput?.['toolConfig'])
    .filter(isObject);
  if (configs.length === 0) return { hookSpecificOutput: {} };
  const mode = MODES.findLast((known) => configs.some((config) => config['mode'] === known));
  const lists = configs.map(({ allowedFunctionNames: names }) => names).filter(Array.isArray);
  const names = [...new Set(lists.flat().filter((name) => typeof name === 'string'))].sort();
  return {
    hookSpecificOutput: {
      toolConfig: {
        ...(mode && { mode }),
        ...(lists.length > 0 && mode !== 'NONE' && { allowedFunctionNames: names }),
      },
    },
  };
}
