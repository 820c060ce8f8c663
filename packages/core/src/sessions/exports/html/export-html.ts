/** Exports a session as one HTML page: it loads nothing from the network, and nothing in its content can run. */
import { redactDeep } from '../../../platform/redaction/redact-value.js';
import type { ConversationRecord, MessageRecord } from '../../../protocol/session-record.js';
import { isHidden, isUserMessage, shownTextOf, textOfRecord } from '../../reading/message-kinds.js';
import { type RedactValue, redactRecord } from '../../recording/redact-record.js';
import { escapeHtml, firstWords, readableText } from './escape-html.js';
import { loadMarkdown } from './markdown-html.js';
import { messageHtml, promptHtml } from './message-html.js';
import type { Rendering } from './output-html.js';
import { type PageHead, pageEnd, pageStart } from './page.js';
import { counted, durationText, SessionFacts, shortNumber } from './session-facts.js';

export interface HtmlExport {
  redact: RedactValue;
  /** Default: the time zone of this machine. */
  timeZone?: string;
}

/** @returns the page in pieces, made lazily: about one per message */
export async function exportSessionHtml(
  record: ConversationRecord,
  { redact, timeZone }: HtmlExport,
): Promise<Iterable<string>> {
  const rendering = { markdown: await loadMarkdown(), redact, time: timeFormat(timeZone) };
  return pieces(record, { ...rendering, agentOf: agentsOf(record, rendering) });
}

function* pieces(record: ConversationRecord, rendering: Rendering): Generator<string> {
  const head = headOf(record, rendering);
  yield pageStart(head);
  yield* turnsHtml(record, rendering);
  yield pageEnd(head);
}

/** The conversation alone, for a page with a frame of its own. */
export async function conversationHtml(
  messages: readonly MessageRecord[],
  { redact, timeZone }: HtmlExport,
): Promise<string> {
  const rendering = { markdown: await loadMarkdown(), redact, time: timeFormat(timeZone) };
  return [...turnsHtml({ messages }, rendering)].join('');
}

function* turnsHtml(
  { messages }: { messages: readonly MessageRecord[] },
  rendering: Rendering,
): Generator<string> {
  let turn: SessionFacts | undefined;
  let number = 0;
  for (const raw of messages) {
    if (raw.type === 'user' && isHidden(raw, textOfRecord(raw))) continue;
    const message = clean(raw, rendering.redact);
    if (isUserMessage(raw)) {
      if (turn) yield turnEnd(turn);
      turn = new SessionFacts();
      number++;
      yield `<section class="turn" id="prompt-${number}">\n${promptHtml(message, number, rendering)}`;
    }
    turn?.add(message);
    yield messageHtml(message, rendering);
  }
  if (turn) yield turnEnd(turn);
}

/** Transcripts of sub-agents, folded away below the call that started them. */
function agentsOf({ agents = [] }: ConversationRecord, rendering: Rendering): Rendering['agentOf'] {
  const byCall = new Map(agents.map((agent) => [agent.parentCallId, agent]));
  return (callId) => {
    const agent = byCall.get(callId);
    if (!agent) return '';
    const name = escapeHtml(rendering.redact(readableText(agent.agentName ?? agent.sessionId)));
    const work = agent.messages
      .map((message) => messageHtml(clean(message, rendering.redact), rendering))
      .join('');
    const calls = counted(SessionFacts.of(agent.messages).calls, 'tool call');
    return `<details class="thoughts agent"><summary><span class="name">Agent ${name}</span> <span class="what">${calls}</span></summary>
<div class="inside">
${work}</div>
</details>
`;
  };
}

/** Control sequences are removed first: a secret that one of them splits would not be found. */
function clean<T extends MessageRecord>(message: T, redact: RedactValue): MessageRecord {
  return redactRecord(redactDeep(message, readableText), redact);
}

const TITLE_CHARS = 120;
const ENTRY_CHARS = 90;
const PROBLEM_CHARS = 500;

function headOf(record: ConversationRecord, { redact, time }: Rendering): PageHead {
  const words = (text: string, maxChars: number) => firstWords(redact(readableText(text)), maxChars);
  const prompts = record.messages
    .filter(isUserMessage)
    .map((message) => words(shownTextOf(message), ENTRY_CHARS) || '(attachment)');
  const title = words(record.summary ?? '', TITLE_CHARS) || prompts[0] || 'Session';
  const facts = SessionFacts.of(record.messages);
  return {
    title,
    prompts,
    facts,
    models: [...facts.models].map((model) => words(model, ENTRY_CHARS)),
    sessionId: words(record.sessionId, TITLE_CHARS),
    startTime: facts.startTime ?? record.startTime,
    problems: problemsOf(record).map((problem) => words(problem, PROBLEM_CHARS)),
    time,
  };
}

function problemsOf({ problems = [], omittedMessages = 0 }: ConversationRecord): string[] {
  const left = omittedMessages > 0 ? [`${counted(omittedMessages, 'older message')} left out.`] : [];
  return [...problems, ...left];
}

/** Time and tokens of the answer to one prompt. */
function turnEnd(turn: SessionFacts): string {
  const words = [
    [...turn.models].join(', '),
    turn.calls > 0 ? counted(turn.calls, 'tool call') : '',
    turn.allTokens > 0 ? `${shortNumber(turn.allTokens)} tokens` : '',
    durationText(turn.durationMs),
  ].filter((word) => word !== '');
  const line = words.length > 0 ? `<p class="cost">${escapeHtml(words.join(' · '))}</p>\n` : '';
  return `${line}</section>\n`;
}

function timeFormat(timeZone?: string): Rendering['time'] {
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timeZone !== undefined && { timeZone }),
  });
  return (iso) => {
    const time = Date.parse(iso);
    return Number.isNaN(time) ? '' : format.format(time);
  };
}
