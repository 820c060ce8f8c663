/** Auto memory in the background: decides whether to run and on which sessions, and records what was done. */
import { existsSync, lstatSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { isRunDue, type SessionSelection, selectSessions } from '../../memory/auto/eligibility.js';
import { readEntries } from '../../memory/auto/inbox-item.js';
import { lockExtraction } from '../../memory/auto/lock.js';
import { type AutoMemoryPlaces, extractionPatch, PATCH_SCOPES } from '../../memory/auto/places.js';
import { draftNames } from '../../memory/auto/skill-drafts.js';
import {
  type ExtractionState,
  type RunOutcome,
  readState,
  withMark,
  writeState,
} from '../../memory/auto/state.js';
import type { Clock } from '../../platform/clock.js';
import type { Environment } from '../../platform/environment.js';
import { createLog } from '../../platform/log.js';
import type { Storage } from '../../platform/storage/storage.js';
import { listSessions, type SessionInfo } from '../../sessions/finding/session-info.js';
import type { SessionPlaces } from '../../sessions/finding/session-places.js';
import { isSessionLive } from '../../sessions/recording/session-lock.js';
import { EXTRACTION_AGENT } from './definition.js';
import instruction from './extraction.md';
import { createExtractionHost } from './host.js';
import { indexText } from './index-text.js';
import type { ExtractionModel, RunExtraction } from './request.js';

const log = createLog('auto-memory');

/** Scanning more would slow the user down. */
const MAX_SESSION_BYTES = 32 * 1024 * 1024;
/** No new suggestions while this many wait for review. */
const MAX_PENDING = 50;
/** The agent's own time, and two minutes for its last words. */
const TIME_LIMIT_MS = (EXTRACTION_AGENT.runConfig.maxTimeMinutes + 2) * 60 * 1000;

export interface ExtractionPorts {
  places: AutoMemoryPlaces;
  sessionPlaces: SessionPlaces;
  storage: Storage;
  environment: Environment;
  currentSessionId: string;
  clock: Clock;
  redact: (text: string) => string;
  /** @throws where no model is available */
  model: () => ExtractionModel;
  runAgent: RunExtraction;
  notice: (message: string) => void;
  timeLimitMs?: number;
}

export type ExtractionReport =
  | { ran: false; reason: 'not_due' | 'nothing_new' | 'inbox_full' | 'locked' | 'no_model' }
  | { ran: true; outcome: RunOutcome; sessionIds: string[]; suggestions: number };

/** @throws only for disk errors; a failing model is an outcome */
export async function extractMemories(
  ports: ExtractionPorts,
  signal: AbortSignal,
): Promise<ExtractionReport> {
  const { places, clock, sessionPlaces, currentSessionId } = ports;
  if (!isRunDue(readState(places.stateFile), clock.now())) return { ran: false, reason: 'not_due' };
  const sessions = listSessions(sessionPlaces, { currentSessionId });
  const refusal = await reasonNotToRun(ports, sessions);
  if (refusal) return { ran: false, reason: refusal };
  const lock = lockExtraction(places.lockFile, clock.now());
  if (!lock) return { ran: false, reason: 'locked' };
  try {
    // Another process may have run between the check and the lock.
    const state = readState(places.stateFile);
    const selection = select(ports, sessions, state);
    if (!isRunDue(state, clock.now())) return { ran: false, reason: 'not_due' };
    if (selection.fresh.length === 0) return { ran: false, reason: 'nothing_new' };
    return await accountedRun(ports, state, selection, signal);
  } finally {
    lock.release();
  }
}

async function reasonNotToRun(ports: ExtractionPorts, sessions: readonly SessionInfo[]) {
  if (select(ports, sessions, readState(ports.places.stateFile)).fresh.length === 0) return 'nothing_new';
  if ((await readEntries(ports.places)).length >= MAX_PENDING) return 'inbox_full';
  try {
    ports.model();
    return undefined;
  } catch (error) {
    log.debug('no model', error);
    return 'no_model';
  }
}

function select(
  { sessionPlaces, clock }: ExtractionPorts,
  sessions: readonly SessionInfo[],
  state: ExtractionState,
): SessionSelection<SessionInfo> {
  return selectSessions(sessions, state, {
    now: clock.now(),
    isUsable: ({ id, path }) =>
      !isSessionLive(sessionPlaces.chatsDir, id) &&
      (statSync(path, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY) <= MAX_SESSION_BYTES,
  });
}

async function accountedRun(
  ports: ExtractionPorts,
  before: ExtractionState,
  selection: SessionSelection<SessionInfo>,
  signal: AbortSignal,
): Promise<ExtractionReport> {
  const { places, clock, notice } = ports;
  const { fresh } = selection;
  const run = { startedAt: new Date(clock.now()).toISOString(), sessionIds: fresh.map(({ id }) => id) };
  const begun: ExtractionState = {
    ...before,
    runs: [...before.runs, { ...run, outcome: 'running' }],
  };
  writeState(places.stateFile, begun);
  setPatchesAside(ports);
  const draftsBefore = draftNames(places);
  const seen = new Set<string>();
  const outcome = await attempt(ports, selection, { seen, pendingDrafts: draftsBefore }, signal);

  let after: ExtractionState = { ...begun, runs: [...before.runs, { ...run, outcome }] };
  const isWhole = outcome === 'completed' || outcome === 'max_turns';
  // Sessions that the model has read are not sent again, whatever the outcome.
  for (const { id, lastUpdated } of fresh)
    if (isWhole || seen.has(id) || outcome !== 'aborted')
      after = withMark(after, { id, version: lastUpdated }, isWhole || seen.has(id));
  writeState(places.stateFile, after);

  removeBlankPatches(places);
  const suggestions = newSuggestions(places, draftsBefore);
  if (suggestions > 0)
    notice(
      `Auto memory has ${suggestions} new ${suggestions === 1 ? 'suggestion' : 'suggestions'} for you: /memory inbox`,
    );
  return { ran: true, outcome, sessionIds: run.sessionIds, suggestions };
}

async function attempt(
  ports: ExtractionPorts,
  selection: SessionSelection<SessionInfo>,
  { seen, pendingDrafts }: { seen: Set<string>; pendingDrafts: string[] },
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { places, storage, redact } = ports;
  const paths = new Map([...selection.fresh, ...selection.known].map(({ id, path }) => [id, path]));
  const limit = AbortSignal.timeout(ports.timeLimitMs ?? TIME_LIMIT_MS);
  try {
    return await ports.runAgent(
      {
        host: createExtractionHost({
          places,
          storage,
          environment: ports.environment,
          redact,
          pendingDrafts,
        }),
        shelf: {
          pathOf: (id) => paths.get(id),
          redact,
          onRead: (id) => seen.add(id),
        },
        model: ports.model(),
        systemInstruction: instructionFor(places),
        prompt: await indexText(selection, redact),
        review: () => {
          removeBlankPatches(places);
          return problemsOf(places, pendingDrafts);
        },
      },
      AbortSignal.any([signal, limit]),
    );
  } catch (error) {
    if (signal.aborted) return 'aborted';
    if (limit.aborted) return 'timeout';
    log.warn('extraction failed', messageOf(error));
    return 'failed';
  }
}

function instructionFor(places: AutoMemoryPlaces): string {
  const values: Readonly<Record<string, string>> = {
    memoryDir: places.memoryDir,
    draftsDir: places.draftsDir,
    globalFile: places.globalFile,
    privatePatch: extractionPatch(places, 'private'),
    globalPatch: extractionPatch(places, 'global'),
  };
  return instruction.replace(/\$\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Keeps suggestions of earlier runs that wait for review. */
function setPatchesAside({ places, clock }: ExtractionPorts): void {
  const stamp = new Date(clock.now()).toISOString().replace(/\D/g, '').slice(0, 14);
  for (const scope of PATCH_SCOPES) {
    const patch = extractionPatch(places, scope);
    if (!existsSync(patch)) continue;
    let aside = '';
    for (let number = 1; aside === '' || existsSync(aside); number++)
      aside = join(places.inboxDir, scope, `before-${stamp}${number > 1 ? `-${number}` : ''}.patch`);
    renameSync(patch, aside);
  }
}

/** How the agent withdraws a suggestion. */
function removeBlankPatches(places: AutoMemoryPlaces): void {
  for (const scope of PATCH_SCOPES) {
    const patch = extractionPatch(places, scope);
    const stats = lstatSync(patch, { throwIfNoEntry: false });
    if (stats?.isFile() && stats.size < 16 && readFileSync(patch, 'utf8').trim() === '') rmSync(patch);
  }
}

/** For the agent: which of its suggestions cannot be used, and why. */
async function problemsOf(
  places: AutoMemoryPlaces,
  pendingDrafts: readonly string[],
): Promise<string | undefined> {
  const own = (await readEntries(places)).filter((entry) =>
    entry.kind === 'patch'
      ? entry.file === extractionPatch(places, entry.scope)
      : !pendingDrafts.includes(entry.draft.name),
  );
  const lines = own.flatMap(({ item }) => (item.problem ? [`- ${item.title}: ${item.problem}`] : []));
  if (lines.length === 0) return undefined;
  return `These suggestions cannot be used as they are. Mend them, or empty what is not worth it:\n${lines.join('\n')}`;
}

function newSuggestions(places: AutoMemoryPlaces, draftsBefore: readonly string[]): number {
  const patches = PATCH_SCOPES.filter((scope) => existsSync(extractionPatch(places, scope)));
  const drafts = draftNames(places).filter((name) => !draftsBefore.includes(name));
  return patches.length + drafts.length;
}
