/** The formats in which tokens are saved. */
import { isObject } from '../../base/objects.js';
import { DamagedFileError } from '../../platform/files/private-file.js';

export interface GoogleTokens {
  access_token?: string;
  refresh_token?: string;
  scope?: string;
  token_type?: string;
  id_token?: string;
  /** Milliseconds since 1970. */
  expiry_date?: number;
}

/** `oauth_creds.json`. @throws DamagedFileError */
export function parseTokens(text: string, path: string): GoogleTokens {
  const tokens = tokensIn(parseObject(text));
  if (tokens) return tokens;
  throw new DamagedFileError(path, `${path} holds no Google tokens (it is empty or damaged). Sign in again.`);
}

/** Saved under a service name, as for MCP servers: `{serverName, token: {accessToken, …}, updatedAt}`. */
export function tokensFromRecord(text: string): GoogleTokens | undefined {
  const record = parseObject(text);
  return tokensIn(objectAt(record, 'token') ?? record);
}

export function tokensToRecord(tokens: GoogleTokens): Record<string, unknown> {
  return {
    serverName: 'main-account',
    token: {
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
      tokenType: tokens.token_type ?? 'Bearer',
      scope: tokens.scope,
      expiresAt: tokens.expiry_date,
      idToken: tokens.id_token,
    },
    updatedAt: Date.now(),
  };
}

/** `auth-cache.json`, whose inner format is not documented: tokens at the top or one level below. */
export function findTokens(text: string): GoogleTokens | undefined {
  const value = parseObject(text);
  const inner = ['tokens', 'token', 'credentials', 'oauth', 'google'].map((key) => objectAt(value, key));
  return [value, ...inner].map(tokensIn).find((tokens) => tokens !== undefined);
}

/** Undefined without a usable token. */
function tokensIn(value: Record<string, unknown> | undefined): GoogleTokens | undefined {
  const text = (...names: string[]): string | undefined => {
    const found = names.map((name) => value?.[name]).find((item) => typeof item === 'string' && item !== '');
    return typeof found === 'string' ? found : undefined;
  };
  const tokens: GoogleTokens = {
    access_token: text('access_token', 'accessToken'),
    refresh_token: text('refresh_token', 'refreshToken'),
    scope: text('scope'),
    token_type: text('token_type', 'tokenType'),
    id_token: text('id_token', 'idToken'),
    expiry_date: time(
      value?.['expiry_date'] ?? value?.['expiryDate'] ?? value?.['expiresAt'] ?? value?.['expires_at'],
    ),
  };
  if (!tokens.access_token && !tokens.refresh_token) return undefined;
  return Object.fromEntries(Object.entries(tokens).filter(([, item]) => item !== undefined));
}

function time(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const date = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}

function objectAt(
  value: Record<string, unknown> | undefined,
  key: string,
): Record<string, unknown> | undefined {
  const inner = value?.[key];
  return isObject(inner) ? inner : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return objectAt({ value: JSON.parse(text) }, 'value');
  } catch {
    return undefined;
  }
}
