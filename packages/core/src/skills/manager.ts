/** The skills of a session: discovered from all roots, by name, with what is disabled and what is wrong. */
import { dirname, join } from 'node:path';
import { createLog } from '../platform/log.js';
import type { Storage } from '../platform/storage/storage.js';
import { builtinSkillsDir } from './builtin-dir.js';
import { loadSkillRoot } from './loader.js';
import { skillKey } from './skill-names.js';
import type { SkillDefinition, SkillProblem, SkillRoot } from './types.js';

const log = createLog('skills');

export interface SkillManagerOptions {
  /** Where to look, lowest precedence first; asked at every discovery. Absent: nowhere but the built-in skills. */
  roots?: () => readonly SkillRoot[];
  /** False: folders of the project are left out by `discoverSkills`. Absent: the caller vouches for it. */
  isTrusted?: () => boolean;
  /** Gets one line about each pair of skills with the same name, once. */
  warn?: (message: string) => void;
}

/** An extension whose `skills` folder counts. */
export interface SkillExtension {
  name: string;
  path: string;
  isActive?: boolean;
}

export interface SkillChanges {
  added: string[];
  removed: string[];
}

export class SkillManager {
  private skills = new Map<string, SkillDefinition>();
  private problems: readonly SkillProblem[] = [];
  private disabled = new Set<string>();
  private readonly warned = new Set<string>();
  private readonly listeners = new Set<() => void>();
  private isLoaded = false;

  constructor(private readonly options: SkillManagerOptions = {}) {}

  /** Discovers the skills of all roots again. Never throws; what cannot be read is among the problems. */
  async loadSkills(): Promise<SkillChanges> {
    return this.load(this.options.roots?.() ?? [builtinRoot()]);
  }

  /** The same for the folders of a project, its user and these extensions. */
  async discoverSkills(storage: Storage, extensions: readonly SkillExtension[] = []): Promise<SkillChanges> {
    const isTrusted = this.options.isTrusted?.() ?? true;
    const ofExtensions = extensions
      .filter(({ isActive }) => isActive !== false)
      .map(({ name, path }) => ({ dir: join(path, 'skills'), extensionName: name }));
    return this.load(skillRoots({ ...placesOf(storage), isTrusted, extensions: ofExtensions }));
  }

  /** All that are enabled, by name; those that only the user activates are included. */
  getSkills(): SkillDefinition[] {
    return this.getAllSkills().filter(({ disabled }) => !disabled);
  }

  getActiveSkills(): SkillDefinition[] {
    return this.getSkills();
  }

  /** Disabled ones, too. */
  getAllSkills(): SkillDefinition[] {
    return [...this.skills.values()];
  }

  /** Null also for a disabled skill's name that does not exist; case does not matter. */
  getSkill(name: string): SkillDefinition | null {
    return this.skills.get(skillKey(name.trim())) ?? null;
  }

  getSkillByName(name: string): SkillDefinition | undefined {
    return this.getSkill(name) ?? undefined;
  }

  /** In the order of the roots: files that are not loaded, and warnings. */
  getProblems(): readonly SkillProblem[] {
    return this.problems;
  }

  enableSkill(name: string): void {
    this.disabled.delete(skillKey(name));
    this.applyDisabled();
  }

  disableSkill(name: string): void {
    this.disabled.add(skillKey(name));
    this.applyDisabled();
  }

  setDisabledSkills(names: readonly string[]): void {
    this.disabled = new Set(names.map(skillKey));
    this.applyDisabled();
  }

  /** Told about every discovery after the first. @returns a function that ends the subscription */
  onReload(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async load(roots: readonly SkillRoot[]): Promise<SkillChanges> {
    const loaded = await Promise.all(roots.map(loadSkillRoot));
    const found = new Map<string, SkillDefinition>();
    for (const skill of loaded.flatMap(({ skills }) => skills)) {
      const key = skillKey(skill.name);
      const earlier = found.get(key);
      if (earlier) this.noteConflict(earlier, skill);
      found.set(key, skill);
    }
    const changes = {
      added: [...found.values()].filter(({ name }) => !this.skills.has(skillKey(name))).map(nameOf),
      removed: [...this.skills.values()].filter(({ name }) => !found.has(skillKey(name))).map(nameOf),
    };
    this.skills = new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
    this.problems = loaded.flatMap(({ problems }) => problems);
    for (const { file, message } of this.problems) log.debug(`${file} ${message}`);
    this.applyDisabled();
    if (this.isLoaded) for (const listener of this.listeners) listener();
    this.isLoaded = true;
    return changes;
  }

  private noteConflict(earlier: SkillDefinition, later: SkillDefinition): void {
    // One file through two paths, as when the project folder is the home folder.
    if (earlier.location === later.location) return;
    const line = `Skill "${later.name}" of ${later.location} replaces the one of ${earlier.location}.`;
    if (earlier.isBuiltin) log.debug(line);
    else if (!this.warned.has(line)) this.options.warn?.(line);
    this.warned.add(line);
  }

  private applyDisabled(): void {
    for (const [key, skill] of this.skills) skill.disabled = this.disabled.has(key);
  }
}

function nameOf({ name }: SkillDefinition): string {
  return name;
}

export interface SkillPlaces {
  /** `~/.gemini` */
  globalDir: string;
  /** The folder that holds `.agents`. */
  home: string;
  projectRoot: string;
  isTrusted: boolean;
  extensions?: readonly Omit<SkillRoot, 'source'>[];
  /** Folders that the embedding program names. */
  ofProgram?: readonly string[];
}

function placesOf(storage: Storage): Pick<SkillPlaces, 'globalDir' | 'home' | 'projectRoot'> {
  const globalDir = storage.getGlobalGeminiDir();
  return { globalDir, home: dirname(globalDir), projectRoot: storage.getProjectRoot() };
}

/** All roots, lowest precedence first. */
export function skillRoots({
  globalDir,
  home,
  projectRoot,
  isTrusted,
  extensions = [],
  ofProgram = [],
}: SkillPlaces): SkillRoot[] {
  const ofUser = [join(globalDir, 'skills'), join(home, '.agents', 'skills')];
  const ofProject = [join(projectRoot, '.gemini', 'skills'), join(projectRoot, '.agents', 'skills')];
  return [
    builtinRoot(),
    ...extensions.map((root): SkillRoot => ({ ...root, source: 'extension' })),
    ...ofUser.map((dir): SkillRoot => ({ dir, source: 'user' })),
    // In the home folder both are the same, and are the user's.
    ...ofProject
      .filter((dir) => isTrusted && !ofUser.includes(dir))
      .map((dir): SkillRoot => ({ dir, source: 'workspace' })),
    ...ofProgram.map((dir): SkillRoot => ({ dir, source: 'program' })),
  ];
}

function builtinRoot(): SkillRoot {
  return { dir: builtinSkillsDir(), source: 'builtin' };
}
