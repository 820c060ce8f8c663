import { UserError } from '../../base/errors.js';

/** An extension cannot be installed, updated or removed; what was there before is still there. */
export class ExtensionInstallError extends UserError {
  override readonly name = 'ExtensionInstallError';
  override readonly code = 'extension_install';
}
