/** Renders one tool call: a summary line with its arguments and output folded away. */
import type { Part } from '../../../protocol/messages.js';
import type { ToolCallRecord } from '../../../protocol/session-record.js';
import { countDiff } from './diff-html.js';
import { escapeHtml, firstWords } from './escape-html.js';
import { mediaHtml } from './media-html.js';
import { displayHtml, outputHtml, type Rendering } from './output-html.js';

const STATES: Readonly<Record<string, { mark: string; look: string }>> = {
  success: { mark: '✓', look: 'good' },
  error: { mark: '✗', look: 'bad' },
  cancelled: { mark: '⊘', look: 'off' },
};
const UNFINISHED = { mark: '…', look: 'off' };

const DESCRIPTION_CHARS = 300;

export function toolCallHtml(call: ToolCallRecord, rendering: Rendering): string {
  const status = String(call.status);
  const { mark, look } = (Object.hasOwn(STATES, status) && STATES[status]) || UNFINISHED;
  const agent = rendering.agentOf?.(call.id) ?? '';
  const inside = [argumentsHtml(call), agent, resultHtml(call, rendering)].join('');
  return `<details class="tool ${look}">
<summary><span class="mark" role="img" aria-label="${escapeHtml(status)}" title="${escapeHtml(status)}">${mark}</span>
<span class="name">${escapeHtml(call.displayName ?? call.name)}</span>
<span class="what">${escapeHtml(describe(call))}</span>${changeHtml(call)}</summary>
<div class="inside">
${inside || '<p class="more">No output.</p>\n'}</div>
</details>
`;
}

/** The diff of a call that changed a file. */
export function diffOf({ resultDisplay }: ToolCallRecord): { path: string; diff: string } | undefined {
  if (typeof resultDisplay !== 'object' || resultDisplay === null || !('fileDiff' in resultDisplay)) return;
  const { fileDiff, filePath, fileName } = resultDisplay;
  return typeof fileDiff === 'string' ? { path: String(filePath ?? fileName), diff: fileDiff } : undefined;
}

function changeHtml(call: ToolCallRecord): string {
  const change = diffOf(call);
  if (!change) return '';
  const { added, removed } = countDiff(change.diff);
  return ` <span class="change"><b class="plus">+${added}</b> <b class="minus">−${removed}</b></span>`;
}

function describe({ description, args }: ToolCallRecord): string {
  if (typeof description === 'string' && description !== '')
    return firstWords(description, DESCRIPTION_CHARS);
  const first = Object.values(args ?? {}).find((value) => typeof value === 'string');
  return firstWords(typeof first === 'string' ? first : '', DESCRIPTION_CHARS);
}

function argumentsHtml(call: ToolCallRecord): string {
  const entries = Object.entries(call.args ?? {});
  if (entries.length === 0) return '';
  const rows = entries.map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(argumentText(value))}</dd>`,
  );
  // A diff or a to-do list shows the arguments better.
  const open = isSpeaking(call) ? '' : ' open';
  return `<details class="arguments"${open}><summary>Arguments</summary><dl>\n${rows.join('\n')}\n</dl></details>\n`;
}

function isSpeaking({ resultDisplay: display }: ToolCallRecord): boolean {
  return typeof display === 'object' && display !== null && ('fileDiff' in display || 'todos' in display);
}

const MAX_ARGUMENT_CHARS = 50_000;

function argumentText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  const more = text.length - MAX_ARGUMENT_CHARS;
  return more > 0 ? `${text.slice(0, MAX_ARGUMENT_CHARS)}\n… ${more} more characters` : text;
}

function resultHtml(call: ToolCallRecord, rendering: Rendering): string {
  const { resultDisplay, renderOutputAsMarkdown = false } = call;
  const result = Array.isArray(call.result) ? call.result : [];
  const shown =
    resultDisplay === undefined || resultDisplay === null || resultDisplay === ''
      ? ''
      : displayHtml(resultDisplay, renderOutputAsMarkdown, rendering);
  return (shown || outputHtml(answerText(result))) + mediaHtml(result);
}

/** The response to the model, for calls without a display. */
function answerText(result: readonly Part[]): string {
  return result
    .map(({ functionResponse, text }) => {
      const response = functionResponse?.response;
      if (response === undefined) return text ?? '';
      const said = response['output'] ?? response['error'] ?? response;
      return typeof said === 'string' ? said : JSON.stringify(said, null, 2);
    })
    .filter((text) => text !== '')
    .join('\n');
}
