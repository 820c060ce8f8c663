/** Recorded sessions of one folder, or of all folders that have some; newest first, in pages. */
import { realpathSync } from 'node:fs';
import {
  codeOf,
  globalGeminiDir,
  knownProjects,
  messageOf,
  type SessionInfo,
  type Variables,
} from '@gemini-cli/core';
import { CallerError, type StoredSessions } from '@gemini-cli/sdk/acp/serve';
import { openSessionProject, type SessionProject } from '../sessions/project.js';

const PAGE = 50;

export async function listStored(
  { cwd, cursor }: { cwd?: string; cursor?: string },
  env: Variables,
): Promise<StoredSessions> {
  const from = cursor === undefined ? 0 : positionOf(cursor);
  const all: { cwd: string; info: SessionInfo }[] = [];
  for await (const { root, project } of projectsOf(cwd, env))
    all.push(...project.list().map((info) => ({ cwd: root, info })));
  all.sort((a, b) => Date.parse(b.info.lastUpdated) - Date.parse(a.info.lastUpdated));
  const page = all.slice(from, from + PAGE);
  const next = from + PAGE;
  return {
    sessions: page.map(({ cwd, info }) => ({
      sessionId: info.id,
      cwd,
      title: info.displayName,
      updatedAt: info.lastUpdated,
    })),
    ...(next < all.length && { nextCursor: String(next) }),
  };
}

/** Wherever it is stored. @throws CallerError for one that is being recorded elsewhere, or is only read */
export async function deleteStored(sessionId: string, env: Variables): Promise<void> {
  for await (const { project } of projectsOf(undefined, env)) {
    const { sessions, places } = project;
    for (const info of project.list().filter(({ id }) => id === sessionId))
      try {
        sessions.deleteSession(info, places);
      } catch (error) {
        if (codeOf(error) === undefined) throw error;
        throw new CallerError(messageOf(error), { sessionId });
      }
  }
}

async function* projectsOf(
  cwd: string | undefined,
  env: Variables,
): AsyncGenerator<{ root: string; project: SessionProject }> {
  for (const folder of cwd === undefined ? knownProjects(globalGeminiDir(env)) : [cwd]) {
    const root = realFolder(folder);
    if (root !== undefined) yield { root, project: await openSessionProject({ cwd: root, env }) };
  }
}

function positionOf(cursor: string): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new CallerError(`"${cursor}" is not a cursor of session/list.`);
}

/** Undefined for a folder that does not exist any more. */
function realFolder(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
