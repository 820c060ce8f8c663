/** Generates session files for measurements, as the program writes them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const START = Date.UTC(2026, 0, 1);

export interface GeneratedSession {
  id: string;
  messages: number;
  /** Approximate size of one message. */
  bytes: number;
  /** A text in one of the answers. */
  needle?: string;
  ageMinutes?: number;
}

/** @returns its path */
export function writeSession(chatsDir: string, session: GeneratedSession): string {
  const { id, messages, bytes, needle, ageMinutes = 0 } = session;
  const time = new Date(START + ageMinutes * 60_000).toISOString();
  // Two and three bytes per character, so that no fast path for ASCII applies.
  const filler = 'für größere Wörter: 漢字も入ります。 '.repeat(Math.ceil(bytes / 51));
  const lines = [
    JSON.stringify({
      sessionId: id,
      projectHash: 'hash',
      startTime: time,
      lastUpdated: time,
      kind: 'main',
      formatVersion: 1,
    }),
  ];
  for (let index = 0; index < messages; index++) {
    const isUser = index % 2 === 0;
    const hidden = needle && index === messages - 1 ? ` ${needle}` : '';
    const content = [{ text: `Nachricht ${index}${hidden}: ${filler}` }];
    const type = isUser ? 'user' : 'gemini';
    lines.push(JSON.stringify({ id: `${id}-${index}`, timestamp: time, type, content }));
  }
  const state = { lastUpdated: time, messageCount: messages, userMessageCount: Math.ceil(messages / 2) };
  const shown = { hasUserOrAssistantMessage: true, firstUserMessage: 'Nachricht 0' };
  lines.push(JSON.stringify({ $set: { ...state, ...shown } }));
  mkdirSync(chatsDir, { recursive: true });
  const path = join(chatsDir, `session-${time.slice(0, 16).replace(':', '-')}-${id.slice(0, 8)}.jsonl`);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}
