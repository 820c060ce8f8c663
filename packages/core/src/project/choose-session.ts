/** Which session a run belongs to: a new one, an earlier one (`--resume`), or one from a file (`--session-file`). */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SessionStartSource } from '../agent/hook-ports.js';
import { FatalInputError, messageOf } from '../base/errors.js';
import type { Environment } from '../platform/environment.js';
import { Redactor } from '../platform/redaction/redact.js';
import { storageOf } from '../platform/storage/project-id.js';
import type { ConversationRecord } from '../protocol/session-record.js';
import { loadSessions } from '../sessions/load.js';
import type { ProjectOverrides } from './overrides.js';

export interface SessionQuestion {
  overrides: Pick<ProjectOverrides, 'resume' | 'sessionFile' | 'sessionId'>;
  cwd: string;
  /** Id of a new session. */
  sessionId: string;
  environment: Environment;
  /** `general.sessionStorageDir`. */
  storageDir: string | undefined;
  notice: (message: string) => void;
}

export interface ChosenSession {
  sessionId: string;
  /** File to continue in. */
  resume?: string;
  /** Its last model. */
  model?: string;
  /** Why it begins, for hooks. */
  startSource?: SessionStartSource;
}

/** Enough of the end of a session to see the model that answered last. */
const END_BYTES = 256 * 1024;

/** @throws FatalInputError (42) for an unknown id, number or file */
export async function chooseSession(question: SessionQuestion): Promise<ChosenSession> {
  const { overrides, sessionId } = question;
  const { variables, home } = question.environment;
  const { resume, sessionFile: file, sessionId: wanted } = overrides;
  if (resume === undefined && file === undefined && wanted === undefined) return { sessionId };
  const sessions = await loadSessions();
  const root = realpathSync(question.cwd);
  const places = sessions.sessionPlaces(storageOf(variables, root), question.storageDir, home);
  const selector = new sessions.SessionSelector({ places, now: Date.now });
  if (file !== undefined) {
    const redactor = new Redactor();
    redactor.addEnvironment(variables);
    const path = resolve(question.cwd, file);
    const writing = {
      places,
      projectHash: () => sessions.projectHashOf(root),
      now: Date.now,
      redact: <T>(value: T) => redactor.redactValue(value),
    };
    const imported = await asked('importing', () => sessions.importSession(path, writing));
    return chosen(imported.path, sessions.readSession(imported.path, { maxBytes: END_BYTES }));
  }
  if (resume !== undefined) {
    try {
      const { sessionPath, sessionData } = await selector.resolveSession(resume || 'latest', {
        maxBytes: END_BYTES,
      });
      return chosen(sessionPath, sessionData);
    } catch (error) {
      if (!(error instanceof sessions.SessionError) || error.code !== 'NO_SESSIONS_FOUND') {
        throw new FatalInputError(`Error resuming session: ${messageOf(error)}`, error);
      }
      question.notice('No previous sessions found for this project.');
    }
  }
  if (wanted !== undefined && (!sessions.isSafeSessionId(wanted) || (await selector.sessionExists(wanted)))) {
    throw new FatalInputError(`--session-id: "${wanted}" exists already, or cannot be the id of a session.`);
  }
  return { sessionId };

  function chosen(path: string, record: ConversationRecord): ChosenSession {
    const { model } = sessions.restoredState(record);
    return { sessionId: record.sessionId, resume: path, ...(model && { model }) };
  }
}

async function asked<T>(what: string, action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw new FatalInputError(`Error ${what} session: ${messageOf(error)}`, error);
  }
}
