/** Answers a prompt about pages by letting the provider read them; tried first. */
import { messageOf } from '../../base/errors.js';
import { wrapUntrusted } from '../../base/untrusted-context.js';
import type { UtilityAnswer } from '../../model/utility/utility-model.js';
import { createLog } from '../../platform/log.js';
import type { ToolResult } from '../tools.js';
import type { WebHost } from '../web-host.js';
import { citeAnswer, sourceLine, withSources } from '../web-search/citations.js';
import { type LeftOut, notesOn, summaryOf } from './left-out.js';

const log = createLog('web-fetch');

/** Undefined when the provider failed or could read none of the pages. */
export async function answerByProvider(
  host: WebHost,
  prompt: string,
  urls: readonly URL[],
  leftOut: readonly LeftOut[],
  signal: AbortSignal,
): Promise<ToolResult | undefined> {
  let answer: UtilityAnswer;
  try {
    answer = await host.getUtilityModel().generateText(
      {
        alias: 'web-fetch',
        role: 'utility_tool',
        promptId: `${host.getSessionId()}########web_fetch`,
        messages: [{ role: 'user', origin: 'prompt', parts: [{ text: prompt }] }],
        mainModel: host.getModel(),
        mayBeEmpty: true,
      },
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    log.warn('the provider did not read the pages', messageOf(error));
    return undefined;
  }
  if (!answer.text) return undefined;
  const { read, failed } = retrievals(answer);
  if (failed.length > 0 && read.length === 0) {
    log.warn('the provider could read none of the pages', failed);
    return undefined;
  }
  const cited = citeAnswer(answer);
  const sources =
    cited.sources.length > 0 ? cited.sources : read.map((uri, index) => sourceLine(index + 1, '', uri));
  const missing = failed.length > 0 ? `\n\nThe provider could not read: ${failed.join(', ')}` : '';
  return {
    llmContent: wrapUntrusted(withSources({ text: cited.text, sources })) + missing + notesOn(leftOut),
    returnDisplay: summaryOf(read.length || urls.length, leftOut),
  };
}

/** Which pages the provider read; both lists stay empty when it does not say. */
function retrievals({ response }: UtilityAnswer): { read: string[]; failed: string[] } {
  const list: unknown = response.candidates?.[0]?.urlContextMetadata?.urlMetadata;
  const read: string[] = [];
  const failed: string[] = [];
  for (const item of Array.isArray(list) ? list : []) {
    const { retrievedUrl, urlRetrievalStatus } = (item ?? {}) as Record<string, unknown>;
    if (typeof retrievedUrl !== 'string') continue;
    (urlRetrievalStatus === 'URL_RETRIEVAL_STATUS_SUCCESS' ? read : failed).push(retrievedUrl);
  }
  return { read, failed };
}
