/** Finds checkers, hooks, policy files and settings that should restrict the agent but cannot. */
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
    if (found.length === 0) return ok('all policies, checkers and restricting settings are in force');
    return warning(
      [`${count(found.length, 'configured part')} cannot act`, ...found],
      'Correct these; until then every start names them, and calls they should check are asked about or refused where possible.',
    );
  },
};
