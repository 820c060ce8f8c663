/** What the `gemini` program offers to clients of the protocol: its settings, sign-ins, sessions and commands. */
import { realpathSync } from 'node:fs';
import {
  type ChosenSession,
  type ConversationRecord,
  type LoadedSettings,
  processVariables,
  randomUuid,
  readFolder,
  setting,
  UserError,
  type Variables,
} from '@gemini-cli/core';
import {
  type AcpHost,
  AUTH_METHODS,
  agentInfo,
  CallerError,
  type HostedSession,
  type OpenRequest,
  PROGRAM_SESSIONS,
  type StoredSessions,
} from '@gemini-cli/sdk/acp/serve';
import type { FlagValues } from '../command-line/flags.js';
import { overridesFrom } from '../engine/overrides.js';
import { SandboxDue, startEngine } from '../engine/start-engine.js';
import { openSessionProject } from '../sessions/project.js';
import { CliSession } from './cli-session.js';
import { SignIns } from './sign-ins.js';
import { deleteStored, listStored } from './stored-sessions.js';

export interface CliAcpHostOptions {
  flags: FlagValues;
  /** Writes a line to stderr. */
  warn: (message: string) => void;
}

/** What is read of a stored session to show it again. */
const REPLAY_BYTES = 64 * 1024 * 1024;

export class CliAcpHost implements AcpHost {
  readonly info = agentInfo(__VERSION__);
  readonly authMethods = AUTH_METHODS;
  readonly sessionAbilities = PROGRAM_SESSIONS;
  private readonly flags: FlagValues;
  private readonly signIns = new SignIns();

  constructor(private readonly options: CliAcpHostOptions) {
    this.flags = ofEverySession(options.flags);
  }

  async authenticate(methodId: string, meta: unknown): Promise<void> {
    const settings = await this.userSettings();
    await this.signIns.authenticate(methodId, meta, { settings, variables: processVariables() });
  }

  list(request: { cwd?: string; cursor?: string }): Promise<StoredSessions> {
    return listStored(request, this.variables());
  }

  delete(sessionId: string): Promise<void> {
    return deleteStored(sessionId, this.variables());
  }

  async open({
    cwd,
    additionalDirectories,
    stored,
    events,
    ...request
  }: OpenRequest): Promise<HostedSession> {
    const { warn } = this.options;
    const flags = {
      ...this.flags,
      'include-directories': [...(this.flags['include-directories'] ?? []), ...additionalDirectories],
    };
    const overrides = overridesFrom(flags);
    const folder = await readFolder({ cwd, env: this.variables(), overrides, notice: warn });
    const { session, record } = await this.choose(folder.cwd, stored);
    // Until the client knows the session, messages about it go to stderr.
    const stopTelling = events.subscribe((event) => {
      if (event.type === 'notice' && !event.isOver) warn(event.message);
    });
    try {
      const config = await startEngine({
        flags,
        folder,
        session,
        frontEnd: { interactive: true, events, writeConsole: (text) => warn(text.trimEnd()) },
        warn,
        parameters: {
          sessionServers: request.mcpServers,
          ...partsThatFit(request.client(session.sessionId), folder.settings),
        },
      });
      return new CliSession({ config, settings: folder.settings, warn, ...(record && { record }) });
    } catch (error) {
      if (error instanceof SandboxDue)
        throw new UserError(
          'A sandbox for the whole program is requested: start it with gemini --sandbox --acp.',
        );
      throw error;
    } finally {
      stopTelling();
    }
  }

  /** @throws CallerError for an id that is not stored for this folder */
  private async choose(
    cwd: string,
    stored: OpenRequest['stored'],
  ): Promise<{ session: ChosenSession; record?: ConversationRecord }> {
    if (!stored) return { session: { sessionId: randomUuid() } };
    const env = this.variables();
    const project = await openSessionProject({ cwd: realpathSync(cwd), env });
    const found = project.list().find(({ id }) => id === stored.sessionId);
    if (!found)
      throw new CallerError(`Session not found: ${stored.sessionId}`, { sessionId: stored.sessionId });
    const { sessions, writing } = project;
    const { sessionId, path } = stored.fork
      ? sessions.forkSession(found.path, writing)
      : { sessionId: found.id, path: found.path };
    const record = sessions.readSession(path, { maxBytes: REPLAY_BYTES });
    const { model } = sessions.restoredState(record);
    return { session: { sessionId, resume: path, ...(model && { model }) }, record };
  }

  private variables(): Variables {
    return { ...processVariables(), ...this.signIns.variables };
  }

  private async userSettings(): Promise<LoadedSettings> {
    const cwd = process.cwd();
    return (
      await readFolder({ cwd, env: this.variables(), overrides: overridesFrom(this.flags), notice: ignore })
    ).settings;
  }
}

function ignore(): void {}

/** Flags that name one session or its folder mean nothing for the many sessions of a client. */
function ofEverySession(flags: FlagValues): FlagValues {
  const { resume: _, 'session-id': _id, 'session-file': _file, worktree: _tree, ...others } = flags;
  return others;
}

/** With sandboxed tools neither files nor commands may leave the sandbox through the editor. */
function partsThatFit(parts: ReturnType<OpenRequest['client']>, settings: LoadedSettings) {
  return setting(settings.merged, 'security.toolSandboxing') ? {} : parts;
}
