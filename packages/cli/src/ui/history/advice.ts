/** What a user can do about an error of the API. */

const ADVICE: readonly [RegExp, string][] = [
  [
    /\b401\b|UNAUTHENTICATED|invalid (?:api key|authentication)|API key not valid/i,
    'The sign-in is not valid. Run /auth to sign in again or to enter another key.',
  ],
  [
    /\b403\b|PERMISSION_DENIED/i,
    'This account or key may not use the model. Choose another with /model, or another sign-in with /auth.',
  ],
  [
    /\b429\b|RESOURCE_EXHAUSTED|rate limit|quota/i,
    'The limit is reached. Wait a moment, or choose another model with /model; /stats shows what was used.',
  ],
  [
    /\b5\d\d\b|UNAVAILABLE|INTERNAL|overloaded|DEADLINE_EXCEEDED/i,
    'The service has a problem. Send the message again in a moment, or choose another model with /model.',
  ],
];

/** Only for what is marked as an API error: other texts may hold such numbers by chance. */
export function adviceFor(text: string): string | undefined {
  if (!text.includes('[API Error')) return undefined;
  return ADVICE.find(([pattern]) => pattern.test(text))?.[1];
}
