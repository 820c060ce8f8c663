/** A real A2A server of the library on the loopback address, over the transport and protocol version of choice. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AgentCard, Message, Part, TaskState } from '@a2a-js/sdk';
import { LegacyA2AService, legacyGrpcService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { A2AService, grpcService } from '@a2a-js/sdk/server/grpc';
import grpc from '@grpc/grpc-js';
import type { Binding, ProtocolVersion } from './card/parse-card.js';
import {
  agentCardHandler,
  express,
  jsonRpcHandler,
  restHandler,
  UserBuilder,
} from './express.test-helper.js';

export interface TestServerOptions {
  binding?: Binding;
  version?: ProtocolVersion;
  streaming?: boolean;
  /** Requests to the agent without this header are refused; also those for the card with `secureCard`. */
  needs?: { header: string; value: () => string };
  secureCard?: boolean;
  card?: Partial<AgentCard>;
}

export interface TestServer {
  cardUrl: string;
  origin: string;
  /** Headers of each request to the agent. */
  requests: IncomingHttpHeaders[];
  /** What the agent was asked, and whether it belongs to a task of before. */
  messages: { text: string; contextId: string; isContinued: boolean }[];
  cancelled: string[];
  close(): Promise<void>;
}

export async function startAgentServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { binding = 'JSONRPC', version = '1.0', needs, secureCard = false } = options;
  const script = new ScriptedAgent();
  const app = express();
  const http = createServer((request, response) => app(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const requests: IncomingHttpHeaders[] = [];
  const isAllowed = (value: unknown) => !needs || value === needs.value();

  const grpcServer = binding === 'GRPC' ? new grpc.Server() : undefined;
  const grpcPort =
    grpcServer &&
    (await new Promise<number>((resolve, reject) =>
      grpcServer.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port),
      ),
    ));
  const url = grpcPort ? `127.0.0.1:${grpcPort}` : `${origin}/agent`;
  const card = cardOf(url, { ...options, binding, version });
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), script);
  const common = {
    requestHandler,
    userBuilder: UserBuilder.noAuthentication,
    legacyCompat: { enabled: true },
  };
  app.use((request, response, next) => {
    const isCard = request.path.startsWith('/.well-known');
    if (!isCard) requests.push(request.headers);
    const isOpen = isCard && !secureCard;
    if (isOpen || isAllowed(request.headers[needs?.header ?? ''])) return next();
    return response.status(401).end();
  });
  app.use(
    '/.well-known/agent-card.json',
    agentCardHandler({ agentCardProvider: async () => card, legacyCompat: { enabled: version === '0.3' } }),
  );
  if (binding === 'JSONRPC') app.use('/agent', jsonRpcHandler(common));
  if (binding === 'HTTP+JSON') app.use('/agent', restHandler(common));
  if (grpcServer) {
    grpcServer.addService(A2AService, guarded(grpcService(common), requests, needs));
    grpcServer.addService(LegacyA2AService, guarded(legacyGrpcService(common), requests, needs));
  }
  return {
    cardUrl: `${origin}/.well-known/agent-card.json`,
    origin,
    requests,
    messages: script.messages,
    cancelled: script.cancelled,
    close: async () => {
      script.stop();
      grpcServer?.forceShutdown();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

/** The library's gRPC services take any caller: the metadata is checked before. */
function guarded<T extends object>(
  service: T,
  requests: IncomingHttpHeaders[],
  needs: TestServerOptions['needs'],
): T {
  const check = (handler: (...args: unknown[]) => unknown) => (call: GrpcCall, callback?: unknown) => {
    requests.push(call.metadata.getMap() as IncomingHttpHeaders);
    if (!needs || call.metadata.get(needs.header)[0] === needs.value()) return handler(call, callback);
    const error = { code: grpc.status.UNAUTHENTICATED, details: 'no token' };
    if (typeof callback === 'function') return callback(error);
    return call.emit('error', error);
  };
  return Object.fromEntries(
    Object.entries(service).map(([name, handler]) => [
      name,
      check(handler as (...args: unknown[]) => unknown),
    ]),
  ) as T;
}

interface GrpcCall {
  metadata: grpc.Metadata;
  emit(name: 'error', error: object): unknown;
}

function cardOf(
  url: string,
  { binding = 'JSONRPC', version = '1.0', streaming = true, card }: TestServerOptions,
): AgentCard {
  return {
    name: 'Reviewer',
    description: 'Reviews changes.',
    version: '1',
    provider: undefined,
    supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion: version, tenant: '' }],
    capabilities: { streaming, pushNotifications: false, extensions: [], extendedAgentCard: false },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'review',
        name: 'Review',
        description: 'Reads a diff',
        tags: [],
        examples: [],
        inputModes: [],
        outputModes: [],
        securityRequirements: [],
      },
    ],
    signatures: [],
    ...card,
  };
}

