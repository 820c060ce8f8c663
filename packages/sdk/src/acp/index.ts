/** `@gemini-cli/sdk/acp`: an agent that an editor talks to over the Agent Client Protocol. */
export { PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
export { type ServedClient, serveClient } from './connect.js';
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
export { type LineIo, lineStream } from './wire/lines.js';
