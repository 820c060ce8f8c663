/** What an agent and its extensions bring together, in order. */
import type { McpServerFields } from '@gemini-cli/core';
import type { SkillReference } from '../additions/skill-dir.js';
import type { Subagent } from '../additions/subagent.js';
import type { PolicyRuleInput } from '../approvals/types.js';
import type { SessionContext } from '../context/types.js';
import { untilAborted } from '../context/until-aborted.js';
import type { AnyHook } from '../hooks/hook.js';
import type { AnyTool } from '../tools/tool.js';
import type { GeminiCliAgentOptions, SystemInstructions } from './options.js';

export interface Additions {
  instructions: readonly SystemInstructions[];
  tools: readonly AnyTool[];
  hooks: readonly AnyHook[];
  skills: readonly SkillReference[];
  subagents: readonly Subagent[];
  mcpServers: Readonly<Record<string, McpServerFields>>;
  policies: readonly PolicyRuleInput[];
  /** Of extensions, by their names: they can only restrict. */
  restrictions: readonly { extension: string; rules: readonly PolicyRuleInput[] }[];
  /** For the user. */
  warnings: readonly string[];
}

export function additionsOf(options: GeminiCliAgentOptions): Additions {
  const extensions = (options.extensions ?? []).map(({ definition }) => definition);
  const parts = [options, ...extensions];
  const warnings: string[] = [];
  const restrictions = extensions.map(({ name, policies = [] }) => {
    const rules = policies.filter(({ decision }) => decision !== 'allow');
    if (rules.length < policies.length)
      warnings.push(`Extension "${name}": rules that allow were dropped; extensions can only restrict.`);
    return { extension: name, rules };
  });
  const { policies = [] } = options;
  return {
    instructions: parts.flatMap(({ instructions }) => instructions ?? []),
    tools: lastOfEach(
      'tool',
      parts.flatMap(({ tools = [] }) => tools),
      warnings,
    ),
    hooks: parts.flatMap(({ hooks = [] }) => hooks),
    skills: parts.flatMap(({ skills = [] }) => skills),
    subagents: lastOfEach(
      'agent',
      parts.flatMap(({ subagents = [] }) => subagents),
      warnings,
    ),
    mcpServers: Object.assign({}, ...parts.map(({ mcpServers = {} }) => mcpServers)),
    policies: Array.isArray(policies) ? policies : [],
    restrictions,
    warnings,
  };
}

function lastOfEach<T extends { readonly name: string }>(
  what: string,
  all: readonly T[],
  warnings: string[],
): T[] {
  const byName = new Map<string, T>();
  for (const item of all) {
    if (byName.has(item.name) && byName.get(item.name) !== item)
      warnings.push(`There are two ${what}s "${item.name}"; the later one counts.`);
    byName.set(item.name, item);
  }
  return [...byName.values()];
}

/** The texts of all instructions, as they are now. */
export async function instructionText(
  instructions: readonly SystemInstructions[],
  context: (signal: AbortSignal) => SessionContext,
  signal: AbortSignal,
): Promise<string> {
  const texts: string[] = [];
  for (const part of instructions)
    texts.push(
      typeof part === 'string' ? part : await untilAborted((async () => part(context(signal)))(), signal),
    );
  return texts.filter((text) => typeof text === 'string' && text.trim() !== '').join('\n\n');
}
