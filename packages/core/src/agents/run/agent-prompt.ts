/** The system prompt of a run: the definition's own text, then what holds for every agent. */
import type { AgentInputs, LocalAgentDefinition } from '../types.js';
import { fillTemplate } from './inputs.js';
import planRule from './plan-rule.md';
import type { RunFacts } from './ports.js';
import recovery from './recovery.md';
import rules from './rules.md';

export function systemPromptOf(
  { promptConfig }: LocalAgentDefinition,
  inputs: AgentInputs,
  facts: RunFacts,
): string {
  const { values, skills, userMemory, environment, isPlanMode } = facts;
  return [
    fillTemplate(promptConfig.systemPrompt ?? '', { ...values, ...inputs }),
    skills,
    userMemory,
    environment,
    isPlanMode ? planRule : '',
    rules,
  ]
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n\n');
}

/** What an agent at its limit is told. */
export function recoveryPrompt(reason: string): string {
  return fillTemplate(recovery.trim(), { reason });
}
