/** A connection over gRPC. Its library makes its own connections, so credentials and retries are added here. */
import type { StreamResponse, Task } from '@a2a-js/sdk';
import { isObject } from '../../../base/objects.js';
import type { RemoteCredentials } from '../auth/credentials.js';
import { RemoteAgentError } from '../remote-agent-error.js';
import {
  type AgentConnection,
  type ConnectionTarget,
  LibraryConnection,
  type OutgoingMessage,
  openClient,
} from './connection.js';

const MAX_RETRIES = 2;
/** Status codes of gRPC. */
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

export async function connectGrpc(
  connection: ConnectionTarget,
  credentials: RemoteCredentials | undefined,
): Promise<AgentConnection> {
  const { url } = connection;
  const [{ Client }, { GrpcTransportFactory }, grpc] = await Promise.all([
    import('@a2a-js/sdk/client'),
    import('@a2a-js/sdk/client/grpc'),
    // A CommonJS package: the bundle has only its default export.
    import('@grpc/grpc-js').then((library) => library.default),
  ]);
  const factory = new GrpcTransportFactory({
    grpcChannelCredentials:
      url.protocol === 'https:' ? grpc.credentials.createSsl() : grpc.credentials.createInsecure(),
    legacyCompat: { enabled: true },
  });
  const address = url.port ? url.host : `${url.hostname}:${url.protocol === 'https:' ? 443 : 80}`;
  const client = await openClient(Client, factory, connection, address);
  const library = new LibraryConnection(client, connection.target, async (signal) => ({
    signal,
    serviceParameters: { ...(await credentials?.grant(url, { signal, mayAsk: true }))?.headers },
  }));
  return new RetryingConnection(library, url.host, credentials, () => closeChannel(client.transport));
}

/** After a refusal once more with newly resolved credentials, as over HTTP. */
class RetryingConnection implements AgentConnection {
  constructor(
    private readonly inner: AgentConnection,
    private readonly host: string,
    private readonly credentials: RemoteCredentials | undefined,
    private readonly end: () => void,
  ) {}

  get losesAppend(): boolean {
    return this.inner.losesAppend;
  }

  async *send(message: OutgoingMessage, signal: AbortSignal): AsyncIterable<StreamResponse> {
    for (let retries = 0; ; retries++) {
      let hasBegun = false;
      try {
        for await (const part of this.inner.send(message, signal)) {
          hasBegun = true;
          yield part;
        }
        return;
      } catch (error) {
        if (hasBegun) throw error;
        this.prepareRetry(error, retries);
      }
    }
  }

  getTask(id: string, signal: AbortSignal): Promise<Task> {
    return this.retried(() => this.inner.getTask(id, signal));
  }

  cancelTask(id: string, signal: AbortSignal): Promise<Task> {
    return this.retried(() => this.inner.cancelTask(id, signal));
  }

  close(): void {
    this.end();
  }

  private async retried<T>(work: () => Promise<T>): Promise<T> {
    for (let retries = 0; ; retries++) {
      try {
        return await work();
      } catch (error) {
        this.prepareRetry(error, retries);
      }
    }
  }

  /** @throws unless another try may help */
  private prepareRetry(error: unknown, retries: number): void {
    const status = isObject(error) && 'status' in error ? error['status'] : undefined;
    if (status !== UNAUTHENTICATED && status !== PERMISSION_DENIED) throw error;
    if (!this.credentials || retries === MAX_RETRIES) {
      throw new RemoteAgentError('auth', `${this.host} refused the request: check "auth".`, error);
    }
    this.credentials.refused(status === UNAUTHENTICATED ? 401 : 403);
  }
}

/** The library keeps its channel to itself. */
function closeChannel(transport: object): void {
  const client: unknown = 'grpcClient' in transport ? transport.grpcClient : undefined;
  if (
    typeof client === 'object' &&
    client !== null &&
    'close' in client &&
    typeof client.close === 'function'
  )
    client.close();
}
