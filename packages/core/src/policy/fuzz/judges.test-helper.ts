/** Asks the policy engine in each mode of the fuzzer. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { environmentOf } from '../../platform/environment.js';
import { ApprovalMode, PolicyDecision } from '../../protocol/confirmation.js';
import { PolicyEngine } from '../policy-engine.js';
import { prefixRules } from '../policy-lab.test-helper.js';
import type { FuzzMode } from './canaries.test-helper.js';
import type { DriverJob } from './driver-lab.test-helper.js';
import { DENIED, type FuzzLab } from './lab.test-helper.js';
import { labVariables } from './runner.test-helper.js';

export interface Judges {
  /** True: the command would run unasked. */
  allow(job: DriverJob): Promise<boolean>;
}

/** Builtins that set variables, allowed by a rule: what they set must be judged all the same. */
const ALLOWED = 'printf read mapfile readarray getopts declare typeset let : set wait exec'.split(' ');
const RULES: Partial<Record<FuzzMode, string>> = {
  rules: prefixRules('allow', ALLOWED),
  'yolo-deny': prefixRules('deny', [DENIED], 500),
};
const MODES: Partial<Record<FuzzMode, ApprovalMode>> = {
  auto_edit: ApprovalMode.AUTO_EDIT,
  'yolo-deny': ApprovalMode.YOLO,
  'yolo-removal': ApprovalMode.YOLO,
};

export function judgesOf(lab: FuzzLab): Judges {
  const engines = new Map<FuzzMode, Promise<PolicyEngine>>();
  const engineFor = (mode: FuzzMode) => {
    const engine = engines.get(mode) ?? engineOf(lab, mode);
    engines.set(mode, engine);
    return engine;
  };
  return {
    async allow({ command, directory, mode }) {
      const path = relative('ws', directory);
      const args = path ? { command, dir_path: path } : { command };
      const engine = await engineFor(mode);
      return (await engine.evaluate({ name: 'run_shell_command', args })) === PolicyDecision.ALLOW;
    },
  };
}

async function engineOf(lab: FuzzLab, mode: FuzzMode): Promise<PolicyEngine> {
  const { workspace, root } = lab;
  const environment = environmentOf(labVariables(lab), workspace);
  // Outside the lab, because the rules are not canaries.
  const globalDir = join(dirname(root), `rules-${mode}`);
  mkdirSync(join(globalDir, 'policies'), { recursive: true });
  writeFileSync(join(globalDir, 'policies/rules.toml'), RULES[mode] ?? '');
  const engine = new PolicyEngine({
    environment,
    approvalMode: MODES[mode] ?? ApprovalMode.DEFAULT,
    interactive: true,
    kindOf: () => undefined,
    workspace: () => ({ cwd: workspace, directories: [workspace] }),
    sources: () => ({
      globalDir,
      environment,
      projectDir: workspace,
      trusted: true,
      interactive: true,
      adminDir: join(root, 'no-admin'),
    }),
  });
  await engine.reload();
  return engine;
}
