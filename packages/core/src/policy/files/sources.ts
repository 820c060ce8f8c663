/** Loads the policy files of all tiers and decides which of their rules count. */
import { join } from 'node:path';
import type { Environment } from '../../platform/environment.js';
import type { FileMemory } from '../../platform/files/file-memory.js';
import { realPathOf } from '../../platform/files/real-path.js';
import { ApprovalMode, PolicyDecision } from '../../protocol/confirmation.js';
import { checkersOf } from '../checkers/selection.js';
import { unusableCheckers } from '../checkers/usable.js';
import type { PolicyProblem, PolicyTier, RuleConditions } from '../rules/rule.js';
import { extensionExclusions } from '../rules/settings-rules.js';
import { adminDirectoryProblem } from './admin-directory.js';
import { acceptIntegrity, digestOf, integrityOf } from './integrity.js';
import { standardAdminDirectory, workspacePolicyPaths } from './policy-presence.js';
import {
  emptyPolicySet,
  type PolicyFile,
  type PolicySet,
  parsePolicyFile,
  readPolicyFiles,
} from './toml-loader.js';

export interface ExtensionPolicies {
  name: string;
  /** Its folder, with `policies/*.toml`. */
  path: string;
  /** In any spelling that `tools.exclude` takes, by registered tool names. */
  excludeTools?: readonly string[];
  /** What earlier starts have read. */
  memory?: FileMemory;
}

/** A new or changed set of policy files of the project. */
export interface WorkspacePolicyChange {
  files: readonly string[];
  state: 'new' | 'changed';
  /** How many rules would let tools run without asking. */
  allowRules: number;
}

export interface PolicySources {
  /** `~/.gemini` */
  globalDir: string;
  environment: Pick<Environment, 'home' | 'variables'>;
  projectDir?: string;
  trusted: boolean;
  interactive: boolean;
  /** `--policy` and `policyPaths`. */
  policyPaths?: readonly string[];
  /** `--admin-policy` and `adminPolicyPaths`. */
  adminPolicyPaths?: readonly string[];
  /** For tests; default: the standard place. */
  adminDir?: string;
  extensions?: readonly ExtensionPolicies[];
  /** Names of the built-in tools, to suggest for misspelt ones. */
  toolNames?: readonly string[];
  /** Shows the change and asks the user. Absent: not accepted, as in a headless run. */
  acceptWorkspace?: (change: WorkspacePolicyChange) => Promise<boolean>;
}

export interface LoadedPolicies extends PolicySet {
  /** Messages for the user that are not about one file. */
  warnings: string[];
  /** Every file that was read, for the file watcher. */
  files: string[];
}

/** The rules and checkers of policy files, without the messages. */
export type FileRules = Pick<LoadedPolicies, 'rules' | 'checkers'>;

export async function loadPolicies(sources: PolicySources): Promise<LoadedPolicies> {
  const loaded: LoadedPolicies = { ...emptyPolicySet(), warnings: [], files: [] };
  await loadAdmin(sources, loaded);
  await loadUser(sources, loaded);
  await loadWorkspace(sources, loaded);
  for (const extension of sources.extensions ?? []) await loadExtension(extension, sources, loaded);
  loaded.warnings.push(...unusableCheckers(checkersOf(loaded), join(sources.globalDir, 'checkers')));
  return loaded;
}

async function loadAdmin(sources: PolicySources, loaded: LoadedPolicies) {
  const { adminDir, adminPolicyPaths = [], environment } = sources;
  const directory = adminDir ?? standardAdminDirectory();
  const problem = await adminDirectoryProblem(directory, environment.variables);
  let hasStandard = false;
  if (problem) loaded.warnings.push(`Security: the policies in ${directory} are ignored: ${problem}.`);
  else hasStandard = (await load([directory], 'admin', sources, loaded)) > 0;
  if (adminPolicyPaths.length === 0) return;
  if (hasStandard) {
    loaded.warnings.push(`--admin-policy and adminPolicyPaths are ignored: ${directory} holds policies.`);
  } else await load(adminPolicyPaths, 'admin', sources, loaded, { mustExist: true });
}

async function loadUser(sources: PolicySources, loaded: LoadedPolicies) {
  const { globalDir, policyPaths = [] } = sources;
  const directory = join(globalDir, 'policies');
  await load(policyPaths, 'user', sources, loaded, { mustExist: true });
  const isReplaced = policyPaths.length > 0;
  const accepts = isReplaced ? isRestriction : () => true;
  const count = await load([directory], 'user', sources, loaded, { accepts });
  if (isReplaced && count > 0) {
    loaded.warnings.push(
      `--policy replaces the allow rules in ${directory}; its deny and ask rules stay in force.`,
    );
  }
}

