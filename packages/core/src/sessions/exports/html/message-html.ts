/** Renders single messages: prompts, answers with thoughts and tool calls, notes. */
import { type Part, toParts } from '../../../protocol/messages.js';
import type { MessageRecord } from '../../../protocol/session-record.js';
import { isHidden, shownTextOf, textOfRecord } from '../../reading/message-kinds.js';
import { escapeHtml, firstWords } from './escape-html.js';
import { mediaHtml } from './media-html.js';
import type { Rendering } from './output-html.js';
import { toolCallHtml } from './tool-call-html.js';

/** Shown as typed: a prompt is not Markdown. */
export function promptHtml(record: MessageRecord, number: number, { time }: Rendering): string {
  const text = shownTextOf(record).trim();
  const when = time(record.timestamp);
  const meta = [when && `<time datetime="${escapeHtml(record.timestamp)}">${escapeHtml(when)}</time>`];
  if (record.notSent) meta.push('<span class="badge">not answered</span>');
  return `<article class="prompt">
<h2><a href="#prompt-${number}" aria-label="Prompt ${number}">${number}</a>${meta.filter(Boolean).join(' ')}</h2>
${text ? `<p class="said" dir="auto">${escapeHtml(text)}</p>\n` : ''}${mediaHtml(partsOf(record))}</article>
`;
}

export function messageHtml(record: MessageRecord, rendering: Rendering): string {
  if (record.type === 'gemini') return answerHtml(record, rendering);
  const text = shownTextOf(record).trim();
  if (record.type === 'user') return '';
  const isKnown = record.type === 'info' || record.type === 'warning' || record.type === 'error';
  const words = isKnown ? text : `[${record.type}, written by a newer version] ${text}`;
  return `<p class="note ${isKnown ? record.type : 'info'}">${escapeHtml(words)}</p>\n`;
}

function answerHtml(record: MessageRecord, rendering: Rendering): string {
  const text = shownTextOf(record);
  const calls = record.toolCalls ?? [];
  return [
    thoughtsHtml(record, rendering),
    text.trim() !== '' && !isHidden(record, textOfRecord(record))
      ? `<div class="prose answer" dir="auto">\n${rendering.markdown(text)}</div>\n`
      : '',
    codeHtml(partsOf(record)),
    mediaHtml(partsOf(record)),
    calls.length > 0
      ? `<div class="tools">\n${calls.map((call) => toolCallHtml(call, rendering)).join('')}</div>\n`
      : '',
  ].join('');
}

function thoughtsHtml(record: MessageRecord, { markdown }: Rendering): string {
  const summarised = (record.thoughts ?? []).map(({ subject, description }) => ({
    head: String(subject ?? ''),
    text: [subject && `**${subject}**`, description].filter(Boolean).join('\n\n'),
  }));
  const spoken = partsOf(record)
    .filter(({ thought, text }) => thought && text)
    .map(({ text = '' }) => ({ head: firstWords(text.replace(/[*#`_]/g, ''), 80), text }));
  const thoughts = [...summarised, ...(summarised.length > 0 ? [] : spoken)];
  if (thoughts.length === 0) return '';
  const heads = thoughts.map(({ head }) => head).filter(Boolean);
  return `<details class="thoughts">
<summary><span class="name">Thinking</span> <span class="what">${escapeHtml(heads.join(' · '))}</span></summary>
<div class="prose">${thoughts.map(({ text }) => markdown(text)).join('')}</div>
</details>
`;
}

/** Code that the model's provider executed. */
function codeHtml(parts: readonly Part[]): string {
  return parts
    .flatMap(({ executableCode, codeExecutionResult }) => [
      executableCode?.code ?? '',
      codeExecutionResult?.output ?? '',
    ])
    .filter((text) => text !== '')
    .map((text) => `<pre class="output">\n${escapeHtml(text)}</pre>\n`)
    .join('');
}

function partsOf({ content }: MessageRecord): Part[] {
  return toParts(content).filter((part) => typeof part === 'object' && part !== null);
}
