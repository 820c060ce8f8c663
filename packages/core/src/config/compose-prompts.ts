/** The system prompt of the session as it stands: model, mode, tools, surroundings. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MemoryContextManager } from '../memory/context-files.js';
import type { PolicyEngine } from '../policy/policy-engine.js';
import { SystemPromptSource } from '../prompts/override.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import type { Config } from './config.js';

export interface PromptServices {
  policyEngine: PolicyEngine;
  toolRegistry: ToolRegistry;
  memory: MemoryContextManager;
  targetDir: string;
}

/** @throws FatalConfigError when `GEMINI_SYSTEM_MD` names a file that cannot be read */
export function composePrompts(
  config: Config,
  { policyEngine, toolRegistry, memory, targetDir }: PromptServices,
): (model: string) => string {
  const { parameters } = config;
  const { variables: env, home } = config.getEnvironment();
  const source = new SystemPromptSource({
    env,
    projectDir: targetDir,
    homeDir: home,
    isTrusted: () => config.isTrustedFolder(),
    notice: (text) => parameters.onNotice?.(text),
  });
  source.load();
  const isGitRepository = isInRepository(targetDir);
  return (model) =>
    source.compose({
      model,
      interactive: parameters.interactive,
      approvalMode: policyEngine.getApprovalMode(),
      toolNames: toolRegistry.getCallableToolNames(model),
      plansDirectory: policyEngine.getPlansDirectory(),
      isGitRepository,
      shellOutputEfficiency: parameters.shellOutputEfficiency,
      hooks: false,
      memory: memory.systemText(),
      env,
    });
}

function isInRepository(directory: string): boolean {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return true;
    if (dirname(folder) === folder) return false;
  }
}
