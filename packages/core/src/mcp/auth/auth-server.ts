/** What the credentials of a server depend on. */
import { UserError } from '../../base/errors.js';
import { visibleName } from '../../base/visible-text.js';
import { hostProblem } from '../../platform/net/address-guard.js';
import { isLoopback } from '../../platform/net/auth-http.js';
import { OAuthError } from '../../platform/oauth/oauth-error.js';
import type { McpServerFields } from '../config.js';

/** A configured server; the other fields do not matter here. */
export interface AuthServer {
  name: string;
  config: Pick<
    McpServerFields,
    | 'url'
    | 'httpUrl'
    | 'tcp'
    | 'headers'
    | 'oauth'
    | 'authProviderType'
    | 'targetAudience'
    | 'targetServiceAccount'
  >;
}

/** Its address as http or https; undefined: it runs on this machine, without sign-in. */
export function addressOf({ config: { httpUrl, url, tcp } }: AuthServer): URL | undefined {
  const text = httpUrl || url || (tcp && webSocketAddress(tcp));
  return text && URL.canParse(text) ? new URL(text) : undefined;
}

function webSocketAddress(tcp: string): string {
  const whole = /^wss?:\/\//i.test(tcp) ? tcp : `ws://${tcp}`;
  return whole.replace(/^ws/i, 'http');
}

/** A token that others can read on the way is a token lost. */
export function requirePrivateWay({ name }: AuthServer, url: URL): void {
  if (url.protocol === 'https:' || isLoopback(url)) return;
  const what = `tokens are only sent over https, not to ${url.origin}.`;
  throw new OAuthError('settings', `MCP server "${visibleName(name)}": ${what}`);
}

/** Whether its name says that it is on this machine or in a local network. */
export function isLocal({ hostname }: URL): boolean {
  return hostProblem(hostname) !== undefined;
}

export function settingsError({ name }: AuthServer, problem: string): UserError {
  return new UserError(`MCP server "${visibleName(name)}": ${problem}`, { code: 'mcp_auth_settings' });
}
