/** Which sessions are listed, in which order, and how one looks in a line. */
import type { SessionInfo } from '@gemini-cli/core';
import type { Look } from '../../look.js';
import { cleanLine } from '../../text/clean.js';
import { cutText, wrapText } from '../../text/columns.js';

export type SortKey = 'date' | 'messages' | 'name';
export const SORT_KEYS: readonly SortKey[] = ['date', 'messages', 'name'];

export type Period = 'all' | 'today' | 'week' | 'month';
export const PERIODS: readonly Period[] = ['all', 'today', 'week', 'month'];

const DAY_MS = 86_400_000;
const PERIOD_DAYS: Readonly<Record<Period, number>> = {
  all: Number.POSITIVE_INFINITY,
  today: 1,
  week: 7,
  month: 30,
};

export interface ListOrder {
  sort: SortKey;
  isReversed: boolean;
  period: Period;
}

export function arranged(sessions: readonly SessionInfo[], order: ListOrder, nowMs: number): SessionInfo[] {
  const youngest = nowMs - PERIOD_DAYS[order.period] * DAY_MS;
  const wanted = sessions.filter(
    ({ lastUpdated }) => order.period === 'all' || timeOf(lastUpdated) >= youngest,
  );
  const sorted = wanted.sort(COMPARE[order.sort]);
  return order.isReversed ? sorted.reverse() : sorted;
}

/** Newest, longest, and A first. */
const COMPARE: Readonly<Record<SortKey, (a: SessionInfo, b: SessionInfo) => number>> = {
  date: (a, b) => timeOf(b.lastUpdated) - timeOf(a.lastUpdated),
  messages: (a, b) => b.messageCount - a.messageCount,
  name: (a, b) => a.displayName.localeCompare(b.displayName),
};

function timeOf(time: string): number {
  return Date.parse(time) || 0;
}

export interface RowLook {
  width: number;
  isChosen: boolean;
  age: string;
}

/** Index, messages, age, name; below it where the words were found. */
export function sessionLines(look: Look, session: SessionInfo, { width, isChosen, age }: RowLook): string[] {
  const { paint, theme, screenReader } = look;
  const current = session.isCurrentSession ? ' (current)' : '';
  const name = nameOf(session);
  const color = isChosen
    ? theme.ui.focus
    : session.isCurrentSession
      ? theme.text.secondary
      : theme.text.primary;
  const first = `${isChosen ? '● ' : '  '}${String(session.index).padStart(3)} ${String(session.messageCount).padStart(4)} msgs ${age.padStart(14)}  `;
  // A long name is cut, not the mark after it.
  const room = Math.max(1, width - first.length - current.length);
  const facts = screenReader
    ? `${session.index}. ${name}${current}, ${session.messageCount} messages, ${age}${isChosen ? ', selected' : ''}`
    : `${first}${cutText(name, room)}${current}`;
  const snippets = (session.matchSnippets ?? []).map(({ before, match, after }) => {
    const text = cleanLine(`${before}[${match}]${after}`);
    return paint(cutText(`      … ${text}`, width), { color: theme.text.secondary });
  });
  return [paint(cutText(facts, width), { color, bold: isChosen }), ...snippets];
}

const MOST_NAME = 500;

/** For one line or a few: names may be whole prompts. */
export function nameOf({ displayName }: SessionInfo): string {
  return cleanLine(displayName.slice(0, MOST_NAME));
}

export interface SessionPreview {
  summary?: string | undefined;
  /** The last ones. */
  messages: readonly { who: string; text: string }[];
}

export function previewLines(
  look: Look,
  session: SessionInfo,
  preview: SessionPreview,
  width: number,
): string[] {
  const { paint, theme } = look;
  const date = (time: string) => (timeOf(time) > 0 ? new Date(time).toLocaleString() : 'unknown');
  const text = (line: string) => wrapText(cleanLine(line), width);
  return [
    ...text(
      `${session.messageCount} messages, started ${date(session.startTime)}, last ${date(session.lastUpdated)}`,
    ),
    ...text(`Id ${session.id}`),
    ...text(nameOf(session)).map((row) => paint(row, { bold: true })),
    ...(preview.summary ? text(`Summary: ${preview.summary}`) : []),
    '',
    ...preview.messages.flatMap(({ who, text: said }) => [
      paint(`${who}:`, { color: theme.text.accent }),
      ...text(said.slice(0, MOST_SHOWN)),
    ]),
  ];
}

const MOST_SHOWN = 2_000;
