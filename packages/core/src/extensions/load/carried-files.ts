/** What an extension's folder carries beside its manifest, from a few listings of folders. */
import { basename, dirname, join } from 'node:path';
import { HOOK_FILES } from '../../hooks/sources/extension-files.js';
import { entriesIn, namesIn, tryStat } from '../../platform/files/try-read.js';
import type { ExtensionManifest, GeminiCLIExtension } from '../types.js';

type Carried = Pick<
  GeminiCLIExtension,
  'contextFiles' | 'hooks' | 'skills' | 'agents' | 'commandsFolder' | 'policiesFolder' | 'skillFolders'
>;

const DEFAULT_CONTEXT = ['GEMINI.md'];

/** @param look called with every path on which the answer depends, but the folder itself */
export function carriedFiles(
  dir: string,
  manifest: ExtensionManifest,
  look: (path: string) => void = () => undefined,
): Carried {
  const names = new Set(namesIn(dir));
  const folder = (name: string) => (names.has(name) ? join(dir, name) : undefined);
  const skillsFolder = folder('skills');
  const agentsFolder = folder('agents');
  const further = manifest.skills?.map((path) => join(dir, path)) ?? [];
  const skills = [...(skillsFolder ? [skillsFolder] : []), ...further].flatMap((one) => skillsIn(one, look));
  if (agentsFolder) look(agentsFolder);
  for (const path of manifest.skills ?? []) lookAlong(dir, path, look);
  const agents = agentsFolder ? namesIn(agentsFolder).filter(isAgentFile).sort() : [];
  const hooks = HOOK_FILES.find(
    (file) => names.has(file.split('/')[0] ?? '') && isFile(join(dir, file), look),
  );
  const commandsFolder = folder('commands');
  const policiesFolder = folder('policies');
  return {
    contextFiles: contextFiles(dir, manifest.contextFileName ?? DEFAULT_CONTEXT, names, look),
    ...(hooks && { hooks: join(dir, hooks) }),
    ...(skills.length > 0 && { skills: [...new Set(skills)].sort() }),
    ...(agents.length > 0 && { agents }),
    ...(commandsFolder && { commandsFolder }),
    ...(policiesFolder && { policiesFolder }),
    ...(further.length > 0 && { skillFolders: further }),
  };
}

/** Names are compared as written, also where the disk ignores case. */
function contextFiles(
  dir: string,
  wanted: readonly string[],
  names: ReadonlySet<string>,
  look: (path: string) => void,
): string[] {
  return wanted
    .filter((name) => {
      if (basename(name) === name) return names.has(name);
      lookAlong(dir, dirname(name), look);
      return namesIn(join(dir, name, '..')).includes(basename(name));
    })
    .map((name) => join(dir, name))
    .filter((path) => isFile(path, look));
}

/** Folders with a `SKILL.md`; a skill in the folder itself goes by the folder's name. */
function skillsIn(folder: string, look: (path: string) => void): string[] {
  look(folder);
  return entriesIn(folder).flatMap((entry) => {
    if (entry.name === 'SKILL.md') return [basename(folder)];
    if (entry.isFile() || entry.name === 'node_modules' || entry.name === '.git') return [];
    return isFile(join(folder, entry.name, 'SKILL.md'), look) ? [entry.name] : [];
  });
}

function isAgentFile(name: string): boolean {
  return name.endsWith('.md') && !name.startsWith('_');
}

/** At each folder on the way: one of them may become a link. */
function lookAlong(dir: string, path: string, look: (path: string) => void): void {
  for (let at = path; at !== '.' && at !== dirname(at); at = dirname(at)) look(join(dir, at));
}

function isFile(path: string, look: (path: string) => void): boolean {
  look(path);
  return tryStat(path)?.isFile() === true;
}
