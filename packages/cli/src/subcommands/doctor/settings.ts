/** Checks the settings files of all scopes and lists every mistake with its line. */
import { type FileProblem, LoadedSettings, type SettingScope } from '@gemini-cli/core';
import { type Check, count, type Facts, statusOf } from './check.js';
import { isAboutHooks } from './hooks.js';

const SCOPES: readonly SettingScope[] = ['system-defaults', 'user', 'workspace', 'system'];

export const settings: Check = {
  id: 'settings',
  title: 'Settings',
  run(facts) {
    const problems = [...facts.settings.problems, ...untrustedProblems(facts)].filter(
      (problem) => !isAboutHooks(problem),
    );
    const status = statusOf(problems);
    const files = [...describeFiles(facts), ...describeOlderNames(facts)];
    const summary = problems.length > 0 ? [count(problems.length, 'problem')] : [];
    const remedy = remedyFor(problems);
    return { status, details: [...summary, ...files], problems, ...(remedy && { remedy }) };
  },
};

function describeFiles({ settings: loaded, trust }: Facts): string[] {
  const files = SCOPES.flatMap((scope) => {
    const { path, exists } = loaded.file(scope);
    if (!exists) return [];
    const note = scope === 'workspace' && !trust.trusted ? ', ignored: the folder is not trusted' : '';
    return [`${path} (${scope}${note})`];
  });
  return files.length > 0 ? files : ['no settings files; the defaults apply'];
}

/** Nothing to correct: these are understood, or accepted without effect. */
function describeOlderNames({ settings: loaded }: Facts): string[] {
  return loaded.olderNames.flatMap(({ file, renamed, obsolete }) => [
    ...(renamed.length > 0 ? [`${file}: older names, understood: ${renamed.join(', ')}`] : []),
    ...(obsolete.length > 0 ? [`${file}: older settings without effect: ${obsolete.join(', ')}`] : []),
  ]);
}

/** Mistakes in an ignored file are only warnings, but worth knowing before the folder is trusted. */
function untrustedProblems({ settings: loaded, trust, cwd, env }: Facts): FileProblem[] {
  const { path, exists } = loaded.file('workspace');
  if (trust.trusted || !exists) return [];
  const asTrusted = LoadedSettings.load({ cwd, env, trusted: true, tolerant: true });
  return asTrusted.problems
    .filter(({ file }) => file === path)
    .map((problem) => ({ ...problem, severity: 'warning' }));
}

function remedyFor(problems: readonly FileProblem[]): string | undefined {
  if (problems.some(({ severity }) => severity === 'fatal')) {
    return 'Correct what is marked as an error: until then the program does not start (exit code 52).';
  }
  return problems.length > 0 ? 'Correct these; everything else in the files works.' : undefined;
}
