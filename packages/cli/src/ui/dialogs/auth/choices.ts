/** The ways to a model, in the order of tui.md §10.3. */
import type { Choice } from '../../primitives/radio.js';
import type { AuthType } from './ports.js';

export type AuthChoice = AuthType | 'provider' | 'offline' | 'skip';

export interface AuthOffer {
  types: readonly AuthType[];
  /** Only this one, says the administrator. */
  enforced?: string | undefined;
  env: NodeJS.ProcessEnv;
}

export function authChoices({ types, enforced, env }: AuthOffer): Choice<AuthChoice>[] {
  const offered = (value: AuthType, label: string): Choice<AuthChoice>[] =>
    types.includes(value) ? [{ value, label }] : [];
  if (enforced) return types.map((value) => ({ value, label: labelOf(value, env) }));
  return [
    types.includes('oauth-personal')
      ? { value: 'oauth-personal', label: 'Sign in with Google' }
      : {
          value: 'oauth-personal',
          label: 'Sign in with Google',
          disabled: 'needs GEMINI_OAUTH_CLIENT_ID and GEMINI_OAUTH_CLIENT_SECRET',
        },
    ...offered('compute-default-credentials', labelOf('compute-default-credentials', env)),
    ...offered('gemini-api-key', labelOf('gemini-api-key', env)),
    ...offered('vertex-ai', labelOf('vertex-ai', env)),
    { value: 'provider', label: 'Another provider or local server' },
    {
      value: 'offline',
      label: 'Offline guide',
      detail: 'Fixed rules and real tools; no account, no network.',
    },
    { value: 'skip', label: 'Skip', detail: 'Commands work; the first prompt asks again.' },
  ];
}

function labelOf(type: AuthType, env: NodeJS.ProcessEnv): string {
  switch (type) {
    case 'oauth-personal':
      return 'Sign in with Google';
    case 'gemini-api-key':
      return 'Use Gemini API Key';
    case 'vertex-ai':
      return 'Vertex AI';
    case 'gateway':
      return 'Gateway (GOOGLE_GEMINI_BASE_URL)';
    case 'compute-default-credentials':
      return env['CLOUD_SHELL'] === 'true' ? 'Use Cloud Shell user credentials' : 'Use metadata credentials';
  }
}
