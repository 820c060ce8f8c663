/** Who decides about calls: rules of all files and settings, and what keeps them up to date. */
import { join, resolve } from 'node:path';
import { messageOf } from '../base/errors.js';
import { isInside } from '../platform/real-path.js';
import type { Storage } from '../platform/storage.js';
import { PolicyEngine, type PolicyLists } from '../policy/policy-engine.js';
import { describeProblem } from '../policy/rule.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import type { Kind } from '../protocol/tool-declaration.js';
import { BUILTIN_TOOLS, canonicalEntries } from '../tools/catalog.js';
import { resolveToolPath } from '../workspace/tool-path.js';
import type { WorkspaceContext } from '../workspace/workspace-context.js';
import type { Config } from './config.js';
import type { ConfigParameters } from './parameters.js';
import { PolicyWatch } from './watch-policies.js';

export interface PolicySurroundings {
  config: Config;
  targetDir: string;
  storage: Storage;
  workspaceContext: WorkspaceContext;
  kindOf: (toolName: string) => Kind | undefined;
  commandOfProcess: (pid: number) => string | undefined;
  history: () => unknown[];
}

export interface PolicyServices {
  engine: PolicyEngine;
  /** After a change of trust or of a file. Problems are told, never thrown. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** @throws FatalConfigError when a rule of the administrator cannot be used */
export async function composePolicy(surroundings: PolicySurroundings): Promise<PolicyServices> {
  const { config, targetDir, storage, workspaceContext, kindOf, commandOfProcess, history } = surroundings;
  const { parameters } = config;
  const environment = config.getEnvironment();
  const tell = (message: string) => parameters.onNotice?.(message);
  const engine = new PolicyEngine({
    environment,
    approvalMode: parameters.approvalMode ?? ApprovalMode.DEFAULT,
    interactive: parameters.interactive,
    ...policyListsFrom(parameters),
    isTrusted: () => config.isTrustedFolder(),
    kindOf,
    workspace: () => ({ cwd: targetDir, directories: workspaceContext.getDirectories() }),
    resolvePath: (path) => {
      const resolved = resolveToolPath(
        { getTargetDir: () => targetDir, getEnvironment: () => environment },
        path,
      );
      // What is no path to a tool is refused by it.
      return 'path' in resolved ? resolved.path : resolve(targetDir, path);
    },
    projectTempDir: storage.getProjectTempDir(),
    plansDirectory: () => plansDirectory(config, targetDir, storage),
    sources: () => ({
      globalDir: storage.getGlobalGeminiDir(),
      environment,
      projectDir: targetDir,
      trusted: config.isTrustedFolder(),
      interactive: parameters.interactive,
      policyPaths: config.parameters.policyPaths,
      adminPolicyPaths: config.parameters.adminPolicyPaths,
      acceptWorkspace: parameters.onWorkspacePolicies,
      toolNames: BUILTIN_TOOLS.map(({ name }) => name),
    }),
    commandOfProcess,
    history,
    onNotice: tell,
  });
  const said = new Set<string>();
  const reload = async () => {
    const loaded = await engine.reload();
    for (const line of [...(loaded?.warnings ?? []), ...(loaded?.problems ?? []).map(describeProblem)]) {
      if (!said.has(line)) tell(line);
      said.add(line);
    }
  };
  await reload();
  // One after the other: what was read earlier must not take the place of what was read later.
  let refreshing = Promise.resolve();
  const refresh = () => {
    refreshing = refreshing.then(reload).catch((error: unknown) => {
      tell(`The policies could not be read again: ${messageOf(error)}`);
    });
    return refreshing;
  };
  const { policyPaths = [], adminPolicyPaths = [] } = parameters;
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

export function policyListsFrom(parameters: ConfigParameters, tools = BUILTIN_TOOLS): PolicyLists {
  return {
    allowedTools: canonicalEntries(parameters.allowedTools, tools),
    excludedTools: canonicalEntries(parameters.excludeTools, tools),
    coreTools: canonicalEntries(parameters.coreTools, tools),
    confirmationRequired: canonicalEntries(parameters.confirmationRequired, tools),
    disableYoloMode: parameters.disableYoloMode,
    disableAlwaysAllow: parameters.disableAlwaysAllow,
  };
}

/** A folder of the user's own must lie in the project, and not be all of it: every Markdown file would be a plan. */
function plansDirectory({ parameters }: Config, targetDir: string, storage: Storage): string {
  const own = parameters.plansDirectory && resolve(targetDir, parameters.plansDirectory);
  if (own && own !== resolve(targetDir) && isInside(own, targetDir)) return own;
  return join(storage.getProjectTempDir(), parameters.sessionId, 'plans');
}
