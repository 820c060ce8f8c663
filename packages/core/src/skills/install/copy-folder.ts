/** Copies a skill's folder. Only files, folders and links that stay inside are copied, up to a limit. */
import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isInside } from '../../platform/files/real-path.js';
import { SkillInstallError } from './error.js';

const MAX_BYTES = 200 * 1024 * 1024;
const MAX_FILES = 20_000;
const SKIPPED: ReadonlySet<string> = new Set(['.git']);

/** @param to does not exist yet @throws SkillInstallError; the caller removes what was copied */
export function copySkillFolder(from: string, to: string): void {
  const root = realpathSync(from);
  const total = { bytes: 0, files: 0 };
  mkdirSync(to, { recursive: true });
  const copy = (source: string, target: string) => {
    for (const name of readdirSync(source)) {
      if (SKIPPED.has(name)) continue;
      const [path, copied] = [join(source, name), join(target, name)];
      const stats = lstatSync(path);
      total.bytes += stats.isFile() ? stats.size : 0;
      if (++total.files > MAX_FILES || total.bytes > MAX_BYTES)
        throw new SkillInstallError(`${from} is too large for a skill: over ${MAX_FILES} files or 200 MB.`);
      if (stats.isDirectory()) {
        mkdirSync(copied);
        copy(path, copied);
      } else if (stats.isSymbolicLink()) {
        symlinkSync(linkInside(path, root), copied);
      } else if (stats.isFile()) {
        copyFileSync(path, copied, constants.COPYFILE_EXCL);
        chmodSync(copied, (stats.mode & 0o100) !== 0 ? 0o755 : 0o644);
      } else {
        throw new SkillInstallError(`${path} is neither a file nor a folder, so the skill is not installed.`);
      }
    }
  };
  copy(root, to);
}

/** The target of a link, if it is relative and leads to a file of the skill. */
function linkInside(path: string, root: string): string {
  const target = readlinkSync(path);
  try {
    if (!isAbsolute(target) && isInside(realpathSync(path), root)) return target;
  } catch {
    // Leads nowhere.
  }
  throw new SkillInstallError(`${path} is a link that leaves the skill, so the skill is not installed.`);
}
