/**
 * Makes text safe to show in a permission prompt: characters that hide, reorder or overwrite others are shown as
 * their code points, and a misleading URL is followed by its real host.
 */

const PLAIN = /^[\x20-\x7e\n\t]*$/;

/** Keeps line breaks and tabs: a command may have several lines. */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text;
  // Emoji may be joined by characters that are invisible elsewhere.
  const emoji =
    /\p{Emoji}\ufe0f\u20e3?(?:\u200d\p{Extended_Pictographic}\ufe0f?)*|\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?(?:\u200d\p{Extended_Pictographic}\ufe0f?)+/gu;
  let shown = '';
  let end = 0;
  for (const match of text.matchAll(emoji)) {
    shown += escapeInvisible(text.slice(end, match.index)) + match[0];
    end = match.index + match[0].length;
  }
  return shown + escapeInvisible(text.slice(end));
}

/** For names: also escapes line breaks and tabs. */
export function visibleName(text: string): string {
  return visibleText(text).replace(/[\n\t]/g, (character) => (character === '\n' ? '\\n' : '\\t'));
}

/** Makes every string in a value visible, including keys. */
export function visibleValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((item) => visibleValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [visibleName(key), visibleValue(item, depth + 1)]),
  );
}

/** Deeper than any schema allows; a deeper value would be an attack on the screen. */
const MAX_DEPTH = 100;

const ADDRESS = /\b(?:https?|wss?|ftp):\/\/[^\s<>"'`]+/giu;

/** Adds the real host after each misleading URL in a text. */
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

/** The real hosts of the misleading URLs in a text. */
export function deceptiveHosts(text: string): string[] {
  return Array.from(text.matchAll(ADDRESS), ([address]) => deceptiveHost(address)).filter(
    (host) => host !== undefined,
  );
}

/** The host in ASCII if the URL hides it: other scripts, or a name before `@`. */
function deceptiveHost(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) return undefined;
  const written = /^[a-z]+:\/\/([^/?#\\]*)/i.exec(address)?.[1]?.toLowerCase() ?? '';
  // The parser has resolved escapes, other scripts and numeric forms. An explicit default port is not misleading.
  const isPlain = written === url.host || written.replace(/:\d*$/, '') === url.hostname;
  return isPlain && !/(^|\.)xn--/.test(url.hostname) ? undefined : url.host;
}

function escapeInvisible(text: string): string {
  // Control, format, unassigned and private characters, lone surrogates, separators other than the space, and
  // invisible letters and marks (fillers, joiners, variation selectors, tags).
  const invisible = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;
  return text.replace(invisible, (character) => {
    if (character === ' ' || character === '\n' || character === '\t') return character;
    if (character === '\r') return '\\r';
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}}`;
  });
}
