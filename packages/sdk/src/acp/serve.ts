/** `@gemini-cli/sdk/acp/serve`: the protocol for any host, without the agents of the SDK. */
export { consoleTo } from '../console-to.js';
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
  SessionAbilities,
  StoredSessions,
} from './host.js';
export { AUTH_METHODS, agentInfo, PROGRAM_SESSIONS } from './initialize.js';
export { type LineIo, lineStream } from './wire/lines.js';
