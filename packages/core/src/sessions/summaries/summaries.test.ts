import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UtilityModel, UtilityRequest } from '../../model/utility/utility-model.js';
import { textOf } from '../../protocol/messages.js';
import { listSessions } from '../finding/session-info.js';
import { renameSession } from '../session-operations.js';
import { type TestSessions, testSessions } from '../sessions.test-helper.js';
import { summariseLatest } from './summaries.js';

let sessions: TestSessions;
let asked: UtilityRequest[];
beforeEach(() => {
  sessions = testSessions();
  asked = [];
});
afterEach(() => sessions.cleanup());

function model(answer: string | Error): UtilityModel {
  return {
    async generateText(request) {
      asked.push(request);
      if (answer instanceof Error) throw answer;
      return { text: answer, response: {}, model: 'm' };
    },
    generateJson: () => Promise.reject(new Error('not asked for')),
  };
}

function record(sessionId: string, turns = 1): void {
  const service = sessions.service({ sessionId });
  for (let n = 0; n < turns; n++) {
    service.recordUser(`prompt ${n} ${'x'.repeat(2_000)}`);
    service.recordAnswer({ parts: [{ text: `answer ${n}` }] });
  }
  service.close();
  sessions.time.now += 60_000;
}

const run = (answer: string | Error, currentSessionId = 'current') =>
  summariseLatest({
    places: sessions.places,
    utility: model(answer),
    currentSessionId,
    redact: (text) => text.replaceAll('secret', '***'),
  });

describe('session summaries', () => {
  it('are made from both ends of the latest session and stored with it', async () => {
    record('first000');
    record('latest00', 30);
    expect(await run(' "Fix the secret login."\n')).toBe('Fix the *** login');
    const prompt = textOf(asked[0]?.messages[0]?.parts ?? []);
    expect(prompt.match(/^(User|Agent): /gm)).toHaveLength(20);
    expect(prompt).toContain('prompt 0 ');
    expect(prompt).toContain('answer 29');
    expect(prompt).not.toContain('answer 15');
    expect(prompt.length).toBeLessThan(20 * 520);
    expect(listSessions(sessions.places).map(({ displayName }) => displayName)).toEqual([
      expect.stringContaining('prompt 0'),
      'Fix the *** login',
    ]);
  });

  it('are short', async () => {
    record('latest00');
    expect(await run('word '.repeat(100))).toHaveLength(80);
  });

  it('are not made for the current session, nor for one that has a name', async () => {
    record('latest00');
    expect(await run('x', 'latest00')).toBeUndefined();
    const [session] = listSessions(sessions.places);
    if (session) renameSession(session, 'Mine', sessions.writing);
    expect(await run('x')).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('fail without a message', async () => {
    record('latest00');
    expect(await run(new Error('no network'))).toBeUndefined();
    expect(await run('   ')).toBeUndefined();
    expect(sessions.warnings).toEqual([]);
  });
});
