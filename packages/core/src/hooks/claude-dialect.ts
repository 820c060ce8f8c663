/** For hooks converted from Claude Code (`claudeEvent`): they read its input, and their output means what it means there. */
import { resolve } from 'node:path';
import { isObject } from '../base/objects.js';
import { CLAUDE_TOOL_NAMES } from '../protocol/claude-tool-names.js';
import { isDenial } from './decision.js';
import type { HookInput, HookOutput } from './types.js';

type Fields = Record<string, unknown>;

/** The names that Claude Code gives them today. */
const CLAUDE_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(CLAUDE_TOOL_NAMES)
    .flatMap(([claude, ours]) => (ours === undefined ? [] : [[ours, claude] as const]))
    // Of several names the first one counts.
    .reverse(),
  ['invoke_agent', 'Agent'],
]);

/** Arguments that have other names there. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Bash: { is_background: 'run_in_background', timeout_ms: 'timeout' },
  Edit: { allow_multiple: 'replace_all' },
  Glob: { dir_path: 'path' },
  Grep: { dir_path: 'path', include_pattern: 'glob' },
  LS: { dir_path: 'path' },
  Agent: { agent_name: 'subagent_type' },
  Skill: { name: 'skill' },
};
/** There these paths are always absolute. */
const PATHS: ReadonlySet<string> = new Set(['file_path', 'path']);
const WITH_PATHS: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit', 'Glob', 'Grep', 'LS']);

/** There a failed call is another event. */
export function isForClaude(claudeEvent: string, input: HookInput): boolean {
  const response: unknown = Reflect.get(input, 'tool_response');
  return !(claudeEvent === 'PostToolUse' && isObject(response) && response['error']);
}

export function claudeInput(claudeEvent: string, input: HookInput): Fields {
  const { tool_name: name, tool_input: args, tool_response: response, ...rest } = input as HookInput & Fields;
  const common: Fields = { ...rest, hook_event_name: claudeEvent };
  if (typeof name === 'string' && isObject(args)) {
    const tool = claudeToolName(name, rest['mcp_context']);
    const given = claudeArguments(tool, args, input.cwd);
    const answered = isObject(response) ? { tool_response: claudeResponse(tool, given, response) } : {};
    return { ...common, tool_name: tool, tool_input: given, ...answered };
  }
  const said = rest['prompt_response'];
  return {
    ...common,
    ...(typeof said === 'string' && { last_assistant_message: said }),
    ...(claudeEvent === 'Notification' && { notification_type: 'permission_prompt' }),
    ...(rest['reason'] === 'exit' && { reason: 'other' }),
  };
}

function claudeToolName(name: string, context: unknown): string {
  if (isObject(context)) return `mcp__${String(context['server_name'])}__${String(context['tool_name'])}`;
  return CLAUDE_NAMES.get(name) ?? name;
}

function claudeArguments(tool: string, args: Fields, cwd: string): Fields {
  const names = ARGUMENTS[tool] ?? {};
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => {
      const named = Object.hasOwn(names, key) ? (names[key] ?? key) : key;
      const isPath = typeof value === 'string' && PATHS.has(named) && WITH_PATHS.has(tool);
      return [named, isPath ? resolve(cwd, value) : value];
    }),
  );
}

function claudeResponse(tool: string, args: Fields, response: Fields): Fields {
  const { llmContent, returnDisplay } = response;
  const text = typeof llmContent === 'string' ? llmContent : JSON.stringify(llmContent ?? '');
  const shown = typeof returnDisplay === 'string' ? returnDisplay : text;
  if (tool === 'Bash') return { ...response, stdout: shown, stderr: '', interrupted: false };
  return {
    ...response,
    success: true,
    ...(args['file_path'] !== undefined && { filePath: args['file_path'] }),
  };
}

/** Events whose plain text on stdout reaches the model there; elsewhere it is not shown at all. */
const ADDS_TEXT: ReadonlySet<string> = new Set(['SessionStart', 'UserPromptSubmit']);

/**
 * @param output as our own hooks mean it
 * @param plain what it printed on stdout if that is no JSON object and it exited with 0
 */
export function claudeOutput(
  claudeEvent: string,
  input: HookInput,
  output: HookOutput,
  plain: string | undefined,
): HookOutput {
  if (plain !== undefined) {
    const isContext = ADDS_TEXT.has(claudeEvent) && plain !== '';
    return isContext ? { hookSpecificOutput: { additionalContext: plain } } : {};
  }
  if (claudeEvent === 'PostToolUse') return afterTool(output);
  const updated = output.hookSpecificOutput?.['updatedInput'];
  if (!isObject(updated)) return output;
  const ours = ownArguments(input, updated);
  return { ...output, hookSpecificOutput: { ...output.hookSpecificOutput, updatedInput: ours } };
}

/** The tool has run: a refusal is told to the model, which keeps the result. */
function afterTool(output: HookOutput): HookOutput {
  if (!isDenial(output.decision)) return output;
  const { decision: _, reason, hookSpecificOutput: specific, ...rest } = output;
  const texts = [reason, specific?.['additionalContext']].filter((text) => typeof text === 'string' && text);
  return { ...rest, hookSpecificOutput: { ...specific, additionalContext: texts.join('\n') } };
}

/** Only what the hook has changed, under our names. */
function ownArguments(input: HookInput, updated: Fields): Fields {
  const { tool_name: tool, tool_input: given } = claudeInput('PreToolUse', input);
  const names = new Map(
    Object.entries(ARGUMENTS[String(tool)] ?? {}).map(([ours, claude]) => [claude, ours] as const),
  );
  const before = isObject(given) ? given : {};
  return Object.fromEntries(
    Object.entries(updated)
      .filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]))
      .map(([key, value]) => [names.get(key) ?? key, value]),
  );
}
