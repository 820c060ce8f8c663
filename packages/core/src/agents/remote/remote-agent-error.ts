/** Why a remote agent could not be used. */
import { UserError } from '../../base/errors.js';

/**
 * `card`: missing, broken or useless; `address`: leads where we do not go; `auth`: credentials are missing or refused;
 * `limit`: too long or too late.
 */
export type RemoteProblem = 'card' | 'address' | 'auth' | 'limit';

export class RemoteAgentError extends UserError {
  override readonly name = 'RemoteAgentError';
  constructor(
    readonly problem: RemoteProblem,
    message: string,
    cause?: unknown,
  ) {
    super(message, { code: `remote_agent_${problem}`, cause });
  }
}
