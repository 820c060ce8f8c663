/** Names of servers and scopes, as `gemini mcp` accepts them. */

/** As the user writes it. */
export type Scope = 'user' | 'project';

export function isScope(word: string): word is Scope {
  return word === 'user' || word === 'project';
}

export function settingsScope(scope: Scope): 'user' | 'workspace' {
  return scope === 'user' ? 'user' : 'workspace';
}

/** Keys that are never read from a settings file. */
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** A name becomes a key of settings.json and a word in lists. */
export function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'the name of the server is empty.';
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name)) return 'the name of the server contains control characters.';
  return RESERVED.has(name) ? `"${name}" cannot be the name of a server.` : undefined;
}
