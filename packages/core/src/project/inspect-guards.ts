/** Policy and sandbox guards of a folder that cannot work, as a start there would report them. For `gemini doctor`. */
import { policyListsFrom } from '../engine/compose-policy.js';
import { filteringFrom } from '../engine/derived-settings.js';
import type { Environment } from '../platform/environment.js';
import { globalGeminiDir } from '../platform/storage/storage.js';
import { listWarnings } from '../policy/files/list-warnings.js';
import { loadPolicies } from '../policy/files/sources.js';
import { describeProblem } from '../policy/rules/rule.js';
import type { Settings } from '../settings/schema/index.js';
import { settingParameters, withDefaults } from '../settings/schema/parameters.js';
import { idleGuards } from '../settings/trust/idle-guards.js';
import { BUILTIN_TOOLS } from '../tools/catalog.js';
import { ignoreFileProblems } from '../workspace/ignore-problems.js';
import { policyPaths } from './parameters-from.js';

export interface GuardSources {
  cwd: string;
  environment: Environment;
  settings: Settings;
  trusted: boolean;
}

export async function inspectGuards(sources: GuardSources): Promise<string[]> {
  const { cwd, settings } = sources;
  const parameters = withDefaults(settingParameters(settings));
  return [
    ...idleGuards(settings),
    ...listWarnings(
      policyListsFrom(parameters),
      BUILTIN_TOOLS.map(({ name }) => name),
    ),
    ...(await policyProblems(sources, parameters)),
    ...ignoreFileProblems(cwd, filteringFrom(parameters)),
  ].map((line) => line.replace(/^Security: /, ''));
}

async function policyProblems(
  { cwd, environment, trusted }: GuardSources,
  parameters: { policyPaths: readonly string[]; adminPolicyPaths: readonly string[] },
): Promise<string[]> {
  const around = { cwd, environment };
  const { warnings, problems } = await loadPolicies({
    globalDir: globalGeminiDir(environment.variables),
    environment,
    projectDir: cwd,
    trusted,
    interactive: false,
    policyPaths: policyPaths(parameters.policyPaths, [], around),
    adminPolicyPaths: policyPaths(parameters.adminPolicyPaths, [], around),
    toolNames: BUILTIN_TOOLS.map(({ name }) => name),
  });
  return [
    ...warnings.filter((line) => line.startsWith('Security:') || line.includes(' are ignored: ')),
    ...problems.filter(({ severity, missesTool }) => severity === 'error' || missesTool).map(describeProblem),
  ];
}
