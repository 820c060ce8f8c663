/** Finds variables whose secret value a command would print in a form that redaction cannot recognise. */
import { looksSecret } from '../../../platform/redaction/redact-patterns.js';
import { SECRET_URL_NAMES, SECRET_WORDS } from '../../../platform/redaction/secret-patterns.js';
import type { Assignment, Word } from '../types.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** True for `$API_KEY`, for a variable made from it, and for a part or another form of any variable (`${x:0:4}`). */
export function showsSecretVariable(
  words: readonly Word[],
  assignments: readonly Assignment[],
  env: Environment,
): boolean {
  const open = words.filter(({ literal }) => !literal);
  if (open.length === 0) return false;
  const isSecret = secretNames(assignments, env);
  return open.some(({ source }) => mentions(source, isSecret));
}

/** A name, also with a default value; `${#x}` is a length. */
const WHOLE_VALUE = /^(?:[?#@*$!0-9-]|#?[A-Za-z_]\w*(?:\[[@*0-9]+\])?)(?=$|:?[-+?=])/;

function mentions(source: string, isSecret: (name: string) => boolean): boolean {
  for (const [, braced, plain] of source.matchAll(/\$\{([^{}$]*)|\$([A-Za-z_]\w*)/g)) {
    const name = plain ?? WHOLE_VALUE.exec(braced ?? '')?.[0];
    if (name === undefined || isSecret(name.replace(/^#(?=.)|\[.*$/g, ''))) return true;
  }
  return false;
}

function secretNames(assignments: readonly Assignment[], env: Environment): (name: string) => boolean {
  const made = new Set<string>();
  const isSecret = (name: string) => {
    const upper = name.toUpperCase();
    if (made.has(name) || SECRET_URL_NAMES.includes(upper)) return true;
    return SECRET_WORDS.some((word) => upper.includes(word)) || looksSecret(env[name] ?? '');
  };
  // Repeated until nothing new is found: `a=$KEY; b=$a`.
  for (let before = -1; before !== made.size; ) {
    before = made.size;
    for (const { name, value, literal } of assignments)
      if (!literal && mentions(value, isSecret)) made.add(name);
  }
  return isSecret;
}
