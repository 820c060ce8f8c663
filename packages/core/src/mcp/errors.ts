/** Errors of MCP servers; each names its server. */
import { UserError } from '../base/errors.js';
import { visibleName } from '../base/visible-text.js';

export type McpErrorCode =
  /** The server asks for a sign-in. */
  | 'unauthorized'
  /** It does not know our session any more; a new one can be opened. */
  | 'session_lost'
  | 'not_connected'
  | 'timeout'
  | 'protocol'
  | 'transport';

export class McpServerError extends UserError {
  override readonly name = 'McpServerError';
  constructor(
    readonly serverName: string,
    override readonly code: McpErrorCode,
    what: string,
    cause?: unknown,
  ) {
    super(`MCP server "${visibleName(serverName)}": ${what}`, { code, cause });
  }
}
