/** For screen readers: changes that other screens show in rows, announced once as lines that stay. */
import { ApprovalMode } from '@gemini-cli/core';
import type { HistoryItemWithoutId, ToolView } from '../../../history/item.js';
import type { UiState } from '../../store/state.js';
import { cleanLine } from '../../text/clean.js';
import { todoCount } from '../../tools/todos.js';

type Change = (before: UiState, now: UiState, cancelKey: string) => string[];

export class Announcements {
  private before: UiState | undefined;

  constructor(private readonly cancelKey: string = 'Esc') {}

  /** What has changed since the last call. */
  lines(now: UiState): string[] {
    const before = this.before;
    this.before = now;
    if (before === now) return [];
    return CHANGES.flatMap((change) => change(before ?? NOTHING_YET(now), now, this.cancelKey)).map(
      cleanLine,
    );
  }
}

/** Before the first frame. */
const NOTHING_YET = (now: UiState): UiState => ({
  ...now,
  notices: [],
  queue: [],
  toast: undefined,
  isReady: false,
});

const CHANGES: readonly Change[] = [
  (before, now) => added(before.notices, now.notices).map((text) => `Notice: ${text}`),
  (before, now) => (now.isReady && !before.isReady ? placeLines(now) : []),
  (before, now) => (now.approvalMode === before.approvalMode ? [] : [`Mode: ${modeName(now.approvalMode)}.`]),
  (before, now) =>
    now.isShellMode === before.isShellMode ? [] : [`Shell mode ${now.isShellMode ? 'on' : 'off'}.`],
  (before, now) => added(before.queue, now.queue).map((text) => `Queued: ${text}`),
  (before, now, cancelKey) =>
    before.streaming === 'idle' && now.streaming !== 'idle' ? [`Working. ${cancelKey} cancels.`] : [],
  (before, now) => (now.retry && now.retry !== before.retry ? [now.retry.details] : []),
  (before, now) =>
    runningSince(before, now).map((tool) => `Running: ${tool.displayName} ${tool.description}`.trimEnd()),
  (before, now) =>
    now.isShellWaiting && !before.isShellWaiting ? ['The command waits for input: Tab goes to it.'] : [],
  (before, now) => (now.todos === before.todos ? [] : todoLine(now)),
  (before, now) => (now.toast && now.toast !== before.toast ? [now.toast.text] : []),
  (before, now) => (before.streaming !== 'idle' && now.streaming === 'idle' ? ['Ready.'] : []),
];

function added(before: readonly string[], now: readonly string[]): readonly string[] {
  return now.length > before.length ? now.slice(before.length) : [];
}

/** What the footer shows on other screens. */
function placeLines({ facts: { cwd, model, branch } }: UiState): string[] {
  return [`Folder: ${cwd}${branch ? `, branch: ${branch}` : ''}, model: ${model}`];
}

function modeName(mode: ApprovalMode): string {
  switch (mode) {
    case ApprovalMode.YOLO:
      return 'YOLO, everything runs without a question';
    case ApprovalMode.AUTO_EDIT:
      return 'auto-accept edits';
    case ApprovalMode.PLAN:
      return 'plan';
    default:
      return 'default, you are asked';
  }
}

function runningSince(before: UiState, now: UiState): ToolView[] {
  const known = new Set(before.pending.flatMap(running).map(({ callId }) => callId));
  return now.pending.flatMap(running).filter(({ callId }) => !known.has(callId));
}

function running(item: HistoryItemWithoutId): ToolView[] {
  return item.type === 'tool_group' ? item.tools.filter(({ status }) => status === 'executing') : [];
}

function todoLine({ todos }: UiState): string[] {
  if (todos.length === 0) return [];
  const { done, total } = todoCount(todos);
  const current = todos.find(({ status }) => status === 'in_progress');
  return [`Todo: ${done} of ${total} done${current ? `, now: ${current.description}` : ''}.`];
}
