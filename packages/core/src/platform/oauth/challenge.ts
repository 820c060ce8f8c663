/** Reads a `WWW-Authenticate` header: what a protected resource asks for (RFC 6750, RFC 9728). */

export interface Challenge {
  /** Where the resource describes itself. */
  resourceMetadata?: string;
  scopes?: readonly string[];
  /** `insufficient_scope`: the token is valid but lacks a right. */
  error?: string;
}

const LENGTH_LIMIT = 8_192;

export function parseChallenge(header: string | undefined): Challenge {
  const values = new Map<string, string>();
  // The limit also bounds the time of the search.
  for (const [, name = '', quoted, plain] of (header ?? '').slice(0, LENGTH_LIMIT).matchAll(PARAMETER)) {
    const value = quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1');
    // The first one counts: a later scheme must not change it.
    if (value && !values.has(name.toLowerCase())) values.set(name.toLowerCase(), value);
  }
  const resourceMetadata = values.get('resource_metadata');
  const scopes = values.get('scope')?.split(/\s+/).filter(Boolean);
  const error = values.get('error');
  return {
    ...(resourceMetadata && { resourceMetadata }),
    ...(scopes && scopes.length > 0 && { scopes }),
    ...(error && { error }),
  };
}

const PARAMETER = /(?<=^|[\s,])([a-z_]{1,40})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/gi;
