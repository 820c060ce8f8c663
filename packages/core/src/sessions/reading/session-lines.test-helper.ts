/** For tests: the lines of a session file. */

export const METADATA = {
  sessionId: 'aaaaaaaa-1111-4222-8333-444444444444',
  projectHash: 'h',
  startTime: '2026-01-01T10:00:00.000Z',
  lastUpdated: '2026-01-01T10:00:00.000Z',
  kind: 'main',
};

export const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
export const user = (id: string, content: unknown) => ({
  id,
  timestamp: '2026-01-01T10:00:00.000Z',
  type: 'user',
  content,
});
export const gemini = (id: string, content: unknown, more = {}) => ({
  id,
  timestamp: '2026-01-01T10:00:01.000Z',
  type: 'gemini',
  content,
  ...more,
});
