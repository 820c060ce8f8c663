/** `extension()`: tools, skills, hooks, sub-agents and instructions as one unit. */
import type { McpServerFields } from '@gemini-cli/core';
import type { SystemInstructions } from '../agent/options.js';
import type { PolicyRuleInput } from '../approvals/types.js';
import type { AnyHook } from '../hooks/hook.js';
import type { AnyTool } from '../tools/tool.js';
import type { SkillReference } from './skill-dir.js';
import type { Subagent } from './subagent.js';

export interface ExtensionDefinition {
  name: string;
  version?: string;
  description?: string;
  /** Added to those of the agent and of other extensions. */
  instructions?: SystemInstructions;
  tools?: AnyTool[];
  skills?: SkillReference[];
  hooks?: AnyHook[];
  subagents?: Subagent[];
  mcpServers?: Record<string, McpServerFields>;
  /** They can only restrict: rules that allow are dropped with a warning. */
  policies?: PolicyRuleInput[];
}

export interface SdkExtension {
  readonly name: string;
  readonly definition: Readonly<ExtensionDefinition>;
}

export function extension(definition: ExtensionDefinition): SdkExtension {
  if (!definition.name) throw new TypeError('extension(): "name" is missing.');
  return { name: definition.name, definition };
}
