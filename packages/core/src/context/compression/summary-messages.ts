/** Builds the messages that replace a summarised part of the conversation. */
import { headOf } from '../../base/cut-text.js';
import { type Message, type Part, textOf } from '../../protocol/messages.js';
import type { TokenEstimator } from '../size/token-estimate.js';
import reminderIntroduction from './prompts/reminder-introduction.md';
import summaryIntroduction from './prompts/summary-introduction.md';
import { type Turn, textOfTurn } from './transcript.js';

/** How many turns are listed by id; more would use up what the summary saves. */
const LISTED_PROMPTS = 20;
const LISTED_OTHERS = 20;
const PREVIEW_LENGTH = 60;
/** Shown hex digits of an id; `recall_turn` accepts the shortened id. */
const SHOWN_DIGITS = 10;

const LAST_PROMPTS = 3;
/** The latest prompt is always repeated; earlier ones up to this size. */
const EARLIER_PROMPT_TOKENS = 20_000;

const PROMPTS_INTRODUCTION = "The user's last instructions, oldest first, word for word:";

export function summaryMessages(snapshot: string, turns: readonly Turn[]): Message[] {
  const text = [
    summaryIntroduction.trim(),
    `<state_snapshot>\n${snapshot}\n</state_snapshot>`,
    recallList(turns),
  ].join('\n\n');
  return [
    { role: 'user', origin: 'summary', parts: [{ text }] },
    { role: 'model', origin: 'summary', parts: [{ text: 'Understood. I continue from this state.' }] },
  ];
}

/** Each item becomes a part, unchanged. Undefined when there is nothing to repeat. */
export function reminderMessage(items: readonly string[], prompts: readonly string[]): Message | undefined {
  const parts: Part[] = [];
  const said = items.filter((item) => item.trim() !== '');
  if (said.length > 0) parts.push(...[reminderIntroduction.trim(), ...said].map((text) => ({ text })));
  if (prompts.length > 0) parts.push(...[PROMPTS_INTRODUCTION, ...prompts].map((text) => ({ text })));
  return parts.length === 0 ? undefined : { role: 'user', origin: 'reminder', parts };
}

/** The user's last prompts that would no longer be in the conversation. */
export function promptsToRepeat(
  summarised: readonly Message[],
  kept: readonly Message[],
  estimator: TokenEstimator,
): string[] {
  const wanted = Math.max(0, LAST_PROMPTS - promptsIn(kept).length);
  const candidates = wanted === 0 ? [] : promptsIn(summarised).slice(-wanted);
  let tokens = 0;
  return candidates
    .toReversed()
    .filter((text, index) => {
      tokens += estimator.text(text);
      return index === 0 || tokens <= EARLIER_PROMPT_TOKENS;
    })
    .toReversed();
}

/** The user's prompts, including those that an earlier summary repeated. */
function promptsIn(messages: readonly Message[]): string[] {
  return messages.flatMap(({ origin, role, parts }) => {
    if (origin === 'reminder') {
      const start = parts.findIndex(({ text }) => text === PROMPTS_INTRODUCTION);
      return start < 0 ? [] : parts.slice(start + 1).map(({ text = '' }) => text);
    }
    const text = origin === 'prompt' && role === 'user' ? textOf(parts) : '';
    return text === '' ? [] : [text];
  });
}

export function shortId(id: string): string {
  return id.slice(0, 'turn_'.length + SHOWN_DIGITS);
}

function recallList(turns: readonly Turn[]): string {
  const prompts = turns.filter(({ message }) => message.origin === 'prompt').slice(-LISTED_PROMPTS);
  const others = turns.filter(({ message }) => message.origin !== 'prompt').slice(-LISTED_OTHERS);
  const listed = turns.filter(
    (turn) => isEarlierSummary(turn) || prompts.includes(turn) || others.includes(turn),
  );
  const rest = turns.length - listed.length;
  return [
    'recall_turn gives any summarised turn back word for word. Their ids:',
    ...listed.map((turn) => `- ${shortId(turn.id)} (${turn.message.origin}) ${describe(turn)}`),
    ...(rest > 0
      ? [`and ${rest} older ones; recall_turn lists the latest ids when it is given one it does not know.`]
      : []),
  ].join('\n');
}

function isEarlierSummary({ message }: Turn): boolean {
  return message.origin === 'summary' && message.role === 'user';
}

function describe(turn: Turn): string {
  return isEarlierSummary(turn)
    ? 'the summary before this one, with the ids of turns before it'
    : previewOf(turn.message);
}

export function previewOf(message: Message): string {
  const text = textOfTurn(message).replace(/\s+/g, ' ').trim();
  // A tag in a preview could look like one of ours.
  const preview = text.length > PREVIEW_LENGTH ? `${headOf(text, PREVIEW_LENGTH)}…` : text;
  return preview.replaceAll('<', '‹').replaceAll('>', '›');
}
