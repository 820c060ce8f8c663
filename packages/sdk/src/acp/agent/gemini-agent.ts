/** The methods of the protocol, one each; `register.ts` says under which names. */
import { join } from 'node:path';
import {
  type AgentContext,
  type AuthenticateRequest,
  type CancelNotification,
  type ClientCapabilities,
  type CloseSessionRequest,
  type DeleteSessionRequest,
  type InitializeRequest,
  type ListSessionsRequest,
  type LoadSessionRequest,
  type NewSessionRequest,
  type PromptRequest,
  RequestError,
  type ResumeSessionRequest,
  type SetSessionConfigOptionRequest,
  type SetSessionModeRequest,
} from '@agentclientprotocol/sdk';
import { createLog, EventStream, geminiHome, processVariables } from '@gemini-cli/core';
import { ClientFiles } from '../client-side/files.js';
import { ClientTerminals } from '../client-side/terminals.js';
import { CallerError, unknownSession } from '../errors.js';
import type { AcpHost, ClientParts, OpenRequest } from '../host.js';
import { initializeResponse } from '../initialize.js';
import { toServerFields } from '../serialise/mcp-servers.js';
import { AcpSession } from '../session/acp-session.js';
import { ClientPort } from '../session/client-port.js';
import { checkFolders, type Folders } from './folders.js';

export interface SetSessionModelRequest {
  sessionId: string;
  modelId: string;
}

type OpenParams = Folders & Pick<OpenRequest, 'stored'> & { mcpServers?: NewSessionRequest['mcpServers'] };

const log = createLog('acp');

export class GeminiAgent {
  private readonly sessions = new Map<string, AcpSession>();
  private capabilities: ClientCapabilities = {};
  private isClosed = false;
  /** Stored sessions that are being opened, by id. */
  private readonly opening = new Map<string, Promise<unknown>>();

  constructor(
    private readonly host: AcpHost,
    private readonly client: AgentContext,
  ) {}

  async initialize({ clientCapabilities }: InitializeRequest) {
    this.capabilities = clientCapabilities ?? {};
    const { info, authMethods, sessionAbilities } = this.host;
    return initializeResponse(info, authMethods, sessionAbilities);
  }

  async authenticate({ methodId, _meta }: AuthenticateRequest) {
    await this.host.authenticate(methodId, _meta ?? undefined);
    return {};
  }

  async newSession({ cwd, additionalDirectories, mcpServers }: NewSessionRequest) {
    const session = await this.open({ cwd, additionalDirectories, mcpServers });
    return { sessionId: session.id, ...session.state() };
  }

  /** The history comes before the response. */
  async loadSession({ sessionId, cwd, additionalDirectories, mcpServers }: LoadSessionRequest) {
    const stored = { sessionId, fork: false };
    const session = await this.open({ cwd, additionalDirectories, mcpServers, stored });
    session.replay();
    session.tellCopy();
    return session.state();
  }

  async resumeSession({ sessionId, cwd, additionalDirectories, mcpServers }: ResumeSessionRequest) {
    const stored = { sessionId, fork: false };
    const session = await this.open({ cwd, additionalDirectories, mcpServers, stored });
    session.tellCopy();
    return session.state();
  }

  async forkSession({ sessionId, cwd, additionalDirectories, mcpServers }: ResumeSessionRequest) {
    const stored = { sessionId, fork: true };
    const session = await this.open({ cwd, additionalDirectories, mcpServers, stored });
    return { sessionId: session.id, ...session.state() };
  }

  async listSessions({ cwd, cursor }: ListSessionsRequest) {
    return this.host.list({
      ...(typeof cwd === 'string' && { cwd }),
      ...(typeof cursor === 'string' && { cursor }),
    });
  }

  async closeSession({ sessionId }: CloseSessionRequest) {
    const session = this.find(sessionId);
    this.sessions.delete(sessionId);
    await session.close();
    return {};
  }

  /** One that is open here is closed before; one that is gone already is no failure. */
  async deleteSession({ sessionId }: DeleteSessionRequest) {
    if (!this.host.delete) throw RequestError.methodNotFound('session/delete');
    if (this.sessions.has(sessionId)) await this.closeSession({ sessionId });
    await this.host.delete(sessionId);
    return {};
  }

