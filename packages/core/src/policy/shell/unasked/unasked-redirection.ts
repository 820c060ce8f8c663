/** Decides whether a redirection runs unasked in auto_edit mode, like reading or editing an ordinary workspace file. */
import { dirname } from 'node:path';
import { protectedNameIn } from '../../../platform/files/protected-names.js';
import { isInside } from '../../../platform/files/real-path.js';
import { isReadablePath } from '../paths/readable-path.js';
import { type ShellContext, type WorkingDirectories, walkWord } from '../paths/working-directories.js';
import type { Redirection, Word } from '../types.js';
import { looksLikeGitDirectory } from './git-repository.js';

/** The target must lie in the workspace and must not configure this program or programs that run later. */
export function isUnaskedRedirection(
  { kind, target, body }: Redirection,
  context: ShellContext,
  directories: WorkingDirectories,
  writesFile: boolean,
): boolean {
  // Written to a file, the text may contain values of variables: secrets are redacted when the file is shown.
  if (kind === 'heredoc' || kind === 'herestring') return body !== undefined || writesFile;
  if (!target?.literal || target.glob || !directories.certain) return false;
  return kind === 'input'
    ? isReadablePath(target, context, directories)
    : isUnaskedEdit(target, context, directories);
}

function isUnaskedEdit(target: Word, context: ShellContext, directories: WorkingDirectories): boolean {
  if (protectedNameIn(target.text)) return false;
  const walked = walkWord(target, directories.reachable, context, directories.walker);
  return (
    walked?.every(({ path, certainty }) => {
      const workspace = context.workspaces.find((folder) => isInside(path, folder));
      if (certainty !== 'certain' || workspace === undefined) return false;
      return !protectedNameIn(path.slice(workspace.length)) && !isInGitDirectory(path, workspace);
    }) ?? false
  );
}

/** A git directory may have any name. */
function isInGitDirectory(path: string, workspace: string): boolean {
  for (let folder = dirname(path); isInside(folder, workspace); folder = dirname(folder))
    if (looksLikeGitDirectory(folder)) return true;
  return false;
}
