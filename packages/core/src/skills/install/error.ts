import { UserError } from '../../base/errors.js';

/** A skill cannot be installed, linked or removed; nothing has changed then. */
export class SkillInstallError extends UserError {
  override readonly name = 'SkillInstallError';
  override readonly code = 'skill_install';
}
