/** Checkers, hooks, policy files and settings that should hold something back, and cannot. */
import { type Check, count, ok, warning } from './check.js';

export const guards: Check = {
  id: 'guards',
  title: 'Guards',
  async run({ engine, env, cwd, home, settings, trust }) {
    const found = await engine.inspectGuards({
      cwd,
      environment: { variables: env, cwd, home },
      settings: settings.merged,
      trusted: trust.trusted,
    });
    if (found.length === 0) return ok('policies, checkers and settings that restrict are in force');
    return warning(
      [`${count(found.length, 'guard')} cannot act`, ...found],
      'Correct these; until then every start names them, and what they should check asks or is refused where that is known.',
    );
  },
};
