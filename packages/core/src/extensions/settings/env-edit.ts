/** Changes single values of a `.env` file; every other line stays as it is. */
import { UserError } from '../../base/errors.js';
import { parseEnv } from '../../settings/env/env-parse.js';

/** A value that a `.env` file cannot hold, or a file that only the user can edit. */
class EnvEditError extends UserError {
  override readonly name = 'EnvEditError';
  override readonly code = 'env_edit';
}

/** @param changes undefined removes the variable @throws EnvEditError */
export function editEnv(text: string, changes: ReadonlyMap<string, string | undefined>): string {
  const before = parseEnv(text).variables;
  const needed = [...changes].filter(([name, value]) => before.get(name) !== value);
  if (needed.length === 0) return text;
  const wanted = new Map(before);
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  let edited = text;
  for (const [name, value] of needed) {
    const line = value === undefined ? undefined : `${name}=${written(name, value)}`;
    edited = withLine(edited, name, line, lineEnd);
    if (value === undefined) wanted.delete(name);
    else wanted.set(name, value);
  }
  // A name inside a value of several lines would have been changed, too.
  if (!isSame(parseEnv(edited).variables, wanted))
    throw new EnvEditError('The .env file has values of several lines. Change it in an editor.');
  return edited;
}

function withLine(text: string, name: string, line: string | undefined, lineEnd: string): string {
  const own = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}(?:[ \\t]*=|:[ \\t])`);
  const lines = text === '' ? [] : text.split(/(?<=\n)/);
  const kept = lines.filter((one) => !own.test(one));
  if (line === undefined) return kept.join('');
  const at = lines.findIndex((one) => own.test(one));
  const index = at < 0 ? kept.length : at;
  const last = kept[index - 1];
  const gap = index === kept.length && last !== undefined && !last.endsWith('\n') ? lineEnd : '';
  return [...kept.slice(0, index), `${gap}${line}${lineEnd}`, ...kept.slice(index)].join('');
}

/** In quotes if it needs them. */
function written(name: string, value: string): string {
  if (/[\r\n\0]/.test(value)) throw new EnvEditError(`The value of ${name} must be one line.`);
  if (!/[\s#'"`\\$]/.test(value)) return value;
  const forms = [`"${value}"`, `'${value}'`, `\`${value}\``, `"${value.replace(/[\\"]/g, '\\$&')}"`];
  const fitting = forms.find((form) => parseEnv(`${name}=${form}`).variables.get(name) === value);
  if (fitting === undefined)
    throw new EnvEditError(`The value of ${name} mixes quotes in a way that a .env file cannot hold.`);
  return fitting;
}

function isSame(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);
}
