/** `mcp_servers` of an agent file: checked, and turned into the form of the settings (`mcpServers`). */
import { isObject, objectOf } from '../../base/objects.js';
import { oauthFields, toCamelCase } from './oauth-fields.js';
import { type Check, flag, list, mapOf, number, objectWith, oneOf, text } from './shape.js';

const SERVER = objectWith({
  command: text(),
  args: list(text()),
  env: mapOf(text()),
  cwd: text(),
  url: text(),
  http_url: text(),
  httpUrl: text(),
  headers: mapOf(text()),
  tcp: text(),
  type: oneOf('sse', 'http', 'stdio'),
  timeout: number({ minimum: 0, maximum: 24 * 60 * 60 * 1000 }),
  trust: flag(),
  description: text(),
  include_tools: list(text()),
  includeTools: list(text()),
  exclude_tools: list(text()),
  excludeTools: list(text()),
  auth: (value, field) => serverAuth(value, field),
});

export const mcpServers: Check = mapOf(SERVER);

const GOOGLE = objectWith({ type: oneOf('google-credentials'), scopes: list(text()) });
const OAUTH = objectWith({ type: oneOf('oauth'), ...oauthFields });

function serverAuth(value: unknown, field: string) {
  const type = isObject(value) ? value['type'] : undefined;
  if (type === 'google-credentials') return GOOGLE(value, field);
  if (type === 'oauth') return OAUTH(value, field);
  if (!isObject(value)) return GOOGLE(value, field);
  return oneOf('google-credentials', 'oauth')(type ?? '', `${field}.type`);
}

const RENAMED: Readonly<Record<string, string>> = {
  http_url: 'httpUrl',
  include_tools: 'includeTools',
  exclude_tools: 'excludeTools',
};

/**
 * Servers as `mcpServers` of the settings has them.
 * @param mayTrust false: `trust: true` is dropped, so that their tools ask
 */
export function toServerSettings(
  value: unknown,
  { mayTrust }: { mayTrust: boolean },
): Record<string, unknown> | undefined {
  if (!isObject(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, server]) => {
      const { auth, trust, ...fields } = objectOf(server);
      return [
        name,
        {
          ...Object.fromEntries(Object.entries(fields).map(([key, field]) => [RENAMED[key] ?? key, field])),
          ...(trust !== undefined && mayTrust && { trust }),
          ...(isObject(auth) && toAuthSettings(auth)),
        },
      ];
    }),
  );
}

function toAuthSettings({ type, ...fields }: Record<string, unknown>): Record<string, unknown> {
  const oauth = Object.fromEntries(Object.entries(fields).map(([key, field]) => [toCamelCase(key), field]));
  if (type === 'oauth') return { oauth: { enabled: true, ...oauth } };
  return { authProviderType: 'google_credentials', ...(fields['scopes'] !== undefined && { oauth }) };
}
