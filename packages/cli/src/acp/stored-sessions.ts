/** Recorded sessions for `session/list`: of one folder, or of all folders that have some; newest first, in pages. */
import { realpathSync } from 'node:fs';
import { globalGeminiDir, knownProjects, type SessionInfo, type Variables } from '@gemini-cli/core';
import { CallerError, type StoredSessions } from '@gemini-cli/sdk/acp/serve';
import { openSessionProject } from '../sessions/project.js';

const PAGE = 50;

export async function listStored(
  { cwd, cursor }: { cwd?: string; cursor?: string },
  env: Variables,
): Promise<StoredSessions> {
  const from = cursor === undefined ? 0 : positionOf(cursor);
  const folders = cwd === undefined ? knownProjects(globalGeminiDir(env)) : [cwd];
  const all: { cwd: string; info: SessionInfo }[] = [];
  for (const folder of folders) {
    const root = realFolder(folder);
    if (root === undefined) continue;
    const { list } = await openSessionProject({ cwd: root, env });
    all.push(...list().map((info) => ({ cwd: root, info })));
  }
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
