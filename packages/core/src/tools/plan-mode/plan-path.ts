/**
 * In plan mode a relative path of `write_file` and `replace` names a file in the plans folder, the only place to write.
 * The scheduler rewrites the call before it is built, so that policy, the user and the tool see the same path.
 */
import { isAbsolute, join, resolve } from 'node:path';
import { isInside } from '../../platform/files/real-path.js';
import { ApprovalMode } from '../../protocol/confirmation.js';
import { canonicalToolName, REPLACE, WRITE_FILE } from '../../protocol/tool-names.js';
import type { PlanHost } from './plan-host.js';

export type PlanPathHost = { getTargetDir(): string } & Pick<
  PlanHost,
  'getApprovalMode' | 'getPlansDirectory'
>;

const PATH_NAMES = ['file_path', 'absolute_path', 'path'];

/** The arguments come from the model and are unchecked. */
export function withPlanPath(
  host: PlanPathHost,
  toolName: string,
  args: Record<string, unknown>,
): Record<string, unknown> {
  const writes = [WRITE_FILE, REPLACE].includes(canonicalToolName(toolName));
  if (!writes || host.getApprovalMode() !== ApprovalMode.PLAN) return args;
  const directory = host.getPlansDirectory();
  if (!directory) return args;
  const rewritten = { ...args };
  for (const name of PATH_NAMES) {
    const path = args[name];
    if (typeof path === 'string' && isPlanName(path, host.getTargetDir(), directory))
      rewritten[name] = join(directory, path);
  }
  return rewritten;
}

/** False for what names the folder already: a model that was told it may write it relative to the project. */
function isPlanName(path: string, projectDir: string, plansDirectory: string): boolean {
  if (path.trim() === '' || path.startsWith('~') || isAbsolute(path)) return false;
  return !isInside(resolve(projectDir, path), plansDirectory);
}
