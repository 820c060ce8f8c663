/** Creates policy engines with real policy files in a temporary home and project. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { environmentOf } from '../platform/environment.js';

import { ApprovalMode, type PolicyDecision } from '../protocol/confirmation.js';
import type { PolicySources } from './files/sources.js';
import { PolicyEngine, type PolicyOptions } from './policy-engine.js';
import { tempFolder } from './temp-folder.test-helper.js';

export interface EngineSetup extends Partial<PolicyOptions> {
  /** Content by path, relative to the temporary folder: `home/.gemini/policies/a.toml`. */
  files?: Record<string, string>;
  sourcesWith?: Partial<PolicySources>;
}

export function policyLab() {
  const folder = tempFolder();
  const home = join(folder.path, 'home');
  const project = join(home, 'project');
  const globalDir = join(home, '.gemini');
  mkdirSync(join(project, 'src'), { recursive: true });
  mkdirSync(join(project, '.git'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  };
  const environment = environmentOf({ ...process.env, GEMINI_CLI_HOME: home }, project);
  const make = (setup: EngineSetup = {}) => {
    const { files = {}, sourcesWith, ...options } = setup;
    for (const [path, text] of Object.entries(files)) write(path, text);
    const interactive = options.interactive ?? true;
    return new PolicyEngine({
      environment,
      approvalMode: ApprovalMode.DEFAULT,
      interactive,
      kindOf: () => undefined,
      workspace: () => ({ cwd: project, directories: [project] }),
      sources: () => ({
        globalDir,
        environment,
        projectDir: project,
        trusted: options.isTrusted?.() ?? true,
        interactive,
        adminDir: join(folder.path, 'no-admin'),
        ...sourcesWith,
      }),
      ...options,
    });
  };
  /** An engine with its files loaded. */
  const engine = async (setup: EngineSetup = {}) => {
    const made = make(setup);
    await made.reload();
    return made;
  };
  /** An engine with these user rules. */
  const withRules = (rules: string, setup: EngineSetup = {}) =>
    engine({ ...setup, files: { ...setup.files, 'home/.gemini/policies/rules.toml': rules } });
  return { folder, home, project, globalDir, write, make, engine, withRules };
}

export function shell(
  engine: PolicyEngine,
  command: string,
  rest: Record<string, unknown> = {},
): Promise<PolicyDecision> {
  return engine.evaluate({ name: 'run_shell_command', args: { command, ...rest } });
}

/** `[[rule]]` tables of the shell, one per prefix. */
export function prefixRules(decision: string, prefixes: readonly string[], priority = 100): string {
  return prefixes
    .map(
      (prefix) =>
        `[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = ${JSON.stringify(prefix)}\ndecision = "${decision}"\npriority = ${priority}\n`,
    )
    .join('\n');
}
