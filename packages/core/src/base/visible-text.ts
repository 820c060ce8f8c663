/**
 * Text as a user must see it before saying yes: characters that hide, reorder or overwrite others are shown by
 * their numbers, and an address that reads like another one is followed by the host it really names.
 */

/**
 * Control and format characters, unassigned and private ones, lone surrogates, separators other than the
 * plain space, and letters and marks without a shape (fillers, joiners, variation selectors, tags).
 */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** An emoji may be made of several, joined by characters that are unseen elsewhere. */
const EMOJI =
  /\p{Emoji}\ufe0f\u20e3?(?:\u200d\p{Extended_Pictographic}\ufe0f?)*|\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?(?:\u200d\p{Extended_Pictographic}\ufe0f?)+/gu;
const PLAIN = /^[\x20-\x7e\n\t]*$/;

/** Line breaks and tabs stay: a command may have several lines. */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text;
  let shown = '';
  let end = 0;
  for (const match of text.matchAll(EMOJI)) {
    shown += escapeUnseen(text.slice(end, match.index)) + match[0];
    end = match.index + match[0].length;
  }
  return shown + escapeUnseen(text.slice(end));
}

/** For names: also line breaks and tabs, which no name needs. */
export function visibleName(text: string): string {
  return visibleText(text).replace(/[\n\t]/g, (character) => (character === '\n' ? '\\n' : '\\t'));
}

/** Every string in a value, keys included. */
export function visibleValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((item) => visibleValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [visibleName(key), visibleValue(item, depth + 1)]),
  );
}

/** Deeper than any schema allows; what is nested further is an attack on whoever shows it. */
const MAX_DEPTH = 100;

const ADDRESS = /\b(?:https?|wss?|ftp):\/\/[^\s<>"'`]+/giu;

/** Text with addresses in it: each that may deceive is followed by its real host. */
export function visibleWithHosts(text: string): string {
  let shown = '';
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const after = match.index + match[0].length;
    const host = deceptiveHost(match[0]);
    shown += visibleText(text.slice(end, after)) + (host ? ` (host: ${host})` : '');
    end = after;
  }
  return shown + visibleText(text.slice(end));
}

/** The real hosts of the addresses in a text that may deceive. */
export function deceptiveHosts(text: string): string[] {
  return Array.from(text.matchAll(ADDRESS), ([address]) => deceptiveHost(address)).filter(
    (host) => host !== undefined,
  );
}

/** The host in ASCII where the address does not plainly say it: other scripts, or a name before an `@`. */
function deceptiveHost(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) return undefined;
  const written = /^[a-z]+:\/\/([^/?#\\]*)/i.exec(address)?.[1]?.toLowerCase() ?? '';
  // The parser has resolved escapes, other scripts and odd numbers. A usual port written out is no deceit.
  const isPlain = written === url.host || written.replace(/:\d*$/, '') === url.hostname;
  return isPlain && !/(^|\.)xn--/.test(url.hostname) ? undefined : url.host;
}

function escapeUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => {
    if (character === ' ' || character === '\n' || character === '\t') return character;
    if (character === '\r') return '\\r';
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}}`;
  });
}
