/** Runs one search, by the provider or by the user's search service, and words the result for the model. */
import { messageOf } from '../../base/errors.js';
import { wrapUntrusted } from '../../base/untrusted-context.js';
import { createLog } from '../../platform/log.js';
import { ToolErrorType } from '../tool-error.js';
import { type ToolResult, toolFailure } from '../tools.js';
import { reachesWebItself, type WebHost } from '../web-host.js';
import { type CitedText, citeAnswer, withSources } from './citations.js';
import { askSearchService } from './search-service.js';

const log = createLog('web-search');

export async function runWebSearch(host: WebHost, query: string, signal: AbortSignal): Promise<ToolResult> {
  try {
    const found = await search(host, query, signal);
    if (!found.text) return nothingFound(query);
    return {
      llmContent: `Web search results for "${query}":\n\n${wrapUntrusted(withSources(found))}`,
      returnDisplay: `Search results for "${query}" returned.`,
    };
  } catch (error) {
    if (signal.aborted) {
      return toolFailure('The web search was cancelled.', ToolErrorType.WEB_SEARCH_FAILED);
    }
    log.warn('web search failed', error);
    const message = `The web search for "${query}" failed: ${messageOf(error)}`;
    return toolFailure(message, ToolErrorType.WEB_SEARCH_FAILED);
  }
}

async function search(host: WebHost, query: string, signal: AbortSignal): Promise<CitedText> {
  const service = host.getWebSearchService?.();
  if (reachesWebItself(host.getModel())) return searchByProvider(host, query, signal);
  if (service) return askSearchService(service, query, host.getEnvironment(), signal);
  throw new Error(
    'this model cannot search by itself. The user may set tools.webSearch.endpoint in settings.json; continue without it.',
  );
}

async function searchByProvider(host: WebHost, query: string, signal: AbortSignal): Promise<CitedText> {
  const answer = await host.getUtilityModel().generateText(
    {
      alias: 'web-search',
      role: 'utility_tool',
      promptId: `${host.getSessionId()}########web_search`,
      messages: [{ role: 'user', origin: 'prompt', parts: [{ text: query }] }],
      mainModel: host.getModel(),
      mayBeEmpty: true,
    },
    signal,
  );
  return citeAnswer(answer);
}

function nothingFound(query: string): ToolResult {
  return {
    llmContent: `No search results or information found for query: "${query}"`,
    returnDisplay: 'No information found.',
  };
}
