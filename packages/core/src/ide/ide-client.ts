/** The editor as the session knows it: whether it is connected, what is open there, and diffs. */
import { codeOf, messageOf } from '../base/errors.js';
import type { Environment } from '../platform/environment.js';
import { createLog } from '../platform/log.js';
import { connect, type IdeConnection } from './connection/connect.js';
import { hostsOf } from './connection/hosts.js';
import { Diffs } from './diffs.js';
import { type FoundServers, findServers, type IdeServer, type Machine } from './discovery/find-servers.js';
import type { IdeContext, IdeDiff, IdeInfo, IdeStatus } from './types.js';

export interface IdeClientParts {
  environment: Environment;
  machine: Machine;
  /** Status or context have changed. */
  onChange: () => void;
  /** Between two looks for a companion that is gone. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A window that reloads is back within seconds, with a companion on another port. */
const LOOKS = 10;
const LOOK_EVERY_MS = 500;
/** A slow machine needs longer: until then it is looked for in the background, while the status says that it is lost. */
const LATE_LOOKS = 60;
const LATE_LOOK_EVERY_MS = 2_000;
/** An editor that ends connections sooner, several in a row, does so each time. */
const STABLE_MS = 5_000;
const MAX_SHORT = 3;
/** Companions send the context with the connection. */
const FIRST_CONTEXT_MS = 500;
const READY_MS = 2_000;

const NONE: IdeContext = { openFiles: [] };
const log = createLog('ide');

export class IdeClient {
  status: IdeStatus = { kind: 'disconnected' };
  context: IdeContext | undefined;
  /** Who is told about changes; a session takes a connection over that was opened before it. */
  onChange: () => void;
  private connection: IdeConnection | undefined;
  private connecting: Promise<void> | undefined;
  private leaving = new AbortController();
  private readonly diffs = new Diffs(() => this.connection);
  private connectedAt = 0;
  /** A prompt has waited for this connection in vain. */
  private isSlow = false;
  private shortConnections = 0;
  private heardContext: () => void = () => undefined;
  private firstContext: Promise<void> = Promise.resolve();

  constructor(private readonly parts: IdeClientParts) {
    this.onChange = parts.onChange;
  }

  /** The result is the status: a companion that cannot be reached is not an error of the session. */
  connect(): Promise<void> {
    if (this.status.kind === 'connected') return Promise.resolve();
    this.shortConnections = 0;
    if (!this.connecting) {
      this.isSlow = false;
      this.connecting = this.look().finally(() => {
        this.connecting = undefined;
      });
    }
    return this.connecting;
  }

  get isTrying(): boolean {
    return this.connecting !== undefined;
  }

  /** Resolves when it is known what is open in the editor, or that there is none; at the latest after some seconds. */
  async ready(): Promise<void> {
    // An editor that hangs delays one prompt, not each.
    if (this.connecting && !this.isSlow) {
      await limited(this.connecting, READY_MS);
      this.isSlow = this.isTrying;
    }
    if (this.status.kind !== 'connected') return;
    await limited(this.firstContext, FIRST_CONTEXT_MS);
    // An editor that says nothing delays one prompt, not each.
    this.heardContext();
  }

  async disconnect(): Promise<void> {
    this.leaving.abort();
    const { connection } = this;
    this.connection = undefined;
    this.diffs.lost();
    await this.connecting;
    this.leaving = new AbortController();
    await connection?.close();
    this.context = undefined;
    this.change({ kind: 'disconnected' });
  }

  get showsDiffs(): boolean {
    return this.connection?.showsDiffs === true;
  }

  openDiff(path: string, content: string): IdeDiff {
    return this.diffs.open(path, content);
  }

  private async look(): Promise<void> {
    const { signal } = this.leaving;
    const found = await findServers(this.parts.machine);
    if (signal.aborted) return;
    const { ide, servers } = found;
    if (servers.length > 0 && ide) this.change({ kind: 'connecting', ide });
    const reason = await this.tryAll(found, signal);
    if (reason !== undefined && !signal.aborted)
      this.change({ kind: 'disconnected', ...(ide && { ide }), reason });
  }

  /** @returns why none of them can be used; undefined: connected */
  private async tryAll({ servers, problem }: FoundServers, signal: AbortSignal): Promise<string | undefined> {
    let shown: unknown;
    for (const { server, host } of this.ways(servers)) {
      try {
        await this.open(server, host, signal);
        return undefined;
      } catch (error) {
        log.debug(`${host}: ${messageOf(error)}`);
        // The answer of a companion says more than an address where nothing listens.
        if (shown === undefined || (isUnreachable(shown) && !isUnreachable(error))) shown = error;
        if (signal.aborted) break;
      }
    }
    return shown === undefined ? problem : messageOf(shown);
  }