async function loadWorkspace(sources: PolicySources, loaded: LoadedPolicies): Promise<void> {
  const { projectDir, trusted, globalDir, environment, interactive, acceptWorkspace, toolNames } = sources;
  if (!projectDir || !trusted || projectDir === environment.home || join(projectDir, '.gemini') === globalDir)
    return;
  const paths = workspacePolicyPaths(projectDir);
  const { files, problems } = readPolicyFiles(paths, 'workspace');
  loaded.problems.push(...problems);
  if (files.length === 0) return;
  const store = join(globalDir, 'policy_integrity.json');
  const digest = digestOf(files, projectDir);
  const state = integrityOf(store, projectDir, digest);
  const sets = await Promise.all(
    files.map((file) => parsePolicyFile(file, 'workspace', { toolNames, projectDir })),
  );
  // Without a rule there is nothing to accept; mistakes in the files are reported all the same.
  const isEmpty = sets.every(({ rules, checkers }) => rules.length + checkers.length === 0);
  let isAccepted = isEmpty || state === 'accepted';
  if (!isAccepted && interactive && acceptWorkspace) {
    const allowRules = sets.flatMap(({ rules }) => rules).filter((rule) => !isRestriction(rule)).length;
    const change = { files: files.map(({ path }) => path), state: state as 'new' | 'changed', allowRules };
    isAccepted = await acceptWorkspace(change);
    if (isAccepted) await acceptIntegrity(store, projectDir, digest);
  }
  const accepts: Accepts = (item) => isForThisProject(item, sources) && (isAccepted || isRestriction(item));
  for (const set of sets) addTo(loaded, set, accepts);
  loaded.files.push(...files.map(({ path }) => path));
  if (!isAccepted) {
    const what = state === 'new' ? 'are new' : 'have changed';
    loaded.warnings.push(
      `The policies of this project (${join(projectDir, '.gemini')}) ${what}: only rules that deny or ask are in ` +
        'force until you accept them in an interactive session.',
    );
  }
}

/** Extensions can only restrict: their allow rules are dropped. */
async function loadExtension(
  { name, path, excludeTools = [], memory }: ExtensionPolicies,
  { toolNames }: PolicySources,
  loaded: LoadedPolicies,
) {
  const folder = join(path, 'policies');
  const known = memory?.recall<PolicyFile[]>('policies', folder);
  const lesson = known ? undefined : memory?.lesson('policies', folder);
  const { files, problems } = known
    ? { files: known, problems: [] }
    : readPolicyFiles([folder], 'extension', { look: (at) => lesson?.look(at) });
  loaded.problems.push(...problems);
  const parsed: PolicyFile[] = [];
  for (const file of files) {
    const label = `Extension (${name}): ${file.path}`;
    const set = await parsePolicyFile(file, 'extension', {
      label,
      toolNames,
      onContent: (content) => parsed.push({ ...file, content }),
    });
    loaded.files.push(file.path);
    addTo(loaded, set, (item) => {
      const isAllow = 'decision' in item && item.decision === PolicyDecision.ALLOW;
      if (!isAllow && !item.modes?.includes(ApprovalMode.YOLO)) return true;
      const what = isAllow ? 'an allow rule' : 'a rule for yolo mode';
      loaded.warnings.push(`${label}: ${what} was dropped; extensions can only restrict.`);
      return false;
    });
  }
  // A broken file is read again at each start.
  if (problems.length === 0 && parsed.length === files.length) lesson?.learn(parsed);
  loaded.rules.push(...extensionExclusions(name, excludeTools));
}

type Accepts = (item: RuleConditions & { decision?: PolicyDecision; project?: string }) => boolean;

function isForThisProject({ project }: Parameters<Accepts>[0], { projectDir }: PolicySources): boolean {
  return project === undefined || (projectDir !== undefined && realPathOf(projectDir) === project);
}

/** True for checkers, too: they have no decision and can only restrict. */
const isRestriction: Accepts = ({ decision }) => decision !== PolicyDecision.ALLOW;

async function load(
  paths: readonly string[],
  tier: PolicyTier,
  sources: PolicySources,
  loaded: LoadedPolicies,
  { mustExist = false, accepts = () => true }: { mustExist?: boolean; accepts?: Accepts } = {},
): Promise<number> {
  const { files, problems } = readPolicyFiles(paths, tier, { mustExist });
  loaded.problems.push(...problems);
  for (const file of files) {
    const set = await parsePolicyFile(file, tier, { toolNames: sources.toolNames });
    addTo(loaded, set, (item) => isForThisProject(item, sources) && accepts(item));
    loaded.files.push(file.path);
  }
  return files.length;
}

function addTo(loaded: LoadedPolicies, set: PolicySet, accepts: Accepts): void {
  loaded.rules.push(...set.rules.filter(accepts));
  loaded.checkers.push(...set.checkers.filter(accepts));
  loaded.problems.push(...set.problems);
}

/** A broken deny rule of the administrator: the program must not run without it. */
export function fatalProblem(problems: readonly PolicyProblem[]): PolicyProblem | undefined {
  return problems.find(
    ({ tier, severity, losesDeny }) => tier === 'admin' && severity === 'error' && losesDeny,
  );
}
