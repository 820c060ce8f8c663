/** The system prompt of the session for the current model, mode, tools and environment. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MemoryContextManager } from '../../memory/context-files.js';
import type { Environment } from '../../platform/environment.js';
import type { PolicyEngine } from '../../policy/policy-engine.js';
import { SystemPromptSource } from '../../prompts/override.js';
import type { ListedAgent, ListedSkill, PromptSituation } from '../../prompts/situation.js';
import { ASK_USER, INVOKE_AGENT, UPDATE_TOPIC } from '../../protocol/tool-names.js';
import type { ToolRegistry } from '../../tools/tool-registry.js';
import type { Project } from '../project.js';

export interface PromptParts {
  project: Pick<Project, 'parameters' | 'isTrusted' | 'notice' | 'topic'>;
  environment: Environment;
  policy: PolicyEngine;
  memory: MemoryContextManager;
  targetDir: string;
  /** Those that the model may activate now. */
  skills: () => readonly ListedSkill[];
  /** Agents that the model may call. */
  subAgents: () => readonly ListedAgent[];
  /** Instructions of the embedding program; empty: none. */
  programInstructions?: () => string;
  /** What MCP servers say about their use; empty: nothing. */
  serverInstructions: () => string;
}

export interface Prompts {
  compose(model: string, tools: ToolRegistry): string;
  /** The same for an agent that works as the main one does, but asks no one; without memory. */
  composeForAgent(model: string, tools: ToolRegistry): string;
  /** The user's own file stands in the place of our prompt. */
  isReplaced(): boolean;
}

/** @throws FatalConfigError when `GEMINI_SYSTEM_MD` names a file that cannot be read */
export function composePrompts({
  project,
  environment: { variables: env, home },
  policy,
  memory,
  targetDir,
  skills,
  subAgents,
  programInstructions = () => '',
  serverInstructions,
}: PromptParts): Prompts {
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
  const compose = (model: string, tools: ToolRegistry, differences: Partial<PromptSituation> = {}) => {
    const prompt = source.compose({
      model,
      interactive: parameters.interactive,
      approvalMode: policy.getApprovalMode(),
      toolNames: tools.getCallableToolNames(model),
      plansDirectory: policy.getPlansDirectory(),
      isGitRepository,
      shellOutputEfficiency: parameters.shell.enableShellOutputEfficiency,
      skills: skills(),
      subAgents: subAgents(),
      hooks: false,
      memory: [programInstructions(), memory.systemText()].filter(Boolean).join('\n\n'),
      activeTopic: project.parameters.topicNarration ? project.topic?.title : undefined,
      env,
      ...differences,
    });
    return [prompt, serverInstructions()].filter(Boolean).join('\n\n');
  };
  return {
    compose: (model, tools) => compose(model, tools),
    composeForAgent: (model, tools) => {
      const toolNames = tools
        .getCallableToolNames(model)
        .filter((name) => !OF_THE_CONVERSATION.includes(name));
      const differences = { interactive: false, toolNames, subAgents: [], memory: '', activeTopic: '' };
      return compose(model, tools, differences);
    },
    isReplaced: () => source.isReplaced,
  };
}

/** Tools that only the conversation with the user has. */
const OF_THE_CONVERSATION: readonly string[] = [INVOKE_AGENT, UPDATE_TOPIC, ASK_USER];

function isInRepository(directory: string): boolean {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return true;
    if (dirname(folder) === folder) return false;
  }
}
