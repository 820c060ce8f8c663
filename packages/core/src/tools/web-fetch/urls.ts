/** Finds the URLs in a text, checks them and removes duplicates. */

export interface FoundUrl {
  /** As written. */
  raw: string;
  start: number;
  url: URL;
}

export interface FoundUrls {
  found: FoundUrl[];
  /** What looks like a URL but cannot be fetched, each with the reason. */
  malformed: string[];
}

/** Quotes, brackets and the punctuation of Chinese and Japanese never belong to a URL as it is written in prose. */
const WORD = /[^\s<>"`，。；！？、（）【】《》「」『』]+/g;
const MAX_LENGTH = 8_000;
const SCHEME = /[a-z][a-z0-9+.-]{0,30}:\/\//i;

export function findUrls(text: string): FoundUrls {
  const found: FoundUrl[] = [];
  const malformed: string[] = [];
  for (const [start, candidate] of candidatesIn(text)) {
    if (candidate.length > MAX_LENGTH) {
      malformed.push(`"${candidate.slice(0, 100)}..." is too long`);
      continue;
    }
    const scheme = SCHEME.exec(candidate);
    const raw = scheme ? withoutPunctuation(candidate.slice(scheme.index)) : candidate;
    const checked = checkUrl(raw);
    if ('problem' in checked) malformed.push(checked.problem);
    else found.push({ raw, start: start + (scheme?.index ?? 0), url: checked.url });
  }
  return { found, malformed };
}

/** Several may be joined by commas. */
function* candidatesIn(text: string): Generator<[start: number, candidate: string]> {
  for (const match of text.matchAll(WORD)) {
    if (!match[0].includes('://')) continue;
    let start = match.index;
    for (const piece of match[0].split(/[,;](?=https?:\/\/)/i)) {
      yield [start, piece];
      start += piece.length + 1;
    }
  }
}

/** The URL, with files on GitHub replaced by their plain text. */
export function checkUrl(raw: string): { url: URL } | { problem: string } {
  if (!URL.canParse(raw)) return { problem: `"${raw}" is malformed` };
  const url = new URL(raw);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { problem: `"${raw}": only http and https are fetched` };
  }
  if (url.username || url.password) return { problem: `"${url.host}": no user name or password in a URL` };
  return { url: plainGitHub(url) };
}

/** Equal for URLs that lead to the same page. */
export function urlKey(url: URL): string {
  const bare = new URL(url);
  bare.hash = '';
  // The URL parser has already lower-cased the host and removed a default port.
  return bare.href.replace(/\/$/, '');
}

/** Each page once, in order. */
export function uniqueUrls(urls: readonly URL[]): URL[] {
  const byKey = new Map<string, URL>();
  for (const url of urls) if (!byKey.has(urlKey(url))) byKey.set(urlKey(url), url);
  return [...byKey.values()];
}

function plainGitHub(url: URL): URL {
  if (!/^(www\.)?github\.com$/.test(url.hostname)) return url;
  const match = /^\/([^/]+)\/([^/]+)\/blob\/(.+)$/.exec(url.pathname);
  return match ? new URL(`https://raw.githubusercontent.com/${match[1]}/${match[2]}/${match[3]}`) : url;
}

/** The end of a sentence, or of the brackets around it. */
function withoutPunctuation(text: string): string {
  let end = text.length;
  for (; end > 0; end--) {
    const last = text[end - 1] ?? '';
    const opening = { ')': '(', ']': '[', '}': '{' }[last];
    const isUnopened = opening !== undefined && !isBalanced(text.slice(0, end), opening, last);
    if (!isUnopened && !".,;:!?'*_|\\".includes(last)) break;
  }
  return text.slice(0, end);
}

function isBalanced(text: string, opening: string, closing: string): boolean {
  return text.split(opening).length >= text.split(closing).length;
}
