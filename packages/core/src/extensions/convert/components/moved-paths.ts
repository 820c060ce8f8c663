/** Paths in the texts of a skill that lead out of its folder, where the skill or their target has another place here. */
import { posix } from 'node:path';

export interface MovedPaths {
  /** Paths of all files and folders of the plugin. */
  paths: ReadonlySet<string>;
  /** The path in the result of a file or folder of the plugin. */
  outputPath: (path: string) => string;
  /** The whole path here of a path below the plugin's folder; `rest` is empty or begins with a slash. */
  pluginPath: (rest: string) => string;
  /** Folders of the skills. */
  skills: readonly string[];
  /** Files that become commands: those have no folder. */
  commands: ReadonlySet<string>;
}

/** Longer ones are no paths. */
const MAX_PATH = 1000;

/** @param written begins with `../` @returns undefined: it stays as it is */
export function movedPath(written: string, file: string, moved: MovedPaths): string | undefined {
  const skill = moved.skills.find((folder) => file.startsWith(`${folder}/`));
  if (skill === undefined || written.length > MAX_PATH) return undefined;
  // Some authors count from the folder of the skill, also in its subfolders.
  for (const from of new Set([posix.dirname(file), skill])) {
    const target = posix.join(from, written);
    if (moved.commands.has(target) || !isThere(target.replace(/\/$/, ''), moved.paths)) continue;
    if (moved.commands.has(file)) return moved.pluginPath(`/${target}`);
    const path = posix.relative(moved.outputPath(from), moved.outputPath(target));
    return path === posix.normalize(written).replace(/\/$/, '')
      ? undefined
      : `${path}${written.endsWith('/') ? '/' : ''}`;
  }
  return undefined;
}

/** Commands and agents are other files here. */
function isThere(path: string, paths: ReadonlySet<string>): boolean {
  if (path.startsWith('../') || /^(?:commands|agents)(?:\/|$)/.test(path)) return false;
  return paths.has(path);
}

export function withFolders(files: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set(files);
  for (const file of files)
    for (
      let at = file.lastIndexOf('/');
      at > 0 && !all.has(file.slice(0, at));
      at = file.lastIndexOf('/', at - 1)
    )
      all.add(file.slice(0, at));
  return all;
}

const SKILL_FOLDER = /(?:\$\{CLAUDE_SKILL_DIR\}|\$CLAUDE_SKILL_DIR\b|\{baseDir\})((?:\/[\w.@+-]+)*)/g;

/** @param here the folder of the skill in the result */
export function withSkillFolder(
  text: string,
  skill: string,
  here: string,
  pluginPath: (rest: string) => string,
): string {
  return text.replace(SKILL_FOLDER, (_whole, rest: string) => {
    if (!rest.includes('/..') || rest.length > MAX_PATH) return here + rest;
    const path = posix.join(skill, `.${rest}`);
    if (path.startsWith('..')) return here + rest;
    return pluginPath(path === '.' ? '' : `/${path}`);
  });
}
