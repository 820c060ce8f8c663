/** `/ui`: the tasks of the server, the one that changed last first. */
import type { SessionHtml } from '@gemini-cli/core/server';
import type { TaskPage, TaskRecord } from '../contract.js';
import { stateWord } from '../protocol/task-state.js';
import { titleOf } from './conversation.js';
import { type RenderedPage, renderPage } from './layout.js';

const TITLE_CHARS = 100;

export function listPage(html: SessionHtml, page: TaskPage, now: number): RenderedPage {
  const { escapeHtml } = html;
  const rows = page.records.map((record) => row(html, record, now)).join('\n');
  const table = `<div class="wide"><table class="tasks"><thead><tr><th>Task</th><th>State</th><th>Model</th><th class="right">Cost</th><th class="right">Age</th></tr></thead>
<tbody>
${rows}
</tbody></table></div>`;
  const more = page.nextPageToken
    ? `<p><a href="/ui?page=${encodeURIComponent(page.nextPageToken)}">Older tasks</a></p>`
    : '';
  const working = page.records.filter(({ task }) => stateWord(task.status?.state) === 'working').length;
  return renderPage(html, {
    title: 'Tasks',
    kind: 'A2A server',
    facts: [
      ['Tasks', String(page.totalSize)],
      ['Working', String(working)],
    ],
    live: 'list',
    main: `<div id="tasks">${page.records.length > 0 ? table : '<p class="empty">No tasks yet.</p>'}${more}</div>
<form class="say" method="post" action="/ui/tasks">
<label for="text">New task</label>
<textarea id="text" name="text" rows="2" required></textarea>
<label for="workspace">Folder to work in (default: the folder of the server)</label>
<input type="text" id="workspace" name="workspace" autocomplete="off" placeholder="${escapeHtml('/path/to/project')}">
<button class="main" type="submit">Start</button>
</form>`,
  });
}

function row({ escapeHtml, readableText, firstWords }: SessionHtml, record: TaskRecord, now: number): string {
  const state = stateWord(record.task.status?.state);
  const title = firstWords(readableText(titleOf(record)), TITLE_CHARS) || record.id;
  return `<tr><td class="words" dir="auto"><a href="/ui/tasks/${encodeURIComponent(record.id)}">${escapeHtml(title)}</a></td>
<td><span class="state ${state}">${state}</span></td><td>${escapeHtml(readableText(record.model ?? ''))}</td>
<td class="number">${costText(record.cost)}</td><td class="number" title="${escapeHtml(record.createdAt)}">${ageText(now - Date.parse(record.createdAt))}</td></tr>`;
}

export function costText(cost: number | undefined): string {
  return cost === undefined ? '' : `$${cost.toFixed(4)}`;
}

/** `20 s`, `5 min`, `3 h`, `4 d` */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
