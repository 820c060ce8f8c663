/** Opens a folder as a project: trust, `.env`, settings of all scopes, the session to continue. The first of three steps. */
import { FatalConfigError, FatalUntrustedWorkspaceError } from '../base/errors.js';
import { EventStream } from '../bus/event-stream.js';
import type { ConfigParameters } from '../engine/parameters.js';
import { Project } from '../engine/project.js';
import type { Variables } from '../platform/environment.js';
import { randomUuid } from '../platform/random.js';
import { liveOnly } from '../settings/schema/parameters.js';
import { resolveTelemetry } from '../telemetry/settings.js';
import { type ChosenSession, chooseSession } from './choose-session.js';
import type { ProjectOverrides } from './overrides.js';
import { type ParameterSources, toParameters } from './parameters-from.js';
import { type ProjectFolder, readFolder } from './read-folder.js';

/** What the engine must know about the front end. */
export interface FrontEnd {
  /** A user can answer questions. */
  interactive: boolean;
  /** Where it listens and answers; absent: one is made (`Project.events`). */
  events?: EventStream;
  /** Shows the output of commands on its screen and sends them keys. */
  hasScreen?: boolean;
  /** Can open a proposal in an editor and return the changed content. */
  offersEditor?: boolean;
  /** Gets telemetry for the console; absent: none is written. */
  writeConsole?: (text: string) => void;
}

export interface ProjectRequest {
  cwd: string;
  env: Variables;
  frontEnd: FrontEnd;
  overrides?: ProjectOverrides;
  /** The folder, if it was read already. */
  folder?: ProjectFolder;
  /** The session, if it was chosen already. */
  session?: ChosenSession;
  /** What the program itself brings, over the settings: files of an editor, MCP servers of this session. */
  parameters?: Partial<ConfigParameters>;
}

/** @throws FatalConfigError, FatalInputError, FatalUntrustedWorkspaceError: one line for the user, with its exit code */
export async function openProject(request: ProjectRequest): Promise<Project> {
  const { frontEnd, overrides = {} } = request;
  const events = frontEnd.events ?? new EventStream();
  const notice = (message: string) => events.notice(message);
  const folder = await decidedFolder(request, events);
  const { environment, settings, trust } = folder;
  refuseYolo(overrides, settings.merged.security?.disableYoloMode);
  const session =
    request.session ??
    (await chooseSession({
      overrides,
      cwd: folder.cwd,
      environment,
      sessionId: overrides.sessionId ?? randomUuid(),
      settings: settings.merged.general,
      notice,
    }));
  const sources: Omit<ParameterSources, 'trusted' | 'settings'> = {
    overrides,
    environment,
    cwd: folder.cwd,
    session,
    frontEnd,
    notice,
  };
  const derive = (isNowTrusted: boolean) =>
    toParameters({ ...sources, settings: settings.merged, trusted: isNowTrusted });
  return new Project({
    ...derive(trust.trusted),
    ...(await folder.extensions()),
    ...request.parameters,
    events,
    environment,
    settings,
    followsEditorTrust: FOLLOWS_EDITOR.has(trust.source),
    deriveForTrust: (isNowTrusted) => liveOnly(derive(isNowTrusted)),
    telemetry: telemetryFor(folder, frontEnd, notice),
  });
}

/** Not where the command line, a variable or the disabled feature has decided. */
const FOLLOWS_EDITOR: ReadonlySet<string> = new Set(['ide', 'file', 'none']);

/**
 * A user who can answer decides about an unknown folder; otherwise an untrusted folder ends the run. After a yes the
 * whole folder is read again: its `.env` and settings files were skipped before.
 */
async function decidedFolder(
  { cwd, env, overrides = {}, frontEnd, folder: given }: ProjectRequest,
  events: EventStream,
): Promise<ProjectFolder> {
  const told = new Set<string>();
  const notice = (message: string) => {
    if (!told.has(message)) events.notice(message);
    told.add(message);
  };
  const folder = given ?? (await readFolder({ cwd, env, overrides, notice }));
  if (!frontEnd.interactive) requireTrust(folder);
  if (folder.trust.trusted || folder.trust.source !== 'none') return folder;
  const reply = await events.ask({ kind: 'folder_trust', folder: folder.cwd });
  if (reply.status !== 'answered' || !reply.answer) return folder;
  return readFolder({ cwd: folder.cwd, env, overrides: { ...overrides, skipTrust: true }, notice });
}

/** @throws FatalUntrustedWorkspaceError for a folder that is not trusted */
export function requireTrust({ cwd, trust }: Pick<ProjectFolder, 'cwd' | 'trust'>): void {
  if (trust.trusted) return;
  const why =
    trust.source === 'none'
      ? 'It is not decided yet whether this folder is trusted'
      : 'This folder is not trusted';
  throw new FatalUntrustedWorkspaceError(
    `${why}: ${cwd}. To work here for this run, use --skip-trust or set GEMINI_CLI_TRUST_WORKSPACE=true.`,
  );
}

function refuseYolo({ approvalMode }: ProjectOverrides, isDisabled: boolean | undefined): void {
  if (!isDisabled || approvalMode !== 'yolo') return;
  throw new FatalConfigError('Yolo mode is disabled by security.disableYoloMode in settings.json.');
}

function telemetryFor(
  { environment, settings }: ProjectFolder,
  { writeConsole = () => undefined }: FrontEnd,
  notice: (message: string) => void,
) {
  const { variables: env, fromProject } = environment;
  const resolved = resolveTelemetry({ env, fromProject, settings: settings.merged.telemetry });
  if (resolved.enabled) {
    const phases = () => [{ name: 'start', durationMs: performance.now() }];
    return { settings: resolved.settings, writeConsole, phases };
  }
  if (resolved.problem) notice(`Telemetry is off: ${resolved.problem}`);
  return undefined;
}
