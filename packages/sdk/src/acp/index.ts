/** `@gemini-cli/sdk/acp`: agents behind the Agent Client Protocol, and the other side of it. */
export { PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
export { type AcpClientListeners, type AcpClientOptions, GeminiCliAcpClient } from './client.js';
export type { AgentInfo, AuthMethod } from './host.js';
export {
  type AcpConnection,
  type AcpListener,
  type AcpServerOptions,
  GeminiCliAcpServer,
  type JsonRpcMessage,
} from './server.js';
