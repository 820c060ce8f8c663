/** The sessions of a folder on disk, which `gemini` lists and continues, too. */
import {
  type ChosenSession,
  loadSessions,
  type ProjectFolder,
  processVariables,
  readFolder,
  storageOf,
} from '@gemini-cli/core';
import { GeminiCliError } from '../errors.js';
import { variablesOf } from './environment.js';
import type { GeminiCliAgentOptions } from './options.js';
import { settingsOf } from './project.js';

export interface SessionInfo {
  id: string;
  /** ISO 8601. */
  startTime: string;
  lastUpdated: string;
  messageCount: number;
  /** The summary, else the first prompt. */
  displayName: string;
  firstUserMessage: string;
  summary?: string;
  /** The file it is stored in. */
  path: string;
}

export async function listStored(options: GeminiCliAgentOptions): Promise<SessionInfo[]> {
  const folder = await readFolder({
    cwd: options.cwd ?? process.cwd(),
    env: variablesOf(options, processVariables()),
    overrides: { skipTrust: options.trust === true, settings: settingsOf(options) },
    notice: () => undefined,
  }).catch((error: unknown) => {
    throw GeminiCliError.from(error);
  });
  const sessions = await loadSessions();
  return sessions.listSessions(await placesOf(folder)).map((info) => {
    const { id, startTime, lastUpdated, messageCount, displayName, firstUserMessage, summary, path } = info;
    const fields = { id, startTime, lastUpdated, messageCount, displayName, firstUserMessage, path };
    return summary === undefined ? fields : { ...fields, summary };
  });
}

/**
 * @param sessionId continues it if it is stored, else begins it
 * @param resume must be stored
 */
export async function chooseStored(
  folder: ProjectFolder,
  { sessionId, resume }: { sessionId?: string | undefined; resume?: string | undefined },
): Promise<ChosenSession> {
  const sessions = await loadSessions();
  const selector = new sessions.SessionSelector({ places: await placesOf(folder), now: Date.now });
  if (sessionId !== undefined) {
    if (typeof sessionId !== 'string' || !sessions.isSafeSessionId(sessionId))
      throw new GeminiCliError(`"${sessionId}" cannot be the id of a session.`, {
        code: 'INVALID_SESSION_ID',
      });
    if (!(await selector.sessionExists(sessionId))) return { sessionId };
  }
  const identifier = sessionId ?? resume ?? 'latest';
  try {
    const { sessionPath, sessionData } = await selector.resolveSession(identifier, { maxBytes: END_BYTES });
    const { model } = sessions.restoredState(sessionData);
    return { sessionId: sessionData.sessionId, resume: sessionPath, ...(model && { model }) };
  } catch (error) {
    throw GeminiCliError.from(error);
  }
}

/** Enough of the end of a session to see the model that answered last. */
const END_BYTES = 256 * 1024;

async function placesOf({ cwd, environment, settings }: ProjectFolder) {
  const { realpathSync } = await import('node:fs');
  const sessions = await loadSessions();
  const { variables, home } = environment;
  const storage = storageOf(variables, realpathSync(cwd));
  return sessions.sessionPlaces(storage, settings.merged.general?.sessionStorageDir, home);
}
