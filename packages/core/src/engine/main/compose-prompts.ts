/** The system prompt of the session for the current model, mode, tools and environment. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MemoryContextManager } from '../../memory/context-files.js';
import type { Environment } from '../../platform/environment.js';
import type { PolicyEngine } from '../../policy/policy-engine.js';
import { SystemPromptSource } from '../../prompts/override.js';
import type { ToolRegistry } from '../../tools/tool-registry.js';
import type { Project } from '../project.js';

export interface PromptParts {
  project: Pick<Project, 'parameters' | 'isTrusted' | 'notice' | 'topic'>;
  environment: Environment;
  policy: PolicyEngine;
  memory: MemoryContextManager;
  targetDir: string;
}

/** @throws FatalConfigError when `GEMINI_SYSTEM_MD` names a file that cannot be read */
export function composePrompts({
  project,
  environment: { variables: env, home },
  policy,
  memory,
  targetDir,
}: PromptParts): (model: string, tools: ToolRegistry) => string {
  const { parameters } = project;
  const source = new SystemPromptSource({
    env,
    projectDir: targetDir,
    homeDir: home,
    isTrusted: () => project.isTrusted,
    notice: project.notice,
  });
  source.load();
  const isGitRepository = isInRepository(targetDir);
  return (model, tools) =>
    source.compose({
      model,
      interactive: parameters.interactive,
      approvalMode: policy.getApprovalMode(),
      toolNames: tools.getCallableToolNames(model),
      plansDirectory: policy.getPlansDirectory(),
      isGitRepository,
      shellOutputEfficiency: parameters.shell.enableShellOutputEfficiency,
      hooks: false,
      memory: memory.systemText(),
      activeTopic: project.parameters.topicNarration ? project.topic?.title : undefined,
      env,
    });
}

function isInRepository(directory: string): boolean {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return true;
    if (dirname(folder) === folder) return false;
  }
}
