/** Asks a model for a one-line summary of a session, in the background, never while the user waits for a list. */
import { headOf } from '../../base/cut-text.js';
import type { UtilityModel } from '../../model/utility/utility-model.js';
import { createLog } from '../../platform/log.js';
import type { ConversationRecord, MessageRecord } from '../../protocol/session-record.js';
import { listSessions } from '../finding/session-info.js';
import type { SessionPlaces } from '../finding/session-places.js';
import { isSubstance, shownTextOf } from '../reading/message-kinds.js';
import { readSession } from '../reading/read-session.js';
import { isSessionLive } from '../recording/session-lock.js';
import { writeSummary } from '../session-operations.js';
import instruction from './session-summary.md';

const log = createLog('sessions');

const MAX_SUMMARY_CHARS = 80;
const MESSAGES_AT_EACH_END = 10;
const MESSAGE_CHARS = 500;
const TIME_LIMIT_MS = 5_000;
const ALIAS = 'summarizer-default';
const ROLE = 'utility_summarizer';
/** Of a larger session only the newest part is summarised. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

export interface SummaryOptions {
  places: SessionPlaces;
  utility: UtilityModel;
  currentSessionId: string;
  redact: (text: string) => string;
  signal?: AbortSignal;
}

/** Summarises the latest session without a summary. Failures are only logged: the next start retries. */
export async function summariseLatest(options: SummaryOptions): Promise<string | undefined> {
  const { places, currentSessionId } = options;
  try {
    const latest = listSessions(places, { currentSessionId }).findLast(
      ({ isCurrentSession }) => !isCurrentSession,
    );
    if (!latest || latest.summary !== undefined || isSessionLive(places.chatsDir, latest.id))
      return undefined;
    const summary = await summarise(readSession(latest.path, { maxBytes: MAX_READ_BYTES }), options);
    if (summary === undefined) return undefined;
    // The user may have named it meanwhile: that name is kept.
    if (readSession(latest.path, { metadataOnly: true }).summary !== undefined) return undefined;
    writeSummary(latest, summary, places);
    return summary;
  } catch (error) {
    log.debug('no summary', error);
    return undefined;
  }
}

/** Undefined when there is nothing to summarise or no usable answer came. */
async function summarise(
  { messages, sessionId }: Pick<ConversationRecord, 'messages' | 'sessionId'>,
  { utility, redact, signal }: Pick<SummaryOptions, 'utility' | 'redact' | 'signal'>,
): Promise<string | undefined> {
  const transcript = redact(transcriptOf(messages));
  if (transcript === '') return undefined;
  const limit = AbortSignal.timeout(TIME_LIMIT_MS);
  const { text } = await utility.generateText(
    {
      alias: ALIAS,
      role: ROLE,
      promptId: `${sessionId}-summary`,
      systemInstruction: instruction,
      messages: [{ role: 'user', origin: 'prompt', parts: [{ text: transcript }] }],
    },
    signal ? AbortSignal.any([signal, limit]) : limit,
  );
  const line = redact(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^["'“”]+|["'“”.]+$/g, '');
  return line === '' ? undefined : shortened(line, MAX_SUMMARY_CHARS);
}

function transcriptOf(messages: readonly MessageRecord[]): string {
  const said = messages.filter((record) => isSubstance(record) && shownTextOf(record).trim() !== '');
  const ends =
    said.length <= 2 * MESSAGES_AT_EACH_END
      ? said
      : [...said.slice(0, MESSAGES_AT_EACH_END), ...said.slice(-MESSAGES_AT_EACH_END)];
  return ends
    .map(
      (record) =>
        `${record.type === 'user' ? 'User' : 'Agent'}: ${shortened(shownTextOf(record).trim(), MESSAGE_CHARS)}`,
    )
    .join('\n\n');
}

function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${headOf(text, length - 1)}…`;
}