  private ways(servers: readonly IdeServer[]): { server: IdeServer; host: string }[] {
    const hosts = hostsOf(this.parts.environment.variables);
    return servers.flatMap((server) =>
      (server.kind === 'http' ? hosts : ['stdio']).map((host) => ({ server, host })),
    );
  }

  private async open(server: IdeServer, host: string, signal: AbortSignal): Promise<void> {
    this.firstContext = new Promise((resolve) => {
      this.heardContext = resolve;
    });
    const { environment } = this.parts;
    const connection = await connect(
      server,
      { environment, host, signal },
      {
        onContext: (context) => this.heard(context),
        onDiff: (event) => this.diffs.heard(event),
        onLost: (error) => void this.lost(server.ide, error),
      },
    );
    if (signal.aborted) {
      await connection.close();
      return;
    }
    this.connection = connection;
    this.connectedAt = performance.now();
    const { ide, otherVersion: companion } = connection;
    this.change({ kind: 'connected', ide, ...(companion !== undefined && { companion }) });
  }

  private heard(context: IdeContext): void {
    // What an update does not say is as before.
    const isTrusted = context.isTrusted ?? this.context?.isTrusted;
    this.context = { ...context, ...(isTrusted !== undefined && { isTrusted }) };
    this.heardContext();
    this.onChange();
  }

  /** Looks for the editor once more, for some seconds. */
  private async lost(ide: IdeInfo, error: Error | undefined): Promise<void> {
    const { signal } = this.leaving;
    this.connection = undefined;
    this.diffs.lost();
    const { isTrusted } = this.context ?? NONE;
    this.context = isTrusted === undefined ? undefined : { ...NONE, isTrusted };
    const isShort = performance.now() - this.connectedAt < STABLE_MS;
    this.shortConnections = isShort ? this.shortConnections + 1 : 0;
    if (this.shortConnections > MAX_SHORT)
      return this.giveUp(`${ide.displayName} ends the connection again and again`, ide, error);
    this.change({ kind: 'connecting', ide });
    this.isSlow = false;
    this.connecting ??= this.lookAgain(ide, error, signal).finally(() => {
      this.connecting = undefined;
    });
    await this.connecting;
    await this.lookLate(signal);
  }

  private async lookAgain(ide: IdeInfo, error: Error | undefined, signal: AbortSignal): Promise<void> {
    const { wait = pause } = this.parts;
    for (let look = 0; look < LOOKS; look++) {
      await wait(LOOK_EVERY_MS, signal);
      if (signal.aborted || (await this.isBack(signal)) || signal.aborted) return;
    }
    this.giveUp(`The connection to ${ide.displayName} was lost`, ide, error);
  }

  private giveUp(what: string, ide: IdeInfo, error: Error | undefined): void {
    // Of a connection that was cut Node says only `aborted`.
    const why = error && codeOf(error) !== 'ECONNRESET' ? ` (${messageOf(error)})` : '';
    this.change({ kind: 'disconnected', ide, reason: `${what}${why}. Run /ide enable to connect again.` });
  }

  /** Nothing waits for these looks: not the next prompt, and not `/ide enable`, which looks itself. */
  private async lookLate(signal: AbortSignal): Promise<void> {
    const { wait = pause } = this.parts;
    for (let look = 0; look < LATE_LOOKS && !signal.aborted && this.status.kind === 'disconnected'; look++) {
      await wait(LATE_LOOK_EVERY_MS, signal);
      if (signal.aborted || this.status.kind !== 'disconnected' || this.connecting) return;
      this.connecting = this.isBack(signal)
        .then(() => undefined)
        .finally(() => {
          this.connecting = undefined;
        });
      await this.connecting;
    }
  }

  private async isBack(signal: AbortSignal): Promise<boolean> {
    const found = await findServers(this.parts.machine);
    return found.servers.length > 0 && (await this.tryAll(found, signal)) === undefined;
  }

  private change(status: IdeStatus): void {
    this.status = status;
    this.onChange();
  }
}

/** It has the error of the connection as its cause. */
function isUnreachable(error: unknown): boolean {
  return error instanceof Error && error.cause !== undefined;
}

async function limited(work: Promise<unknown> | undefined, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}

/** Ends early with the session: the exit must not wait for it. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    timer.unref();
    signal.addEventListener('abort', over);
  });
}
