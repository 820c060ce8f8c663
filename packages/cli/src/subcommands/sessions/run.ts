/** `gemini sessions <list|show|search|export|import|delete|rename|fork>`: manages the sessions of this folder. */
import { resolve } from 'node:path';
import type { ConversationRecord, SessionInfo } from '@gemini-cli/core';
import { notice, oneLine } from '../../output/output.js';
import { exportPieces, writeExport } from '../../sessions/export.js';
import { openSessionProject, type SessionProject } from '../../sessions/project.js';
import { isTerminal } from '../../terminal/descriptors.js';
import { askOnTerminal } from '../ask.js';
import { currentDirectory } from '../current-directory.js';
import type { Subcommand, SubcommandIo } from '../subcommand.js';
import { parseArguments, type SessionsArguments } from './arguments.js';
import { ageOf, asEntry, asJson, formatFound, formatList, titleFor } from './format.js';
import { formatConversation } from './show.js';

const run: Subcommand = async (args, io) => {
  const wanted = parseArguments(args);
  if (typeof wanted === 'string') {
    io.stderr(`gemini sessions: ${wanted}`);
    return 1;
  }
  const cwd = currentDirectory();
  const project = await openSessionProject({ cwd, env: io.env });
  const ask = isTerminal(0) && isTerminal(1) ? askOnTerminal : undefined;
  return sessionsCommand(wanted, io, { project, cwd, ask });
};

export default run;

export interface SessionsContext {
  project: SessionProject;
  /** Relative file names are resolved here. */
  cwd: string;
  /** Undefined when the user cannot be asked, as in a pipe. */
  ask?: ((question: string) => Promise<boolean>) | undefined;
}

type Wanted<V extends SessionsArguments['verb']> = Extract<SessionsArguments, { verb: V }>;

export async function sessionsCommand(
  wanted: SessionsArguments,
  io: SubcommandIo,
  context: SessionsContext,
): Promise<number> {
  const { project } = context;
  const { json } = wanted;
  if (wanted.verb === 'list') {
    const list = project.list();
    io.stdout(json ? asJson(list.map(asEntry), project) : formatList(list, project));
    return 0;
  }
  if (wanted.verb === 'search') {
    const found = await project.sessions.searchSessions(wanted.words, project.places, {
      variables: io.env,
    });
    io.stdout(json ? asJson(found.map(asEntry), project) : formatFound(found, wanted.words, project));
    return 0;
  }
  if (wanted.verb === 'import') {
    const path = resolve(context.cwd, wanted.file);
    const { sessionId, path: file } = project.sessions.importSession(path, project.writing);
    io.stdout(json ? asJson({ id: sessionId, path: file }, project) : `${sessionId}\n`);
    return 0;
  }
  const session = await project.find(wanted.id);
  switch (wanted.verb) {
    case 'show': {
      const record = read(session, io, project);
      if (json) printPieces(await exportPieces(record, 'json', project), io);
      else io.stdout(formatConversation(record, session, project));
      return 0;
    }
    case 'export':
      return exportTo(wanted, session, io, context);
    case 'delete':
      return remove(wanted, session, io, context);
    case 'rename': {
      const name = project.sessions.renameSession(session, wanted.name, project.writing);
      const line = `Renamed session ${session.index} to: ${titleFor({ ...session, displayName: name }, project)}\n`;
      io.stdout(json ? asJson({ id: session.id, name }, project) : line);
      return 0;
    }
    case 'fork': {
      const { sessionId, path } = project.sessions.forkSession(session.path, project.writing, wanted.turn);
      io.stdout(json ? asJson({ id: sessionId, path }, project) : `${sessionId}\n`);
      return 0;
    }
  }
}

async function exportTo(
  { file, format, force, json }: Wanted<'export'>,
  session: SessionInfo,
  io: SubcommandIo,
  { project, cwd }: SessionsContext,
): Promise<number> {
  const pieces = await exportPieces(read(session, io, project), format, project);
  if (file === undefined) {
    printPieces(pieces, io);
    return 0;
  }
  writeExport(file, pieces, { force, cwd });
  const line = `Session ${session.index} written to ${oneLine(file)}.\n`;
  io.stdout(json ? asJson({ id: session.id, file, format }, project) : line);
  return 0;
}

function printPieces(pieces: Iterable<string>, io: SubcommandIo): void {
  for (const piece of pieces) io.stdout(piece);
}

async function remove(
  { yes, json }: Wanted<'delete'>,
  session: SessionInfo,
  io: SubcommandIo,
  { project, ask }: SessionsContext,
): Promise<number> {
  const what = `session ${session.index}: ${titleFor(session, project)} (${ageOf(session, project)})`;
  if (!yes && !ask) {
    io.stderr(`Nothing was deleted. To delete ${what}, add --yes.`);
    return 1;
  }
  if (!yes && !(await ask?.(`Delete ${what}? (y/N) `))) {
    io.stderr('Nothing was deleted.');
    return 1;
  }
  project.sessions.deleteSession(session, project.places);
  io.stdout(json ? asJson({ deleted: session.id }, project) : `Deleted ${what}\n`);
  return 0;
}

/** Reads a session and warns about damage in its file. */
function read(session: SessionInfo, io: SubcommandIo, { sessions }: SessionProject): ConversationRecord {
  const record = sessions.withTranscripts(sessions.readSession(session.path), session.path);
  for (const problem of record.problems ?? []) notice(io, 'WARNING', `${session.fileName}: ${problem}`);
  return record;
}
