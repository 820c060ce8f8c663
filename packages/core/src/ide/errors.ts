/** The connection to the editor failed; said in `/ide status`. */
import { UserError } from '../base/errors.js';

export class IdeError extends UserError {
  override readonly name = 'IdeError';
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'ide', cause });
  }
}
