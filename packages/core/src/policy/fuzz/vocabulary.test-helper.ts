/**
 * Reads the building blocks of command lines from `forms/*.txt`, one per line. `LAB` stands for the folder of the lab,
 * `PORT` for its network port, `␤` for a line break, `P` for a path, `W` for a path to write to, `N` and `V` for a variable
 * and its value, `D` for the denied program, `T` for the target of a removal.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function formsOf(name: string): string[] {
  const text = readFileSync(join(import.meta.dirname, 'forms', `${name}.txt`), 'utf8');
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.replaceAll('␤', '\n'));
}

/** Variables that make programs run others, or make paths and words mean something else. */
export const VARIABLES = formsOf('variables');
export const VALUES = formsOf('values');
export const SEPARATORS = ['; ', ' && ', ' || ', ' | ', '\n', ' & ', ' |& ', ';', '&&', ' ;\\\n'] as const;
