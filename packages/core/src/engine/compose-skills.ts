/** The skills of a project: discovered in the background, known before the first request. */
import { dirname, resolve } from 'node:path';
import type { Environment } from '../platform/environment.js';
import type { Storage } from '../platform/storage/storage.js';
import { skillsSection } from '../prompts/skills-section.js';
import { setting } from '../settings/schema/index.js';
import { isAllowed } from '../settings/trust/untrusted.js';
import { SkillActivation } from '../skills/activation.js';
import { type SkillChanges, SkillManager, skillRoots } from '../skills/manager.js';
import type { SkillRoot } from '../skills/types.js';
import type { Project } from './project.js';

export interface SkillParts {
  project: Project;
  environment: Environment;
  storage: Storage;
  targetDir: string;
  /** Folders of active extensions; asked at every discovery. */
  extensionRoots?: () => readonly Omit<SkillRoot, 'source'>[];
}

export interface SkillServices {
  manager: SkillManager;
  activation: SkillActivation;
  /** Starts the discovery at the first call; resolves when the skills are known. */
  ready(): Promise<void>;
  /** Discovers again, with the settings as they are now (`/skills reload`). */
  reload(): Promise<SkillChanges>;
  /** For the system prompt of an agent that has `activate_skill`; empty without skills. Call it after `ready()`. */
  promptSection(): string;
  /** After a change of trust or of an administrator's controls. */
  refresh(): void;
}

export function composeSkills(parts: SkillParts): SkillServices {
  const { project, environment, storage, targetDir } = parts;
  const globalDir = storage.getGlobalGeminiDir();
  const manager = new SkillManager({
    roots: () => (isOn(project) ? rootsOf(parts) : []),
    warn: project.notice,
  });
  const activation = new SkillActivation({
    manager,
    privateFolders: [environment.home, globalDir, targetDir],
  });
  const load = async () => {
    manager.setDisabledSkills(project.parameters.disabledSkills);
    const changes = await manager.loadSkills();
    activation.forgetMissing();
    return changes;
  };
  let loading: Promise<SkillChanges> | undefined;
  // In order: an earlier discovery must not overwrite a later one.
  const again = () => {
    loading = (loading ?? Promise.resolve()).then(load);
    return loading;
  };
  return {
    manager,
    activation,
    ready: async () => {
      await (loading ?? again());
    },
    reload: () => {
      const { settings } = project.parameters;
      if (settings) project.change({ disabledSkills: setting(settings.merged, 'skills.disabled') });
      return again();
    },
    promptSection: () => skillsSection(activation.listed()),
    // Before the first use there is nothing to refresh.
    refresh: () => {
      if (loading) void again();
    },
  };
}

function isOn({ parameters }: Project): boolean {
  return parameters.skillsSupport && parameters.adminAllowsSkills;
}

function rootsOf({ project, storage, targetDir, extensionRoots }: SkillParts): SkillRoot[] {
  const globalDir = storage.getGlobalGeminiDir();
  return skillRoots({
    globalDir,
    home: dirname(globalDir),
    projectRoot: targetDir,
    isTrusted: isAllowed('skills', { trusted: project.isTrusted }),
    extensions: extensionRoots?.() ?? [],
    ofProgram: project.parameters.skillDirs?.map((dir) => resolve(targetDir, dir)) ?? [],
  });
}
