/** Draws a sub-agent's name and last activities. */
import type { ToolResultDisplay } from '@gemini-cli/core';
import type { Look } from '../look.js';
import { cleanLine } from '../text/clean.js';
import { fitSpans, paintSpans, span } from '../text/spans.js';
import type { Style } from '../themes/style.js';
import { type Styles, stylesOf } from '../themes/styles.js';

export type SubagentProgress = Extract<ToolResultDisplay, { isSubagentProgress: true }>;

/** Rows of one agent while it works: several may work side by side. */
export const LIVE_ROWS = 4;

/** Beside the name: `running, 3 calls`, `completed, 12 calls, 4 turns`. */
export function subagentSummary({
  state,
  toolCalls = 0,
  turns = 0,
  terminateReason,
}: SubagentProgress): string {
  if (state === undefined) return '';
  const calls = toolCalls > 0 ? [`${toolCalls} ${toolCalls === 1 ? 'call' : 'calls'}`] : [];
  const count = turns > 0 && state !== 'running' ? [`${turns} ${turns === 1 ? 'turn' : 'turns'}`] : [];
  const why = terminateReason !== undefined && terminateReason !== 'GOAL' ? [terminateReason] : [];
  return [state, ...why.map(cleanLine), ...calls, ...count].join(', ');
}

/** The last `limit` activities, one line each. */
export function subagentLines(
  progress: SubagentProgress,
  look: Look,
  limit: number,
): { lines: string[]; hidden: number } {
  const shown = progress.recentActivity.slice(-limit);
  const lines = shown.map((activity) => activityLine(activity, look));
  return { lines, hidden: progress.recentActivity.length - shown.length };
}

function activityLine(activity: SubagentProgress['recentActivity'][number], look: Look): string {
  const styles = stylesOf(look.theme);
  const text = cleanLine(activity.content);
  if (look.screenReader) return [activity.type, activity.status, text].filter(Boolean).join(' ');
  const { sign, style } = signFor(activity, styles);
  const body = activity.type === 'thought' ? { ...styles.secondary, italic: true } : styles.secondary;
  return paintSpans(fitSpans([span(`${sign} `, style), span(text, body)], look.width), look.paint);
}

function signFor(
  activity: { type: string; status?: string },
  styles: Styles,
): { sign: string; style: Style } {
  switch (activity.status) {
    case 'completed':
    case 'success':
      return { sign: '✓', style: styles.success };
    case 'error':
      return { sign: 'x', style: styles.error };
    case 'cancelled':
      return { sign: '-', style: styles.secondary };
    case 'running':
    case 'executing':
      return { sign: '⊷', style: styles.accent };
    default:
      return { sign: activity.type === 'thought' ? '·' : '›', style: styles.secondary };
  }
}
