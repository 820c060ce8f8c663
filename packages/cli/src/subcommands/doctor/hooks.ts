/** Finds hooks that cannot run or never fire, by name and file. */
import { type FileProblem, loadHooks, setting } from '@gemini-cli/core';
import { type Check, count, ok, skipped, statusOf } from './check.js';

export const hooks: Check = {
  id: 'hooks',
  title: 'Hooks',
  async run({ settings, cwd, home, env }) {
    if (!setting(settings.merged, 'hooksConfig.enabled')) return skipped('disabled (hooksConfig.enabled)');
    const { inspectHooks } = await loadHooks();
    const found = await inspectHooks(settings, { cwd, home, variables: env });
    const problems: FileProblem[] = [
      ...settings.problems.filter(isAboutHooks),
      ...found.findings.map(
        ({ hook, file = '', line, message }): FileProblem => ({
          severity: 'warning',
          file,
          ...(line !== undefined && { line }),
          message: hook === undefined ? message : `${hook}: ${message}`,
        }),
      ),
    ];
    if (found.count + problems.length === 0) return ok('none is configured');
    const summary =
      found.count > 0 ? `${count(found.count, 'hook')}, ${found.enabled} enabled` : 'none can run';
    if (problems.length === 0) return ok(summary);
    return {
      status: statusOf(problems),
      details: [summary, count(problems.length, 'problem')],
      problems,
      remedy: 'Correct these: such a hook blocks nothing and changes nothing. gemini hooks list shows all.',
    };
  },
};

/** Mistakes in the definition of hooks are reported here, not with the other settings. */
export function isAboutHooks({ keyPath = '', file, severity }: FileProblem): boolean {
  return severity !== 'fatal' && (/^hooks\b/.test(keyPath) || /[\\/]hooks\.toml$/.test(file));
}
