/** `/ui/tasks/<id>`: the conversation, the call that waits for an answer, and forms. */
import type { SessionHtml } from '@gemini-cli/core/server';
import type { TaskRecord } from '../contract.js';
import { isOver, isRunning, stateWord } from '../protocol/task-state.js';
import { recordedMessages, titleOf } from './conversation.js';
import { type RenderedPage, renderPage } from './layout.js';
import { ageText, costText } from './list-page.js';
import { questionHtml } from './question.js';

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

function statusText({ task }: TaskRecord): string {
  const parts = task.status?.message?.parts ?? [];
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
}
