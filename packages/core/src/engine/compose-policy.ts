/** The policy of a project: rules of all files and settings, kept up to date. */
import { readdirSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';
import { messageOf } from '../base/errors.js';
import type { Environment } from '../platform/environment.js';
import { isInside } from '../platform/files/real-path.js';
import type { Storage } from '../platform/storage/storage.js';
import type { CheckerHost } from '../policy/checkers/runner.js';
import { listWarnings } from '../policy/files/list-warnings.js';
import type { WorkspacePolicyChange } from '../policy/files/sources.js';
import type { ModeState } from '../policy/mode-state.js';
import { PolicyEngine, type PolicyLists } from '../policy/policy-engine.js';
import { describeProblem } from '../policy/rules/rule.js';
import type { ContainmentCheck } from '../policy/rules/rule-judge.js';
import type { Kind } from '../protocol/tool-declaration.js';
import { BUILTIN_TOOLS, canonicalEntries } from '../tools/catalog.js';
import { resolveToolPath } from '../workspace/tool-path.js';
import { activeExtensions, extensionPlansDirectory, extensionPolicies } from './active-extensions.js';
import { type McpListParameters, mcpPolicyLists } from './compose-mcp.js';
import type { CompleteParameters, ConfigParameters } from './parameters.js';
import { PolicyWatch } from './watch-policies.js';

type ListParameters = Pick<
  ConfigParameters,
  | 'allowedTools'
  | 'excludeTools'
  | 'coreTools'
  | 'confirmationRequired'
  | 'disableYoloMode'
  | 'disableAlwaysAllow'
  | 'enableConseca'
> &
  McpListParameters;
type PolicyParameters = ListParameters &
  Pick<
    CompleteParameters,
    | 'sessionId'
    | 'interactive'
    | 'policyPaths'
    | 'adminPolicyPaths'
    | 'plansDirectory'
    | 'extensions'
    | 'extensionMemory'
  >;

export interface PolicyParts {
  parameters: () => PolicyParameters;
  environment: Environment;
  isTrusted: () => boolean;
  targetDir: string;
  storage: Storage;
  modes: ModeState;
  /** Workspace folders, as real paths. */
  directories: () => readonly string[];
  notice: (message: string) => void;
  /** Asks the user about new or changed project policies. */
  acceptWorkspace: (change: WorkspacePolicyChange) => Promise<boolean>;
  kindOf: (toolName: string) => Kind | undefined;
  commandOfProcess: (pid: number) => string | undefined;
  history: () => unknown[];
  judgeTask: CheckerHost['judgeTask'];
  isBuiltinSkill: CheckerHost['isBuiltinSkill'];
  containment: ContainmentCheck;
}

export interface PolicyServices {
  engine: PolicyEngine;
  /** After a change of trust or of a file. Problems are reported, never thrown. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** @throws FatalConfigError when an administrator rule is invalid */
export async function composePolicy(parts: PolicyParts): Promise<PolicyServices> {
  const { environment, isTrusted, targetDir, storage, modes, directories, notice } = parts;
  const { kindOf, commandOfProcess, history, judgeTask, acceptWorkspace, containment, isBuiltinSkill } =
    parts;
  const parameters = parts.parameters();
  const toolNames = BUILTIN_TOOLS.map(({ name }) => name);
  const engine = new PolicyEngine({
    environment,
    modes,
    interactive: parameters.interactive,
    ...policyListsFrom(parameters),
    isTrusted,
    kindOf,
    containment,
    workspace: () => ({ cwd: targetDir, directories: directories() }),
    resolvePath: (path) => {
      const resolved = resolveToolPath(
        { getTargetDir: () => targetDir, getEnvironment: () => environment },
        path,
      );
      // The tool itself refuses an invalid path.
      return 'path' in resolved ? resolved.path : resolve(targetDir, path);
    },
    projectTempDir: storage.getProjectTempDir(),
    plansDirectory: () => plansDirectory(parts.parameters(), targetDir, storage),
    sources: () => ({
      globalDir: storage.getGlobalGeminiDir(),
      environment,
      projectDir: targetDir,
      trusted: isTrusted(),
      interactive: parameters.interactive,
      policyPaths: parts.parameters().policyPaths,
      adminPolicyPaths: parts.parameters().adminPolicyPaths,
      extensions: extensionPolicies(parts.parameters()),
      acceptWorkspace,
      toolNames: [
        ...toolNames,
        ...agentFilesIn([storage.getGlobalGeminiDir(), join(targetDir, '.gemini')]),
        ...activeExtensions(parts.parameters()).flatMap(({ agents = [] }) =>
          agents.map((file) => parse(file).name),
        ),
      ],
    }),
    commandOfProcess,
    history,
    judgeTask,
    isBuiltinSkill,
    onNotice: notice,
  });
  const said = new Set<string>();
  const reload = async () => {
    const loaded = await engine.reload();
    const lines = [
      ...listWarnings(policyListsFrom(parts.parameters()), toolNames),
      ...(loaded?.warnings ?? []),
      ...(loaded?.problems ?? []).map(describeProblem),
    ];
    for (const line of lines) {
      if (!said.has(line)) notice(line);
      said.add(line);
    }
  };
  await reload();
  // In order: an earlier read must not overwrite a later one.
  let refreshing = Promise.resolve();
  const refresh = () => {
    refreshing = refreshing.then(reload).catch((error: unknown) => {
      notice(`The policies could not be read again: ${messageOf(error)}`);
    });
    return refreshing;
  };
  const { policyPaths, adminPolicyPaths } = parameters;
  const watching = new PolicyWatch(
    {
      globalDir: storage.getGlobalGeminiDir(),
      projectDir: targetDir,
      paths: [...policyPaths, ...adminPolicyPaths],
    },
    refresh,
  );
  return {
    engine,
    refresh,
    close: async () => {
      watching.close();
      await engine.flush();
    },
  };
}

export function policyListsFrom(parameters: ListParameters, tools = BUILTIN_TOOLS): PolicyLists {
  return {
    allowedTools: canonicalEntries(parameters.allowedTools, tools),
    excludedTools: canonicalEntries(parameters.excludeTools, tools),
    coreTools: canonicalEntries(parameters.coreTools, tools),
    confirmationRequired: canonicalEntries(parameters.confirmationRequired, tools),
    disableYoloMode: parameters.disableYoloMode,
    disableAlwaysAllow: parameters.disableAlwaysAllow,
    enableConseca: parameters.enableConseca,
    ...mcpPolicyLists(parameters),
  };
}

/** A configured plans folder must be below the project root: in the root itself, every Markdown file would be a plan. */
function plansDirectory(parameters: PolicyParameters, targetDir: string, storage: Storage): string {
  const own = parameters.plansDirectory
    ? resolve(targetDir, parameters.plansDirectory)
    : extensionPlansDirectory(parameters, targetDir);
  if (own && own !== resolve(targetDir) && isInside(own, targetDir)) return own;
  return join(storage.getProjectTempDir(), parameters.sessionId, 'plans');
}

/** Rules may name agents. Their files are read later: the name of the file, which nearly always is the agent's, must do. */
function agentFilesIn(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => {
    try {
      const names = readdirSync(join(folder, 'agents'));
      return names.flatMap((file) => (file.endsWith('.md') ? [parse(file).name] : []));
    } catch {
      return [];
    }
  });
}
