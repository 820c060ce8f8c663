import { realpathSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { environmentOf } from '../platform/environment.js';
import { storageOf } from '../platform/storage/project-id.js';
import { testSessions } from '../sessions/sessions.test-helper.js';
import { chooseSession } from './choose-session.js';

const ID = '11111111-aaaa-4bbb-8ccc-000000000009';
const NEW = '22222222-aaaa-4bbb-8ccc-000000000009';

function question(settings: { sessionId?: string }) {
  const sessions = testSessions();
  onTestFinished(() => sessions.cleanup());
  const environment = environmentOf({ GEMINI_CLI_HOME: sessions.base }, sessions.base);
  const chatsDir = storageOf(environment.variables, realpathSync(sessions.base)).getChatsDir();
  const recorded = sessions.service({ sessionId: ID, chatsDir });
  recorded.recordUser('hello');
  recorded.recordAnswer({ parts: [{ text: 'fine' }], model: 'some-model' });
  recorded.close();
  const notices: string[] = [];
  const asked = {
    overrides: {},
    cwd: sessions.base,
    environment,
    sessionId: NEW,
    settings,
    notice: (text: string) => void notices.push(text),
  };
  return { asked, notices };
}

it('resumes the session of general.sessionId when no flag names one', async () => {
  const { asked, notices } = question({ sessionId: ID });
  expect(await chooseSession(asked)).toMatchObject({
    sessionId: ID,
    resume: expect.stringContaining('chats'),
  });
  expect(notices).toEqual([]);
  const other = await chooseSession({ ...asked, overrides: { sessionId: NEW } });
  expect(other).toEqual({ sessionId: NEW });
});

it('begins a new session when general.sessionId names none, and says so', async () => {
  const { asked, notices } = question({ sessionId: 'gone' });
  expect(await chooseSession(asked)).toEqual({ sessionId: NEW });
  expect(notices).toEqual(['general.sessionId: no session gone here; a new one begins.']);
});
