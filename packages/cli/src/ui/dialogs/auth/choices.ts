/** The ways to sign in, in the order of the list. */
import type { RadioItem } from '../../components/RadioButtonSelect.js';
import type { AuthType } from './ports.js';

export type AuthChoice = AuthType | 'provider' | 'offline' | 'skip';

export interface AuthOffer {
  types: readonly AuthType[];
  /** The administrator allows only this one. */
  enforced?: string | undefined;
  env: NodeJS.ProcessEnv;
}

export function authItems({ types, enforced, env }: AuthOffer): RadioItem<AuthChoice>[] {
  const item = (value: AuthType) => ({ value, label: labelOf(value, env) });
  if (enforced) return types.map(item);
  const offered = (['compute-default-credentials', 'gemini-api-key', 'vertex-ai'] as const).filter((type) =>
    types.includes(type),
  );
  return [
    {
      ...item('oauth-personal'),
      ...(!types.includes('oauth-personal') && {
        disabled: 'needs GEMINI_OAUTH_CLIENT_ID and GEMINI_OAUTH_CLIENT_SECRET',
      }),
    },
    ...offered.map(item),
    { value: 'provider', label: 'Another provider or local server' },
    {
      value: 'offline',
      label: 'Offline guide',
      detail: 'Built-in rules with real tools; no account, no network.',
    },
    {
      value: 'skip',
      label: 'Skip',
      detail: "Look around first; you'll be asked again at your first prompt.",
    },
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
