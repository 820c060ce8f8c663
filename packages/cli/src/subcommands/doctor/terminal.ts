/** Checks size, colours and encoding of the terminal. */
import { isTerminal } from '../../terminal/descriptors.js';
import { type Check, type CheckResult, join, ok, warning } from './check.js';

export const terminal: Check = {
  id: 'terminal',
  title: 'Terminal',
  run: ({ env }) => join([display(env), locale(env)]),
};

function display(env: NodeJS.ProcessEnv): CheckResult {
  const type = env['TERM'] ?? '';
  if (!isTerminal(1)) return ok('the output goes to a file or program');
  const { columns, rows } = process.stdout;
  const size = columns && rows ? `${columns} x ${rows}` : 'size unknown';
  const details = [`${type || 'TERM is not set'}, ${size}, ${colours(env)}`];
  if (env['TERM_PROGRAM']) details.push(`TERM_PROGRAM=${env['TERM_PROGRAM']}`);
  if (type !== '' && type !== 'dumb') return ok(...details);
  return warning(details, 'Set TERM to the name of your terminal, for example xterm-256color.');
}

function colours(env: NodeJS.ProcessEnv): string {
  if (env['NO_COLOR']) return 'no colours (NO_COLOR)';
  if (/^(?:truecolor|24bit)$/i.test(env['COLORTERM'] ?? '')) return '16 million colours';
  return /256/.test(env['TERM'] ?? '') ? '256 colours' : '16 colours';
}

/** An unset locale is usual in containers and harmless; an encoding other than UTF-8 is not. */
function locale(env: NodeJS.ProcessEnv): CheckResult {
  const name = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((variable) => env[variable]);
  const value = name && env[name];
  if (!value || /utf-?8/i.test(value) || /^(?:C|POSIX)$/.test(value)) return ok();
  return warning(
    [`${name}=${value} is not UTF-8; letters beyond ASCII may be shown wrongly`],
    `Set ${name} to a UTF-8 locale, for example ${value.replace(/\..*/, '')}.UTF-8.`,
  );
}
