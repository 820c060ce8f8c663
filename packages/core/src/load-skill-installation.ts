/** Loads the installation of skills on first use. */

export type SkillInstallation = typeof import('./skills/install/index.js');

export function loadSkillInstallation(): Promise<SkillInstallation> {
  return import('./skills/install/index.js');
}
