/** Settings that users take for protection and that nothing acts on yet: named at every start and by the doctor. */
import type { Settings } from '../schema/index.js';

interface IdleGuard {
  /** What is configured, as the beginning of the line; undefined: nothing. */
  configured: (settings: Settings) => string | undefined;
  why: string;
}

const IDLE_GUARDS: readonly IdleGuard[] = [
  { configured: hooksIn, why: 'hooks are not run yet, so they hold nothing back.' },
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
