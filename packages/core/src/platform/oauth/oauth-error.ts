/** Why there is no token. */
import { UserError } from '../../base/errors.js';

/**
 * `callback`: the browser cannot be received; `refused`: the server or the user refused; `declined`: the user did not
 * want to sign in; `user_needed`: the user cannot be asked; `late`: not in time; `settings`: an address or client is
 * missing or not allowed; `server`: the server answered with something else.
 */
export type OAuthProblem =
  | 'callback'
  | 'refused'
  | 'declined'
  | 'user_needed'
  | 'late'
  | 'settings'
  | 'server';

export class OAuthError extends UserError {
  override readonly name = 'OAuthError';
  constructor(
    readonly problem: OAuthProblem,
    message: string,
    cause?: unknown,
  ) {
    super(message, { code: `oauth_${problem}`, cause });
  }
}
