/** Lists the agents of a folder as a session would have them, without starting one and without asking. */
import { join } from 'node:path';
import type { BuiltinAgentHost } from '../builtin/host.js';
import { builtinAgents } from '../builtin/index.js';
import { type AgentFolder, loadAgentFolder } from '../definition/load-folder.js';
import type { AgentFileProblem } from '../definition/parse-agent-file.js';
import type { AgentDefinition } from '../types.js';
import { Acknowledgments } from './acknowledgments.js';
import { AgentRegistry } from './agent-registry.js';
import type { AgentRules } from './agent-rules.js';

export interface InspectedAgent {
  definition: AgentDefinition;
  isEnabled: boolean;
  /** True: a session asks before it enables this agent. */
  needsAcknowledgment: boolean;
}

export interface AgentInspection {
  agents: InspectedAgent[];
  problems: AgentFileProblem[];
  warnings: string[];
}

export interface InspectRequest {
  cwd: string;
  /** `~/.gemini` */
  globalDir: string;
  isTrusted: boolean;
  rules: AgentRules;
  extensions?: readonly { dir: string; extensionName: string }[];
}

/** Names, descriptions and states do not depend on one. */
const NO_SESSION: BuiltinAgentHost = {
  mainModel: () => '',
  modelFor: (name) => name,
  mainPrompt: () => '',
  get browser(): never {
    throw new Error('There is no session whose browser could be used.');
  },
};

export async function inspectAgents(request: InspectRequest): Promise<AgentInspection> {
  const { cwd, globalDir, isTrusted, rules, extensions = [] } = request;
  const userDir = join(globalDir, 'agents');
  const projectDir = join(cwd, '.gemini', 'agents');
  const folders: AgentFolder[] = [
    { dir: userDir, kind: 'user' },
    ...(isTrusted && projectDir !== userDir
      ? [{ dir: projectDir, kind: 'project' as const, root: cwd }]
      : []),
    ...extensions.map((extension) => ({ ...extension, kind: 'extension' as const, root: extension.dir })),
  ];
  const loaded = await Promise.all(folders.map((folder) => loadAgentFolder(folder)));
  const warnings = loaded.flatMap((folder) => folder.warnings);
  const registry = new AgentRegistry({ rules: () => rules, warn: (message) => warnings.push(message) });
  for (const definition of builtinAgents(NO_SESSION)) registry.registerAgent(definition);
  registry.replaceLoaded(loaded.flatMap(({ definitions }) => definitions));
  const states = registry.getAgentStates();
  const known = new Acknowledgments(join(globalDir, 'acknowledgments', 'agents.json'), cwd);
  const acknowledged = known.statesOf(states.map(({ definition }) => definition));
  return {
    agents: states.map((state, index) => ({
      ...state,
      needsAcknowledgment:
        state.definition.source?.kind === 'project' && acknowledged[index] !== 'acknowledged',
    })),
    problems: loaded.flatMap(({ problems }) => problems),
    warnings,
  };
}
