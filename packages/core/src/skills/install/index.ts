/** What `gemini skills` and `/skills link` need; loaded on first use. */
export { countItems } from '../folder-tree.js';
export { SkillManager, skillRoots } from '../manager.js';
export { SkillInstallError } from './error.js';
export {
  installSkill,
  linkSkill,
  type PlannedSkill,
  planInstallation,
  type SkillScope,
  uninstallSkill,
} from './install.js';
export { type OpenedSource, openFolder, openSource, type SourceRequest } from './source.js';
