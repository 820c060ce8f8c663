/** Warns about protective settings that have no effect yet, at every start and in `gemini doctor`. */
import type { Settings } from '../schema/index.js';

interface IdleGuard {
  /** The configured setting's name, or undefined. */
  configured: (settings: Settings) => string | undefined;
  why: string;
}

const IDLE_GUARDS: readonly IdleGuard[] = [
  { configured: hooksIn, why: 'hooks are not run yet, so they block nothing.' },
  {
    configured: ({ security }) => (security?.blockGitExtensions ? 'security.blockGitExtensions' : undefined),
    why: 'extensions are not supported yet, so this has no effect.',
  },
  {
    configured: ({ security }) =>
      security?.allowedExtensions?.length ? 'security.allowedExtensions' : undefined,
    why: 'extensions are not supported yet, so this has no effect.',
  },
];

export function idleGuards(settings: Settings): string[] {
  return IDLE_GUARDS.flatMap(({ configured, why }) => {
    const what = configured(settings);
    return what === undefined ? [] : [`Security: ${what}: ${why}`];
  });
}

function hooksIn({ hooks, hooksConfig }: Settings): string | undefined {
  if (!hooks || hooksConfig?.enabled === false) return undefined;
  const events = Object.entries(hooks).filter(([, groups]) => groups.some((group) => group.hooks?.length));
  return events.length > 0 ? `hooks (${events.map(([event]) => event).join(', ')})` : undefined;
}
