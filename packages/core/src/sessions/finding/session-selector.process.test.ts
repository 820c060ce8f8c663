import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestSessions, testSessions } from '../sessions.test-helper.js';
import { searchSessions } from './search-sessions.js';
import { listSessions } from './session-info.js';

let sessions: TestSessions;
beforeEach(() => {
  sessions = testSessions();
});
afterEach(() => sessions.cleanup());

function record(sessionId: string, prompt: string, answer = 'fine'): void {
  const service = sessions.service({ sessionId });
  service.recordUser('<session_context>\nneedle in the context', { origin: 'context' });
  service.recordUser(prompt);
  service.recordAnswer({ parts: [{ text: answer }] });
  service.close();
  sessions.time.now += 60_000;
}

describe.each([
  ['ripgrep', { variables: process.env }],
  ['own reading', {}],
])('searching by %s', (_name, how) => {
  it('finds words in any case, with the text around them, newest first', async () => {
    record('abcdef11-1', 'where is the Needle "quoted"\nhere?', 'in the haystack');
    record('abcdef22-2', 'nothing', 'a needle again');
    record('abcdef33-3', 'nothing', 'at all');
    const found = await searchSessions('needle', sessions.places, how);
    expect(found.map(({ id }) => id)).toEqual(['abcdef22-2', 'abcdef11-1']);
    expect(found[1]?.matchSnippets).toEqual([
      { before: 'where is the ', match: 'Needle', after: ' "quoted" here?', role: 'user' },
    ]);
    expect(found[0]?.matchSnippets).toMatchObject([{ role: 'assistant' }]);
    expect(await searchSessions('"quoted"\nhere', sessions.places, how)).toHaveLength(1);
    // A field of the format is no text of the conversation.
    expect(await searchSessions('timestamp', sessions.places, how)).toEqual([]);
    expect(await searchSessions('  ', sessions.places, how)).toEqual([]);
  });
});

describe('very many sessions', () => {
  const COUNT = 1_000;

  it('lists them from their first and last lines, and finds words in all of them', async () => {
    mkdirSync(sessions.places.chatsDir, { recursive: true });
    const service = sessions.service({ sessionId: 'template00' });
    service.recordUser('template prompt');
    for (let n = 0; n < 20; n++)
      service.recordAnswer({ parts: [{ text: 'some words of an answer '.repeat(20) }] });
    service.close();
    const { readFileSync, rmSync } = await import('node:fs');
    const path = service.conversationFile ?? '';
    const text = readFileSync(path, 'utf8');
    rmSync(path);
    for (let n = 0; n < COUNT; n++) {
      const id = `id${String(n).padStart(6, '0')}`;
      writeFileSync(
        join(sessions.places.chatsDir, `session-2026-11-15T10-00-${id}.jsonl`),
        text.replace('template00', id).replaceAll('template prompt', `prompt ${n}`),
      );
    }
    expect(listSessions(sessions.places)).toHaveLength(COUNT);
    const withRipgrep = await searchSessions('prompt 77', sessions.places, { variables: process.env });
    const withoutRipgrep = await searchSessions('prompt 77', sessions.places, {});
    for (const found of [withRipgrep, withoutRipgrep]) {
      expect(found.map(({ id }) => id).sort()).toEqual([
        'id000077',
        ...Array.from({ length: 10 }, (_, n) => `id00077${n}`),
      ]);
    }
  }, 120_000);
});
