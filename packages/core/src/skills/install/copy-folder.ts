/** Copies the folder of a skill. */
import { copyTree } from '../../platform/files/copy-tree.js';
import { SkillInstallError } from './error.js';

const LIMITS = { maxFiles: 20_000, maxBytes: 200 * 1024 * 1024 };

/** @param to does not exist yet @throws SkillInstallError; the caller removes what was copied */
export function copySkillFolder(from: string, to: string): void {
  const refuse = (message: string) => new SkillInstallError(message);
  copyTree(from, to, { what: 'skill', ...LIMITS, refuse });
}
