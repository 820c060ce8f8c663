import { UserError } from '../../base/errors.js';

/** A plugin cannot be read, converted or installed; nothing has changed then. */
export class ConvertError extends UserError {
  override readonly name = 'ConvertError';
  override readonly code = 'convert';
}
