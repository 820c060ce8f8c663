/** `/ui/tasks/<id>`: the conversation, the call that waits for an answer, and forms. */
import { objectOf } from '@gemini-cli/core';
import type { SessionHtml } from '@gemini-cli/core/server';
import type { PendingCall, TaskRecord } from '../contract.js';
import { isOver, isRunning, stateWord } from '../protocol/task-state.js';
import { recordedMessages, titleOf } from './conversation.js';
import { type RenderedPage, renderPage } from './layout.js';
import { ageText, costText } from './list-page.js';

const TITLE_CHARS = 120;

/** Values of secrets are masked where the tasks are made. */
const asItIs = <T>(value: T): T => value;

/** Differs when the page of the task would. */
export function markOf({ updatedAt, task }: TaskRecord): string {
  return `${updatedAt} ${task.status?.state ?? 0}`;
}

export async function taskPage(html: SessionHtml, record: TaskRecord, now: number): Promise<RenderedPage> {
  const { escapeHtml, readableText, firstWords } = html;
  const { task, settings } = record;
  const state = stateWord(task.status?.state);
  const shown = (text: string) => escapeHtml(readableText(text));
  const conversation = await html.conversationHtml(recordedMessages(record), { redact: asItIs });
  const error = state === 'failed' ? statusText(record) : '';
  const path = `/ui/tasks/${encodeURIComponent(record.id)}`;
  return renderPage(html, {
    title: firstWords(readableText(titleOf(record)), TITLE_CHARS) || 'Task',
    kind: '<a href="/ui">Tasks</a>',
    facts: [
      ['State', `<span class="state ${state}">${state}</span>`],
      ['Model', shown(record.model ?? '')],
      ['Cost', costText(record.cost)],
      ['Age', ageText(now - Date.parse(record.createdAt))],
      ['Folder', shown(settings?.workspacePath ?? '')],
      ['Id', `<code>${escapeHtml(record.id)}</code>`],
    ],
    live: 'task',
    seen: markOf(record),
    main: `<div id="conversation">
${conversation}${error ? `<p class="note error">${shown(error)}</p>` : ''}</div>
<div id="live" class="prose answer" aria-live="polite"></div>
<div id="pending">${record.pending.map((call) => questionHtml(html, call, path)).join('\n')}${actionsHtml(record, path)}</div>
${isOver(task.status?.state) ? '' : sayHtml(path)}`,
  });
}

function actionsHtml({ task }: TaskRecord, path: string): string {
  const state = task.status?.state;
  if (isOver(state)) return '';
  const running = isRunning(state) ? '<p class="cost">Working…</p>\n' : '';
  return `${running}<form method="post" action="${path}/cancel"><button class="no" type="submit">Cancel the task</button></form>`;
}

function sayHtml(path: string): string {
  return `<form class="say" method="post" action="${path}/messages">
<label for="text">Message</label>
<textarea id="text" name="text" rows="3" required></textarea>
<button class="main" type="submit">Send</button>
</form>`;
}

const OUTCOMES: readonly (readonly [outcome: string, label: string, look: string])[] = [
  ['proceed_once', 'Allow once', 'main'],
  ['proceed_always', 'Allow for this task', ''],
  ['cancel', 'Refuse', 'no'],
];

/** All that will run is shown, as code points where characters could deceive. */
function questionHtml(html: SessionHtml, { callId, name, call }: PendingCall, path: string): string {
  const { escapeHtml, readableText } = html;
  const data = objectOf(call);
  const [details, request] = [objectOf(data['confirmationDetails']), objectOf(data['request'])];
  const title = typeof details['title'] === 'string' ? details['title'] : name;
  const offered = details['offeredOutcomes'];
  const buttons = OUTCOMES.filter(([outcome]) => !Array.isArray(offered) || offered.includes(outcome)).map(
    ([outcome, label, look]) =>
      `<button class="${look}" type="submit" name="outcome" value="${outcome}">${label}</button>`,
  );
  return `<form class="question" method="post" action="${path}/answers">
<h2>${escapeHtml(readableText(title))} <code>${escapeHtml(readableText(name))}</code></h2>
${detailsHtml(html, details, objectOf(request['args']))}
<input type="hidden" name="callId" value="${escapeHtml(callId)}">
${buttons.join('\n')}
</form>`;
}

function detailsHtml(
  { escapeHtml, readableText, diffHtml }: SessionHtml,
  details: Record<string, unknown>,
  args: object,
): string {
  const pre = (text: unknown) => `<pre class="output">\n${escapeHtml(readableText(String(text)))}</pre>`;
  const { type, command, fileDiff, filePath, newContent } = details;
  if (type === 'exec' && typeof command === 'string') return pre(command);
  if (type === 'edit' && typeof fileDiff === 'string') {
    const edit =
      typeof newContent === 'string'
        ? `<details><summary>Edit before it is written</summary><textarea class="code" name="newContent" spellcheck="false">\n${escapeHtml(newContent)}</textarea></details>`
        : '';
    return `<p><code>${escapeHtml(readableText(String(filePath ?? '')))}</code></p>\n${diffHtml(readableText(fileDiff))}\n${edit}`;
  }
  return pre(JSON.stringify(args, null, 2));
}

function statusText({ task }: TaskRecord): string {
  const parts = task.status?.message?.parts ?? [];
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
}
