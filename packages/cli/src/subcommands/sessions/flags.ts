/** Runs `--list-sessions` and `--delete-session <number or id>`. */
import { codeOf } from '@gemini-cli/core';
import type { FlagValues } from '../../command-line/flags.js';
import { type Output, oneLine, reportError, standardOutput } from '../../output/output.js';
import { openSessionProject, type SessionProject } from '../../sessions/project.js';
import { currentDirectory } from '../current-directory.js';
import { ageOf, formatList, titleFor } from './format.js';

const EXIT_INPUT = 42;
/** Codes of a SessionError for a session that does not exist. */
const NOT_FOUND: ReadonlySet<unknown> = new Set(['NO_SESSIONS_FOUND', 'INVALID_SESSION_IDENTIFIER']);

/** @returns the exit code */
export async function runSessionFlags(flags: FlagValues): Promise<number> {
  return answerFlags(flags, standardOutput, () =>
    openSessionProject({ cwd: currentDirectory(), env: process.env }),
  );
}

export async function answerFlags(
  flags: FlagValues,
  output: Output,
  open: () => Promise<SessionProject>,
): Promise<number> {
  try {
    const project = await open();
    const wanted = flags['delete-session'];
    if (wanted !== undefined) await deleteBy(wanted, project, output);
    else output.stdout(formatList(project.list(), project));
    return 0;
  } catch (error) {
    const exitCode = reportError(output, error);
    return NOT_FOUND.has(codeOf(error)) ? EXIT_INPUT : exitCode;
  }
}

async function deleteBy(wanted: string, project: SessionProject, output: Output): Promise<void> {
  const session = await project.find(wanted);
  project.sessions.deleteSession(session, project.places);
  const said = session.firstUserMessage || session.displayName;
  const title = titleFor({ ...session, displayName: oneLine(said) }, project);
  output.stdout(`Deleted session ${session.index}: ${title} (${ageOf(session, project)})\n`);
}
