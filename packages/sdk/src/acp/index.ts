/** `@gemini-cli/sdk/acp`: an agent that an editor talks to over the Agent Client Protocol. */
export { PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
export {
  type AcpClientListeners,
  type AcpClientOptions,
  GeminiCliAcpClient,
} from './client.js';
export { type ServedClient, serveClient } from './connect.js';
export { type Credentials, credentialsIn } from './credentials.js';
export { CallerError } from './errors.js';
export type {
  AcpHost,
  AgentInfo,
  AuthMethod,
  ClientParts,
  CommandResult,
  CommandRun,
  HostedCommand,
  HostedSession,
  LinkContents,
  LinkReading,
  OpenRequest,
  StoredSessions,
} from './host.js';
export { AUTH_METHODS, agentInfo, initializeResponse } from './initialize.js';
export {
  type AcpConnection,
  type AcpListener,
  type AcpServerOptions,
  GeminiCliAcpServer,
  type JsonRpcMessage,
} from './server.js';
export { type LineIo, lineStream } from './wire/lines.js';
