/** Opens the recorded sessions of a folder: lists them, finds one, masks secrets in them. */
import {
  codeOf,
  homeOf,
  LoadedSettings,
  loadSessions,
  Redactor,
  type SessionInfo,
  type Sessions,
  storageOf,
} from '@gemini-cli/core';

type Writing = Parameters<Sessions['renameSession']>[2];

export interface SessionProject {
  sessions: Sessions;
  places: Writing['places'];
  writing: Writing;
  now: () => number;
  redactor: Redactor;
  list(): SessionInfo[];
  /** @throws SessionError that explains how to name a session */
  find(identifier: string): Promise<SessionInfo>;
}

export async function openSessionProject({
  cwd,
  env,
  now = Date.now,
}: {
  /** A real path. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  now?: () => number;
}): Promise<SessionProject> {
  const sessions = await loadSessions();
  const places = sessions.sessionPlaces(storageOf(env, cwd), storageDirOf(cwd, env), homeOf(env));
  const redactor = new Redactor();
  redactor.addEnvironment(env);
  const projectHash = () => sessions.projectHashOf(cwd);
  const selector = new sessions.SessionSelector({ places, now });
  return {
    sessions,
    places,
    writing: { places, projectHash, now, redact: (value) => redactor.redactValue(value) },
    now,
    redactor,
    list: () => sessions.listSessions(places),
    find: async (identifier) => {
      try {
        return await selector.findSession(identifier);
      } catch (error) {
        if (codeOf(error) !== 'INVALID_SESSION_IDENTIFIER') throw error;
        throw new sessions.SessionError('INVALID_SESSION_IDENTIFIER', unknownSession(identifier), error);
      }
    },
  };
}

function unknownSession(identifier: string): string {
  return (
    `Invalid session identifier "${identifier}". Name a session by its number or id in gemini --list-sessions, ` +
    'by at least 6 characters that only its id begins with, or as "latest".'
  );
}

/** Reads only user and system settings: the folder must not decide where sessions are. */
function storageDirOf(cwd: string, env: NodeJS.ProcessEnv): string | undefined {
  return LoadedSettings.read({ cwd, env, tolerant: true }).merged.general?.sessionStorageDir;
}
