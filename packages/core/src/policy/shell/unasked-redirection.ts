/** Redirections that auto_edit takes for a reading or an edit of an ordinary file of the workspace. */
import { dirname } from 'node:path';
import { protectedNameIn } from '../../platform/files/protected-names.js';
import { isInside } from '../../platform/files/real-path.js';
import { looksLikeGitDirectory } from './git-repository.js';
import { isReadablePath } from './readable-path.js';
import { type Places, type Surroundings, walkWord } from './surroundings.js';
import type { Redirection, Word } from './types.js';

/** As an edit: inside of the workspace, and not of what decides over us or over programs that run later. */
export function isUnaskedRedirection(
  { kind, target, body }: Redirection,
  around: Surroundings,
  places: Places,
  writesFile: boolean,
): boolean {
  // Into a file the text may have values of variables; what is shown of that file is masked.
  if (kind === 'heredoc' || kind === 'herestring') return body !== undefined || writesFile;
  if (!target?.literal || target.glob || !places.certain) return false;
  return kind === 'input' ? isReadablePath(target, around, places) : isUnaskedEdit(target, around, places);
}

function isUnaskedEdit(target: Word, around: Surroundings, places: Places): boolean {
  if (protectedNameIn(target.text)) return false;
  const walked = walkWord(target, places.reachable, around, places.walker);
  return (
    walked?.every(({ path, certainty }) => {
      const workspace = around.workspaces.find((folder) => isInside(path, folder));
      if (certainty !== 'certain' || workspace === undefined) return false;
      return !protectedNameIn(path.slice(workspace.length)) && !isInGitDirectory(path, workspace);
    }) ?? false
  );
}

/** A repository need not be called `.git`. */
function isInGitDirectory(path: string, workspace: string): boolean {
  for (let folder = dirname(path); isInside(folder, workspace); folder = dirname(folder))
    if (looksLikeGitDirectory(folder)) return true;
  return false;
}
