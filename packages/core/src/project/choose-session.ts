/** Which session a run belongs to: a new one, an earlier one (`--resume`), or one from a file (`--session-file`). */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SessionStartSource } from '../agent/hook-ports.js';
import { FatalInputError, messageOf } from '../base/errors.js';
import { visibleName } from '../base/visible-text.js';
import type { Environment } from '../platform/environment.js';
import { Redactor } from '../platform/redaction/redact.js';
import { storageOf } from '../platform/storage/project-id.js';
import type { ConversationRecord } from '../protocol/session-record.js';
import { loadSessions } from '../sessions/load.js';
import type { Settings } from '../settings/schema/index.js';
import type { ProjectOverrides } from './overrides.js';

export interface SessionQuestion {
  overrides: Pick<ProjectOverrides, 'resume' | 'sessionFile' | 'sessionId'>;
  cwd: string;
  /** Id of a new session. */
  sessionId: string;
  environment: Environment;
  /** `sessionStorageDir`, and `sessionId`: the session to resume when no flag names one. */
  settings: Pick<NonNullable<Settings['general']>, 'sessionStorageDir' | 'sessionId'> | undefined;
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
  const isAsked = resume !== undefined || file !== undefined || wanted !== undefined;
  const usual = isAsked ? undefined : question.settings?.sessionId;
  if (!isAsked && !usual) return { sessionId };
  const sessions = await loadSessions();
  const root = realpathSync(question.cwd);
  const places = sessions.sessionPlaces(
    storageOf(variables, root),
    question.settings?.sessionStorageDir,
    home,
  );
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
  if (usual) {
    if (await selector.sessionExists(usual)) return resumed(usual);
    question.notice(`general.sessionId: no session ${visibleName(usual)} here; a new one begins.`);
  }
  if (resume !== undefined) {
    try {
      return await resumed(resume || 'latest');
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

  async function resumed(identifier: string): Promise<ChosenSession> {
    const read = { maxBytes: END_BYTES };
    const { sessionPath, sessionData } = await selector.resolveSession(identifier, read);
    return chosen(sessionPath, sessionData);
  }

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
