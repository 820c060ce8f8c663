/** Finds agent files that do not load. */
import { globalGeminiDir, setting } from '@gemini-cli/core';
import { type Check, count, ok, skipped, warning } from './check.js';

export const agents: Check = {
  id: 'agents',
  title: 'Agents',
  async run({ engine, env, cwd, settings, trust }) {
    const { merged } = settings;
    if (!setting(merged, 'experimental.enableAgents')) return skipped('disabled (experimental.enableAgents)');
    const found = await engine.inspectAgents({
      cwd,
      globalDir: globalGeminiDir(env),
      isTrusted: trust.trusted,
      rules: {
        enableAgents: true,
        enabled: setting(merged, 'agents.enabled'),
        disabled: setting(merged, 'agents.disabled'),
        overrides: setting(merged, 'agents.overrides'),
      },
    });
    const fromFiles = found.agents.filter(({ definition }) => definition.source?.file).length;
    const loaded = `${count(fromFiles, 'agent')} from files`;
    if (found.problems.length === 0) return ok(loaded, ...found.warnings);
    const broken = found.problems.map(({ file, issues }) => `${file}: ${count(issues.length, 'mistake')}`);
    return warning(
      [`${count(broken.length, 'agent file')} cannot be loaded`, ...broken, loaded],
      'To see the mistakes: gemini agents validate. To repair the files: gemini agents validate --fix.',
    );
  },
};
