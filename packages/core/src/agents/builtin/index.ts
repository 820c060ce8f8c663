/** The built-in agents: one line each. Prompts and output schemas are read when a run begins (`load`). */
import type { LocalAgentDefinition } from '../types.js';
import { browserAgent } from './browser-agent/definition.js';
import { cliHelp } from './cli-help/definition.js';
import { codebaseInvestigator } from './codebase-investigator/definition.js';
import { generalist } from './generalist/definition.js';
import type { BuiltinAgentHost } from './host.js';

const BUILTIN_AGENTS: readonly ((host: BuiltinAgentHost) => LocalAgentDefinition)[] = [
  codebaseInvestigator,
  cliHelp,
  generalist,
  browserAgent,
];

/** For `AgentRegistry.registerAgent`. What depends on the model of the conversation is computed at each look-up. */
export function builtinAgents(host: BuiltinAgentHost): LocalAgentDefinition[] {
  return BUILTIN_AGENTS.map((define) => define(host));
}
