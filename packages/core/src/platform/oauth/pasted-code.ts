/** What a redirect must say to belong to our sign-in. */
export interface ExpectedRedirect {
  state: string;
  /** Absent: unknown. */
  issuer?: string;
}

/** What the user pasted: the code alone, or the whole address that the browser ended at. Undefined: neither. */
export function codeIn(pasted: string, { state, issuer }: ExpectedRedirect): string | undefined {
  const text = pasted.trim();
  if (!/^https?:\/\//.test(text)) return /^[\w./~%+=-]{1,2048}$/.test(text) ? text : undefined;
  const given = URL.canParse(text) ? new URL(text).searchParams : undefined;
  const hasForeignState = given?.has('state') === true && given.get('state') !== state;
  if (!given || hasForeignState || !isFromIssuer(given, issuer)) return undefined;
  return given.get('code') ?? undefined;
}

/** A server may name itself in its redirect, so that a code of another one is not sent to it (RFC 9207). */
export function isFromIssuer(redirect: URLSearchParams, issuer: string | undefined): boolean {
  const given = redirect.get('iss');
  return given === null || issuer === undefined || given.replace(/\/$/, '') === issuer.replace(/\/$/, '');
}
