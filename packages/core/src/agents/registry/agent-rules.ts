/** What the settings say about agents: which are enabled, and what is changed in their definitions. */
import { isObject, objectOf } from '../../base/objects.js';
import type { ModelConfig } from '../../model/configs/builtin.js';
import { readConfig } from '../../model/configs/read.js';
import { toolNamed } from '../definition/tool-entries.js';
import type { AgentDefinition, LocalAgentDefinition, RunConfig } from '../types.js';

/** `experimental.enableAgents`, `agents.enabled`, `agents.disabled` and `agents.overrides`, as they are in the settings. */
export interface AgentRules {
  enableAgents: boolean;
  enabled: readonly unknown[];
  disabled: readonly unknown[];
  overrides: Readonly<Record<string, unknown>>;
  /** The folder is not trusted: its agents are disabled at once, before the files are read again. */
  ignoresProject?: boolean;
}

export const NO_RULES: AgentRules = { enableAgents: true, enabled: [], disabled: [], overrides: {} };

/** Whether two spellings name the same agent: `-` and `_` are equal. */
export function isSameAgent(a: string, b: string): boolean {
  return a.replaceAll('_', '-') === b.replaceAll('_', '-');
}

/** An explicit `overrides.<name>.enabled` wins, then `disabled`, then `enabled`, then the definition's own state. */
export function isEnabled(definition: AgentDefinition, rules: AgentRules): boolean {
  const { name, experimental, source } = definition;
  if (!rules.enableAgents || (rules.ignoresProject && source?.kind === 'project')) return false;
  const { enabled } = overrideOf(name, rules);
  if (typeof enabled === 'boolean') return enabled;
  if (isListed(name, rules.disabled)) return false;
  return isListed(name, rules.enabled) || !experimental;
}

/** The definition as it runs. Values of the wrong type are ignored; the settings check reports them. */
export function withOverride(definition: AgentDefinition, rules: AgentRules): AgentDefinition {
  const override = overrideOf(definition.name, rules);
  if (definition.kind === 'remote' || Object.keys(override).length === 0) return definition;
  const { tools, mcpServers, isolation } = override;
  return {
    ...definition,
    modelConfig: mergeModel(definition.modelConfig, readConfig(override['modelConfig'])),
    runConfig: mergeRun(definition.runConfig, objectOf(override['runConfig'])),
    ...(isTexts(tools) && { toolConfig: { tools: tools.map((entry) => toolNamed(entry) ?? entry) } }),
    ...(isObject(mcpServers) && { mcpServers: { ...definition.mcpServers, ...mcpServers } }),
    ...((isolation === 'none' || isolation === 'worktree') && { isolation }),
  } satisfies LocalAgentDefinition;
}

function overrideOf(name: string, { overrides }: AgentRules): Record<string, unknown> {
  if (Object.hasOwn(overrides, name)) return objectOf(overrides[name]);
  const similar = Object.keys(overrides).find((key) => isSameAgent(key, name));
  return similar === undefined ? {} : objectOf(overrides[similar]);
}

function isListed(name: string, list: readonly unknown[]): boolean {
  return list.some((item) => typeof item === 'string' && isSameAgent(item, name));
}

function mergeModel(base: ModelConfig, change: ModelConfig): ModelConfig {
  return {
    ...base,
    ...change,
    ...((base.settings || change.settings) && { settings: { ...base.settings, ...change.settings } }),
  };
}

function mergeRun(base: RunConfig, { maxTurns, maxTimeMinutes }: Record<string, unknown>): RunConfig {
  return {
    ...base,
    ...(isPositive(maxTurns) && { maxTurns: Math.ceil(maxTurns) }),
    ...(isPositive(maxTimeMinutes) && { maxTimeMinutes }),
  };
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