const STATE = { working: 2, completed: 3, failed: 4, canceled: 5, input: 6, auth: 8 } satisfies Record<
  string,
  TaskState
>;

/** Does what the first word of the message says. */
class ScriptedAgent implements AgentExecutor {
  readonly messages: { text: string; contextId: string; isContinued: boolean }[] = [];
  readonly cancelled: string[] = [];
  private readonly waiting = new Map<string, () => void>();
  private count = 0;

  stop(): void {
    for (const end of this.waiting.values()) end();
  }

  async execute({ userMessage, taskId, contextId, task }: RequestContext, bus: ExecutionEventBus) {
    const text = userMessage.parts
      .map(({ content }) => (content?.$case === 'text' ? content.value : ''))
      .join('');
    this.messages.push({ text, contextId: userMessage.contextId, isContinued: task !== undefined });
    const [word] = text.split(' ');
    const status = (state: TaskState, said?: string) => ({
      taskId,
      contextId,
      status: {
        state,
        message: said ? this.message([textPart(said)], taskId, contextId) : undefined,
        timestamp: undefined,
      },
      metadata: undefined,
    });
    const artifact = (artifactId: string, parts: Part[], append: boolean) =>
      bus.publish(
        AgentEvent.artifactUpdate({
          taskId,
          contextId,
          artifact: {
            artifactId,
            name: `${artifactId}.md`,
            description: '',
            parts,
            metadata: undefined,
            extensions: [],
          },
          append,
          lastChunk: false,
          metadata: undefined,
        }),
      );
    if (word === 'hello') {
      bus.publish(AgentEvent.message(this.message([textPart(`Hello, ${text}`)], '', contextId)));
      return bus.finished();
    }
    bus.publish(
      AgentEvent.task({
        id: taskId,
        contextId,
        status: { state: STATE.working, message: undefined, timestamp: undefined },
        artifacts: task?.artifacts ?? [],
        history: [...(task?.history ?? []), userMessage],
        metadata: undefined,
      }),
    );
    const say = (state: TaskState, said?: string) =>
      bus.publish(AgentEvent.statusUpdate(status(state, said)));
    if (task) say(STATE.completed, `You answered: ${text}`);
    else if (word === 'stream') {
      say(STATE.working, 'Reading the diff');
      artifact('report', [textPart('Line one, ')], false);
      artifact('report', [textPart('line two')], true);
      artifact('draft', [textPart('old')], false);
      artifact('draft', [textPart('new')], false);
      say(STATE.completed, 'Done');
    } else if (word === 'files') {
      artifact('all', [...FILES], false);
      say(STATE.completed);
    } else if (word === 'ask') say(STATE.input, 'Which branch?');
    else if (word === 'authorize') say(STATE.auth, 'Open https://sign.example/in');
    else if (word === 'fail') say(STATE.failed, 'It broke');
    else if (word === 'wait') {
      say(STATE.working, 'Waiting');
      await new Promise<void>((resolve) => this.waiting.set(taskId, resolve));
    } else say(STATE.completed, `Done: ${text}`);
    bus.finished();
  }

  cancelTask = async (taskId: string, bus: ExecutionEventBus) => {
    this.cancelled.push(taskId);
    const status = { state: STATE.canceled, message: undefined, timestamp: undefined };
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId: '', status, metadata: undefined }));
    this.waiting.get(taskId)?.();
  };

  private message(parts: Part[], taskId: string, contextId: string): Message {
    this.count++;
    return {
      messageId: `m${this.count}`,
      contextId,
      taskId,
      role: 2,
      parts,
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
  }
}

function textPart(value: string): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' };
}

const FILES: readonly Part[] = [
  { content: { $case: 'data', value: { lines: 3 } }, metadata: undefined, filename: '', mediaType: '' },
  {
    content: { $case: 'url', value: 'https://files.example/a.pdf' },
    metadata: undefined,
    filename: 'a.pdf',
    mediaType: 'application/pdf',
  },
  {
    content: { $case: 'raw', value: Buffer.from('12345') },
    metadata: undefined,
    filename: 'b.bin',
    mediaType: 'application/octet-stream',
  },
];
