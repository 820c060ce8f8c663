/** Filters and sorts sessions. */
import type { SessionInfo } from '@gemini-cli/core';
import { cleanLine } from '../../text/clean.js';

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

/** Zero: unknown. */
export function timeOf(time: string): number {
  return Date.parse(time) || 0;
}

const MAX_NAME_LENGTH = 500;

/** For one or a few lines: names may be whole prompts. */
export function nameOf({ displayName }: SessionInfo): string {
  return cleanLine(displayName.slice(0, MAX_NAME_LENGTH));
}

export interface SessionPreview {
  summary?: string | undefined;
  /** The last ones. */
  messages: readonly { who: string; text: string }[];
}