  async prompt({ sessionId, prompt }: PromptRequest) {
    return this.find(sessionId).prompt(prompt);
  }

  async cancel({ sessionId }: CancelNotification) {
    this.find(sessionId).cancel();
  }

  async setSessionMode({ sessionId, modeId }: SetSessionModeRequest) {
    this.find(sessionId).setMode(modeId);
    return {};
  }

  async setSessionModel({ sessionId, modelId }: SetSessionModelRequest) {
    await this.find(sessionId).setModel(modelId);
    return {};
  }

  async setSessionConfigOption({ sessionId, configId, value }: SetSessionConfigOptionRequest) {
    return { configOptions: await this.find(sessionId).setConfigOption(configId, value) };
  }

  /** Ends all sessions with their processes; the connection is gone. */
  async close(): Promise<void> {
    this.isClosed = true;
    const open = [...this.sessions.values()];
    this.sessions.clear();
    const ended = await Promise.allSettled(open.map((session) => session.close()));
    for (const result of ended)
      if (result.status === 'rejected') log.error('A session did not end cleanly.', result.reason);
  }

  private find(sessionId: string): AcpSession {
    const session = this.sessions.get(sessionId);
    if (!session) throw unknownSession(sessionId);
    return session;
  }

  /** A stored session that is asked for twice at once is opened twice in turn: the second ends the first. */
  private open(request: OpenParams): Promise<AcpSession> {
    const { stored } = request;
    if (!stored || stored.fork) return this.openNow(request);
    const { sessionId } = stored;
    const before = this.opening.get(sessionId) ?? Promise.resolve();
    const opened = before.then(ignore, ignore).then(() => this.openNow(request));
    this.opening.set(sessionId, opened);
    const forget = () => {
      if (this.opening.get(sessionId) === opened) this.opening.delete(sessionId);
    };
    opened.then(forget, forget);
    return opened;
  }

  private async openNow({ stored, ...request }: OpenParams): Promise<AcpSession> {
    const { cwd, additionalDirectories } = checkFolders(request);
    // The same session twice would write one file from two sides.
    if (stored && !stored.fork && this.sessions.has(stored.sessionId))
      await this.closeSession({ sessionId: stored.sessionId });
    const events = new EventStream();
    let session: AcpSession | undefined;
    const hosted = await this.host.open({
      cwd,
      additionalDirectories,
      mcpServers: toServerFields(request.mcpServers ?? [], cwd),
      ...(stored && { stored }),
      events,
      client: (sessionId) => this.clientParts(sessionId, cwd, () => session),
    });
    if (this.isClosed) {
      await hosted.close();
      throw new CallerError('The connection was closed.');
    }
    session = new AcpSession({
      hosted,
      // A session that is open in another process is kept under another id, of which the client knows nothing.
      port: new ClientPort(
        this.client,
        stored?.fork === false ? stored.sessionId : hosted.config.getSessionId(),
      ),
      events,
      hasForms: Boolean(this.capabilities.elicitation?.form),
      showsNotices: Boolean(this.capabilities.session?.notices),
    });
    this.sessions.set(session.id, session);
    this.announceSoon(session);
    return session;
  }

  /** The client knows the session only after the response. */
  private announceSoon(session: AcpSession): void {
    setTimeout(async () => {
      if (this.sessions.has(session.id)) await session.announceCommands();
    }, ANNOUNCE_AFTER_MS).unref();
  }

  private clientParts(sessionId: string, root: string, session: () => AcpSession | undefined): ClientParts {
    const { client, capabilities } = this;
    const reads = capabilities.fs?.readTextFile === true;
    const writes = capabilities.fs?.writeTextFile === true;
    const geminiDir = join(geminiHome(processVariables()), '.gemini');
    return {
      ...((reads || writes) && {
        fileSystem: new ClientFiles({
          client,
          sessionId,
          root,
          geminiDir,
          reads,
          writes,
          signal: () => session()?.signal,
        }),
      }),
      ...(capabilities.terminal === true && {
        commandTerminal: new ClientTerminals({
          client,
          sessionId,
          onStart: (...shown) => session()?.showTerminal(...shown),
        }),
      }),
    };
  }
}

const ANNOUNCE_AFTER_MS = 5;

function ignore(): undefined {
  return undefined;
}
