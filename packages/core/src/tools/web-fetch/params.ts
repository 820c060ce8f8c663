/** Parameters of `web_fetch`: a prompt with URLs in it, or one URL, or both. */
import type { JsonSchema } from '../../protocol/tool-declaration.js';
import { describeTool } from '../describe-tool.js';
import directProse from './direct-fetch.md';
import { checkUrl, type FoundUrls, findUrls, uniqueUrls } from './urls.js';
import prose from './web-fetch.md';

export interface WebFetchParams {
  prompt?: string;
  url?: string;
}

export const PROMPT_FORM = describeTool(prose, {
  type: 'object',
  properties: { prompt: { type: 'string' } },
  required: ['prompt'],
});

export const URL_FORM = describeTool(directProse, {
  type: 'object',
  properties: { url: { type: 'string' } },
  required: ['url'],
});

/** Both forms are accepted, whichever is declared. */
export const ACCEPTED_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { prompt: { type: 'string' }, url: { type: 'string' } },
};

const MAX_URLS = 20;

export interface FetchRequest {
  /** The prompt; a URL given in `url` is appended. */
  text: string;
  /** The URLs with their positions in `text`. */
  found: FoundUrls['found'];
  /** Each page once, in order. */
  urls: URL[];
  /** False: the pages themselves are wanted, not an answer about them. */
  hasPrompt: boolean;
}

/** @returns what is wrong, as a sentence for the model */
export function readRequest(params: WebFetchParams): FetchRequest | { problem: string } {
  const prompt = params.prompt?.trim() ?? '';
  const url = params.url?.trim() ?? '';
  if (!prompt && !url) {
    return { problem: "The 'prompt' parameter cannot be empty and must contain instructions and URLs." };
  }
  if (url) {
    const checked = checkUrl(url);
    if ('problem' in checked) return { problem: `Invalid URL in the 'url' parameter: ${checked.problem}.` };
  }
  const isNamed = findUrls(prompt).found.some(({ raw }) => raw === url);
  const text = isNamed ? prompt : [prompt, url].filter(Boolean).join('\n\n');
  const { found, malformed } = findUrls(text);
  if (malformed.length > 0)
    return { problem: `Error(s) in the URLs of the prompt:\n- ${malformed.join('\n- ')}` };
  if (found.length === 0) {
    return {
      problem: "The 'prompt' must contain at least one valid URL, beginning with http:// or https://.",
    };
  }
  const urls = uniqueUrls(found.map((item) => item.url));
  if (urls.length > MAX_URLS) {
    return {
      problem: `The prompt contains ${urls.length} URLs; at most ${MAX_URLS} can be fetched in one call.`,
    };
  }
  return { text, found, urls, hasPrompt: prompt !== '' };
}
