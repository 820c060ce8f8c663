/** How files of the result refer to each other: by variables in an extension, by absolute paths in the home folder. */
import { posix } from 'node:path';
import type { PluginText } from '../../agents/definition/fix/transform-body.js';
import { geminiToolName } from '../../protocol/claude-tool-names.js';
import { type ServerNames, withServerNames } from './components/mcp-names.js';
import { type MovedPaths, movedPath } from './components/moved-paths.js';
import type { ConvertTarget, ReadPlugin } from './types.js';

export interface Places {
  isHome: boolean;
  /** What the folder of the plugin is here. */
  root: string;
  /** The folder of a skill. */
  skillFolder: (name: string) => string;
  /** The path in the result of a file that is not a component. */
  filePath: (path: string) => string;
  /** The path in the result of a file or folder of the plugin that keeps its form. */
  outputPath: (path: string) => string;
  /** Replaces a path below the plugin's folder; `rest` is empty or begins with a slash. */
  pluginPath: (rest: string) => string;
  /** What the project's folder is for MCP servers. */
  workspace: string;
}

/**
 * @param movedFolders folders of the plugin that lie elsewhere in the result: `skills/a/x` is `skills/x`
 * @param rootFolder where all other files are if the plugin is one skill
 */
export function placesOf(
  target: ConvertTarget,
  name: string,
  movedFolders: ReadonlyMap<string, string>,
  rootFolder?: string,
): Places {
  const isHome = target.kind === 'home';
  const home = isHome ? target.dir : '';
  const root = isHome ? `${home}/${name}/files` : '${extensionPath}';
  const placeOf = (path: string) =>
    isHome && !/^(?:skills|agents|commands)\//.test(path)
      ? `${root}/${path}`
      : isHome
        ? `${home}/${path}`
        : `${root}/${path}`;
  const moved = [...movedFolders].sort(([a], [b]) => b.length - a.length);
  const placeOfMoved = (path: string): string | undefined => {
    const [from, to] = moved.find(([folder]) => path === folder || path.startsWith(`${folder}/`)) ?? [];
    if (from === undefined || to === undefined)
      return rootFolder === undefined ? undefined : posix.join(rootFolder, path);
    return to + path.slice(from.length);
  };
  const filePath = (path: string) => (isHome ? `${name}/files/${path}` : path);
  return {
    isHome,
    root,
    skillFolder: (skill) => placeOf(`skills/${skill}`),
    filePath,
    outputPath: (path) => {
      const to = placeOfMoved(path);
      return to === undefined || to.startsWith('resources/') ? filePath(to ?? path) : to;
    },
    pluginPath: (rest) => {
      const to = placeOfMoved(rest.slice(1));
      return to === undefined ? `${root}${rest}` : placeOf(to);
    },
    workspace: isHome ? '.' : '${workspacePath}',
  };
}

/** What the texts of a plugin refer to. */
export function pluginText(
  plugin: Pick<ReadPlugin, 'writtenName' | 'paths'>,
  extension: { name: string; skills: ReadonlySet<string>; servers: ServerNames; moved?: MovedPaths },
  places: Places,
  file: string,
): PluginText {
  const { moved } = extension;
  return {
    pluginPath: places.pluginPath,
    ...(moved && { relativePath: (path: string) => movedPath(path, file, moved) }),
    toolName: (name) => geminiToolName(withServerNames(name, extension.servers)),
    commandName: (written, command) => {
      if (written !== plugin.writtenName && written !== extension.name) return undefined;
      // Skills of an extension are called by both names.
      const isSkill = extension.skills.has(command) && !places.isHome;
      return isSkill ? `${extension.name}:${command}` : command;
    },
    isOwnFile: (path) =>
      path.startsWith(`${places.root}/`) ||
      (path.includes('/') && plugin.paths.has(posix.normalize(path))) ||
      (plugin.paths.has(posix.join(posix.dirname(file), path)) && posix.dirname(file) !== '.'),
  };
}
