/** Which skills are active in this session: their texts, and the folders that became readable with them. */
import { dirname } from 'node:path';
import { isInside, realPathOf } from '../platform/files/real-path.js';
import { activatedText } from './activated-text.js';
import { folderTree } from './folder-tree.js';
import type { SkillManager } from './manager.js';
import { skillKey } from './skill-names.js';
import type { SkillDefinition } from './types.js';

export interface ActivationOptions {
  manager: SkillManager;
  /** Folders that hold more than a skill (home, `~/.gemini`): they and those above never become readable. */
  privateFolders: readonly string[];
}

export class SkillActivation {
  /** Texts by key, in the order of activation. */
  private readonly active = new Map<string, { name: string; text: string; folder?: string }>();
  private readonly listeners = new Set<(skill: SkillDefinition) => Promise<void>>();
  /** Skills that the user asked for by a command. */
  private readonly requested = new Set<string>();

  constructor(private readonly options: ActivationOptions) {}

  /** What the model is told about: enabled skills that it may activate. */
  listed(): SkillDefinition[] {
    return this.options.manager.getSkills().filter(({ disableModelInvocation }) => !disableModelInvocation);
  }

  /** An enabled skill. One that only the user activates is found after the user has asked for it. */
  find(name: string): SkillDefinition | undefined {
    const skill = this.options.manager.getSkillByName(name);
    if (!skill || skill.disabled) return undefined;
    return skill.disableModelInvocation && !this.requested.has(skillKey(skill.name)) ? undefined : skill;
  }

  /** The user has typed the command of this skill. */
  request(name: string): void {
    this.requested.add(skillKey(name));
  }

  /** The folder tree that becomes readable. */
  resourcesOf(skill: SkillDefinition): string {
    const folder = dirname(skill.location);
    return this.isShareable(folder) ? folderTree(folder) : `${skill.location} (only this file)`;
  }

  /**
   * The text for the model; the same one until the session ends, even if the file changes.
   * @throws UserError when the file cannot be read any more
   */
  activate(skill: SkillDefinition): string {
    const key = skillKey(skill.name);
    const known = this.active.get(key);
    if (known) return known.text;
    const text = activatedText(skill.name, skill.body, this.resourcesOf(skill));
    this.active.set(key, { name: skill.name, text, ...this.folderOf(skill) });
    return text;
  }

  /** Awaited when the model has activated a skill, before it is told. @returns a function that ends the subscription */
  onActivated(listener: (skill: SkillDefinition) => Promise<void>): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** To be called after `activate`. @throws what a listener throws */
  async announce(skill: SkillDefinition): Promise<void> {
    for (const listener of this.listeners) await listener(skill);
  }

  isActive(name: string): boolean {
    return this.active.has(skillKey(name));
  }

  /** A resumed conversation has these texts. */
  restore(texts: ReadonlyMap<string, string>): void {
    for (const [name, text] of texts) {
      this.request(name);
      const skill = this.find(name);
      this.active.set(skillKey(name), { name, text, ...(skill && this.folderOf(skill)) });
    }
  }

  /** Real paths of the folders that tools may read. */
  readableFolders(): readonly string[] {
    const folders = [...this.active.values()].flatMap(({ folder }) => folder ?? []);
    return [...new Set(folders)];
  }

  /** For an empty conversation. */
  reset(): void {
    this.active.clear();
    this.requested.clear();
  }

  /** Skills that were removed or disabled are no longer active, and their folders no longer readable. */
  forgetMissing(): void {
    for (const key of [...this.active.keys()]) if (!this.find(key)) this.active.delete(key);
  }

  private folderOf({ location }: SkillDefinition): { folder?: string } {
    const folder = dirname(location);
    return this.isShareable(folder) ? { folder: realPathOf(folder) } : {};
  }

  /** False for a link to `/`, the home folder, and the like. */
  private isShareable(folder: string): boolean {
    const real = realPathOf(folder);
    return !this.options.privateFolders.some((path) => isInside(realPathOf(path), real));
  }
}
