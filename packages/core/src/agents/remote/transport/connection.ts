/** A connection to an agent over one of its interfaces. The A2A library is loaded with the first one. */
import type { AgentCard, StreamResponse, Task } from '@a2a-js/sdk';
import type { Client, RequestOptions, TransportFactory } from '@a2a-js/sdk/client';
import { randomUuid } from '../../../platform/random.js';
import type { AgentInterface } from '../card/parse-card.js';
import { type AgentFetchParts, agentFetch } from './agent-fetch.js';

export interface OutgoingMessage {
  text: string;
  contextId?: string;
  taskId?: string;
}

export interface AgentConnection {
  /**
   * The library drops `append` of artifacts (1.3.0: protocol 0.3 over HTTP+JSON and gRPC): an addition looks like a
   * replacement.
   */
  readonly losesAppend: boolean;
  /** The answer in parts; one part where the agent does not stream. */
  send(message: OutgoingMessage, signal: AbortSignal): AsyncIterable<StreamResponse>;
  getTask(id: string, signal: AbortSignal): Promise<Task>;
  cancelTask(id: string, signal: AbortSignal): Promise<Task>;
  close(): void;
}

export interface ConnectionTarget {
  target: AgentInterface;
  url: URL;
  streaming: boolean;
}

export async function connect(
  connection: ConnectionTarget,
  parts: Omit<AgentFetchParts, 'origin'>,
): Promise<AgentConnection> {
  if (connection.target.binding === 'GRPC') {
    const { connectGrpc } = await import('./grpc-connection.js');
    return connectGrpc(connection, parts.credentials);
  }
  const { Client, JsonRpcTransportFactory, RestTransportFactory } = await import('@a2a-js/sdk/client');
  const fetchImpl = agentFetch({ ...parts, origin: connection.url.origin });
  const options = { fetchImpl, legacyCompat: { enabled: true } };
  const isRpc = connection.target.binding === 'JSONRPC';
  const factory = isRpc ? new JsonRpcTransportFactory(options) : new RestTransportFactory(options);
  // Paths are added to the address of a REST interface.
  const address = isRpc ? connection.url.href : connection.url.href.replace(/\/+$/, '');
  return new LibraryConnection(await openClient(Client, factory, connection, address), connection.target);
}

export async function openClient(
  Library: typeof Client,
  factory: TransportFactory,
  { target, streaming }: ConnectionTarget,
  address: string,
): Promise<Client> {
  const card = libraryCard({ ...target, url: address }, streaming);
  return new Library(await factory.create(address, card), card);
}

/** The library reads the transport, the version and the ability to stream of a card. */
function libraryCard({ url, binding, version, tenant }: AgentInterface, streaming: boolean): AgentCard {
  return {
    name: '',
    description: '',
    version: '',
    provider: undefined,
    supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion: version, tenant }],
    capabilities: { streaming, pushNotifications: false, extensions: [], extendedAgentCard: false },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
    signatures: [],
  };
}

export class LibraryConnection implements AgentConnection {
  /** @param options of each request: its metadata, where the transport has no `fetch` */
  constructor(
    private readonly client: Client,
    private readonly target: AgentInterface,
    private readonly options: (signal: AbortSignal) => Promise<RequestOptions> = async (signal) => ({
      signal,
    }),
  ) {}

  get losesAppend(): boolean {
    return this.target.version === '0.3' && this.target.binding !== 'JSONRPC';
  }

  async *send(
    { text, contextId = '', taskId = '' }: OutgoingMessage,
    signal: AbortSignal,
  ): AsyncGenerator<StreamResponse> {
    yield* this.client.sendMessageStream(
      {
        tenant: this.target.tenant,
        message: {
          messageId: randomUuid(),
          contextId,
          taskId,
          role: ROLE_USER,
          parts: [
            { content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' },
          ],
          metadata: undefined,
          extensions: [],
          referenceTaskIds: [],
        },
        configuration: undefined,
        metadata: undefined,
      },
      await this.options(signal),
    );
  }

  async getTask(id: string, signal: AbortSignal): Promise<Task> {
    return this.client.getTask({ tenant: this.target.tenant, id }, await this.options(signal));
  }

  async cancelTask(id: string, signal: AbortSignal): Promise<Task> {
    const request = { tenant: this.target.tenant, id, metadata: undefined };
    return this.client.cancelTask(request, await this.options(signal));
  }

  close(): void {}
}

/** `Role.ROLE_USER`: the enum would have to be loaded. */
const ROLE_USER = 1;
