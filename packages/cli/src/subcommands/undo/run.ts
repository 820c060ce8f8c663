/** `gemini undo [turn] [id] [--list] [--preview] [--yes] [--no-record]`: undoes file changes of tools and commands. */
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

export interface UndoContext {
  cwd: string;
  storeDir: string;
  globalDir: string;
  maxBytes: number;
  hasColour: boolean;
  /** Undefined when the user cannot be asked, as in a pipe. */
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
  { id, scope, list, preview, yes, noRecord }: UndoArguments,
  io: SubcommandIo,
  { cwd, storeDir, globalDir, maxBytes, hasColour, ask }: UndoContext,
): Promise<number> {
  const { SnapshotEngine, previewOf } = await loadSnapshots();
  const engine = new SnapshotEngine({ storeDir, globalDir, roots: [cwd], maxBytes });
  const style: Style = { cwd, hasColour };
  finishInterrupted(engine, io);
  if (list) {
    io.stdout(formatList(engine.list()));
    return 0;
  }
  const planned = await previewOf(engine.preview(id, { scope }));
  if (!yes || preview) io.stdout(formatPreview(planned, style));
  if (preview) return 0;
  if (!hasWork(planned)) {
    if (yes) io.stdout(formatPreview(planned, style));
    io.stderr('There is nothing to restore.');
    return 1;
  }
  if (!yes && !ask) {
    io.stderr('Nothing was changed. To restore these files, add --yes.');
    return 1;
  }
  if (!yes && !(await ask?.('Restore these files? (y/N) '))) {
    io.stderr('Nothing was changed.');
    return 1;
  }
  // The full id: another change may be the last one by now.
  const result = engine.undo(planned.snapshots.at(-1)?.id ?? id, { scope, isRecorded: !noRecord });
  io.stdout(formatResult(result, style));
  if (noRecord) io.stdout('This undo was not recorded and cannot be undone.\n');
  const isClean = result.steps.every(({ status }) => GOOD.has(status));
  return isClean ? 0 : 1;
}

/** A file changed since by another program is skipped on purpose, which is not a failure. */
const GOOD: ReadonlySet<string> = new Set(['done', 'already', 'changed-since']);

const NO_ROOM: ReadonlySet<string> = new Set(['snapshot_unwritable', 'snapshot_full']);

function hasWork({ steps }: UndoPreview): boolean {
  return steps.some(({ status }) => status === 'ready');
}

interface Recoverable {
  recover(): { id: string; kind: string; toolName: string }[];
}

/** On a full disk the command continues: an undo that needs the space reports it itself. */
function finishInterrupted(engine: Recoverable, io: SubcommandIo): void {
  let records: ReturnType<Recoverable['recover']> = [];
  try {
    records = engine.recover();
  } catch (error) {
    if (!NO_ROOM.has(codeOf(error) ?? '')) throw error;
  }
  for (const { id, kind, toolName } of records) {
    const what = kind === 'undo' ? 'An undo' : `A call of ${toolName}`;
    const then = 'Its changes are recorded and can be undone, together with changes made since then.';
    notice(io, 'WARNING', `${what} was interrupted (${id}). ${then}`);
  }
}

/** Reads only user and system settings: an untrusted folder must not decide this. */
function maxBytesFor(cwd: string, env: NodeJS.ProcessEnv): number {
  const { merged } = LoadedSettings.read({ cwd, env, tolerant: true });
  return setting(merged, 'general.checkpointing.maxBytes');
}
