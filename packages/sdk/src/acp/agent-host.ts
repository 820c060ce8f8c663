/** An agent of the SDK as the host of ACP sessions: its tools, hooks, skills, sub-agents and policies are in each of them. */
import { statSync } from 'node:fs';
import {
  type Config,
  type ConversationRecord,
  FatalAuthenticationError,
  FileError,
  loadSessions,
  randomUuid,
  readContent,
  realPathOf,
} from '@gemini-cli/core';
import { GeminiCliAgent } from '../agent/agent.js';
import { type OpenedSession, openSession } from '../agent/open-session.js';
import type { AuthType } from '../agent/options.js';
import { listStored } from '../agent/stored-sessions.js';
import { GeminiCliError } from '../errors.js';
import { credentialsIn } from './credentials.js';
import { CallerError, unknownSession } from './errors.js';
import type {
  AcpHost,
  AgentInfo,
  AuthMethod,
  CommandResult,
  HostedSession,
  LinkContents,
  LinkReading,
  OpenRequest,
  StoredSessions,
} from './host.js';

export interface AgentHostParts {
  agent: GeminiCliAgent;
  info: AgentInfo;
  authMethods: readonly AuthMethod[];
}

/** What is read of a stored session to show it again. */
const REPLAY_BYTES = 64 * 1024 * 1024;

export class AgentHost implements AcpHost {
  readonly info: AgentInfo;
  readonly authMethods: readonly AuthMethod[];
  readonly sessionAbilities = {};
  private agent: GeminiCliAgent;

  constructor({ agent, info, authMethods }: AgentHostParts) {
    this.agent = agent;
    this.info = info;
    this.authMethods = authMethods;
  }

  /** For the sessions from now on; nothing is written to the user's settings, which are not the program's. */
  async authenticate(methodId: string, meta: unknown): Promise<void> {
    const method = this.authMethods.find(({ id }) => id === methodId);
    if (!method)
      throw new CallerError(
        `There is no sign-in "${methodId}". Known: ${this.authMethods.map(({ id }) => id).join(', ')}.`,
      );
    const auth = { type: method.id as AuthType, ...credentialsIn(methodId, meta) };
    this.agent = new GeminiCliAgent({ ...this.agent.options, auth });
  }

  async list({ cwd }: { cwd?: string }): Promise<StoredSessions> {
    const { options } = this.agent;
    const folder = cwd ?? options.cwd ?? process.cwd();
    const stored = await listStored({ ...options, cwd: folder });
    const sessions = stored.reverse().map(({ id, displayName, lastUpdated }) => {
      return { sessionId: id, cwd: folder, title: displayName, updatedAt: lastUpdated };
    });
    return { sessions };
  }

  async open({
    cwd,
    additionalDirectories,
    mcpServers,
    stored,
    events,
    client,
  }: OpenRequest): Promise<HostedSession> {
    if (stored?.fork) throw new CallerError('Sessions of this agent cannot be forked.');
    if (additionalDirectories.length > 0)
      throw new CallerError('Sessions of this agent have one folder: leave out additionalDirectories.');
    const record = stored && (await this.read(cwd, stored.sessionId));
    const sessionId = stored?.sessionId ?? randomUuid();
    try {
      const opened = await openSession(this.agent, {
        cwd,
        sessionId,
        mcpServers,
        events,
        callerAnswers: true,
        // With sandboxed tools neither files nor commands may leave the sandbox through the editor.
        prepare: (project) => {
          if (!project.parameters.toolSandboxing) project.change(client(sessionId));
        },
      });
      return new AgentHostedSession(opened, record);
    } catch (error) {
      if (error instanceof GeminiCliError && error.cause instanceof FatalAuthenticationError)
        throw error.cause;
      throw error;
    }
  }

  private async read(cwd: string, sessionId: string): Promise<ConversationRecord> {
    const stored = await listStored({ ...this.agent.options, cwd });
    const found = stored.find(({ id }) => id === sessionId);
    if (!found) throw unknownSession(sessionId);
    return (await loadSessions()).readSession(found.path, { maxBytes: REPLAY_BYTES });
  }
}

class AgentHostedSession implements HostedSession {
  readonly config: Config;
  readonly record?: ConversationRecord;

  constructor(
    private readonly opened: OpenedSession,
    record: ConversationRecord | undefined,
  ) {
    this.config = opened.config;
    if (record) this.record = record;
  }

  /** Slash commands belong to the `gemini` program. */
  async commands(): Promise<readonly []> {
    return NO_COMMANDS;
  }

  async runCommand(): Promise<CommandResult> {
    return { kind: 'unknown' };
  }

  async readLink(path: string, reading: LinkReading): Promise<LinkContents> {
    const { config } = this;
    const facts = statSync(path, { throwIfNoEntry: false });
    if (!facts?.isFile())
      return { kind: 'unreadable', reason: facts ? 'it is not a file' : 'there is no such file' };
    const target = realPathOf(path);
    const isInside = config.validatePathAccess(target, 'read') === null;
    if (!isInside && !(await reading.mayRead(target))) return { kind: 'denied' };
    if (isInside && config.getFileService().shouldIgnoreFile(target, config.getFileFilteringOptions()))
      return { kind: 'unreadable', reason: 'it is ignored by .gitignore or .geminiignore' };
    const authorize = (real: string) => (real === target ? null : config.validatePathAccess(real, 'read'));
    try {
      const content = await readContent(config.getFileSystemService(), target, {}, { authorize });
      const part =
        content.kind === 'media' ? content.part : { text: config.maskForModel(content.lines.text) };
      return { kind: 'contents', parts: [{ text: `\nContent from @${path}:\n` }, part], notices: [] };
    } catch (error) {
      if (error instanceof FileError) return { kind: 'unreadable', reason: error.message };
      throw error;
    }
  }

  close(): Promise<void> {
    return this.opened.close();
  }
}

const NO_COMMANDS = [] as const;
