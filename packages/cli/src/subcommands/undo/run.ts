/** `gemini undo [id] [--list] [--preview] [--yes] [--no-record]`: brings back what tools and commands changed in this folder. */
import {
  codeOf,
  globalGeminiDir,
  LoadedSettings,
  loadSnapshots,
  setting,
  type UndoPreview,
} from '@gemini-cli/core';
import { notice } from '../../output/output.js';
import { formatList, formatPreview, formatResult, type Style } from '../../output/undo-text.js';
import { isTerminal } from '../../terminal/descriptors.js';
import { askOnTerminal } from '../ask.js';
import { currentDirectory } from '../current-directory.js';
import type { Subcommand, SubcommandIo } from '../subcommand.js';
import { parseArguments, type UndoArguments } from './arguments.js';

export interface UndoSurroundings {
  cwd: string;
  storeDir: string;
  globalDir: string;
  maxBytes: number;
  hasColour: boolean;
  /** Undefined when nobody can be asked. */
  ask?: ((question: string) => Promise<boolean>) | undefined;
}

const run: Subcommand = async (args, io) => {
  const wanted = parseArguments(args);
  if (typeof wanted === 'string') {
    io.stderr(`gemini undo: ${wanted}`);
    return 1;
  }
  const cwd = currentDirectory();
  const { snapshotDirOf } = await loadSnapshots();
  return undoCommand(wanted, io, {
    cwd,
    storeDir: snapshotDirOf(io.env, cwd),
    globalDir: globalGeminiDir(io.env),
    maxBytes: maxBytesFor(cwd, io.env),
    hasColour: isTerminal(1) && !io.env['NO_COLOR'],
    ask: isTerminal(0) && isTerminal(1) ? askOnTerminal : undefined,
  });
};

export default run;

export async function undoCommand(
  { id, list, preview, yes, noRecord }: UndoArguments,
  io: SubcommandIo,
  { cwd, storeDir, globalDir, maxBytes, hasColour, ask }: UndoSurroundings,
): Promise<number> {
  const { SnapshotEngine, previewOf } = await loadSnapshots();
  const engine = new SnapshotEngine({ storeDir, globalDir, roots: [cwd], maxBytes });
  const style: Style = { cwd, hasColour };
  finishInterrupted(engine, io);
  if (list) {
    io.stdout(formatList(engine.list()));
    return 0;
  }
  const planned = await previewOf(engine.preview(id));
  if (!yes || preview) io.stdout(formatPreview(planned, style));
  if (preview) return 0;
  if (!hasWork(planned)) {
    if (yes) io.stdout(formatPreview(planned, style));
    io.stderr('There is nothing to bring back.');
    return 1;
  }
  if (!yes && !ask) {
    io.stderr('Nothing was changed. To do this, add --yes.');
    return 1;
  }
  if (!yes && !(await ask?.('Bring these files back? (y/N) '))) {
    io.stderr('Nothing was changed.');
    return 1;
  }
  // By its full id: "last" might be another by now.
  const result = engine.undo(planned.snapshots[0]?.id ?? id, { isRecorded: !noRecord });
  io.stdout(formatResult(result, style));
  if (noRecord) io.stdout('Nothing was recorded: this undo cannot be undone.\n');
  const isClean = result.steps.every(({ status }) => GOOD.has(status));
  return isClean ? 0 : 1;
}

/** A file that somebody else changed is left on purpose; it is named, and no failure. */
const GOOD: ReadonlySet<string> = new Set(['done', 'already', 'changed-since']);

const NO_ROOM: ReadonlySet<string> = new Set(['snapshot_unwritable', 'snapshot_full']);

function hasWork({ steps }: UndoPreview): boolean {
  return steps.some(({ status }) => status === 'ready');
}

interface Recoverable {
  recover(): { id: string; kind: string; toolName: string }[];
}

/** Where nothing can be written, the rest goes on without it: an undo that needs the room says so itself. */
function finishInterrupted(engine: Recoverable, io: SubcommandIo): void {
  let records: ReturnType<Recoverable['recover']> = [];
  try {
    records = engine.recover();
  } catch (error) {
    if (!NO_ROOM.has(codeOf(error) ?? '')) throw error;
  }
  for (const { id, kind, toolName } of records) {
    const what = kind === 'undo' ? 'An undo' : `A call of ${toolName}`;
    const then = 'What it changed is recorded and can be undone; changes made since then count as its own.';
    notice(io, 'WARNING', `${what} was interrupted (${id}). ${then}`);
  }
}

/** Settings of user and system: a folder that is not trusted must not decide this. */
function maxBytesFor(cwd: string, env: NodeJS.ProcessEnv): number {
  const { merged } = LoadedSettings.read({ cwd, env, tolerant: true });
  return setting(merged, 'general.checkpointing.maxBytes');
}
