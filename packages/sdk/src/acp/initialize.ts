/** The answer to `initialize`. Imports nothing, so that a program can answer before it has loaded the rest. */
import type { AgentInfo, AuthMethod, SessionAbilities } from './host.js';

/** The version we speak; a client of another one gets this number and decides. */
export const ACP_VERSION = 1;

export const AUTH_METHODS: readonly AuthMethod[] = [
  {
    id: 'oauth-personal',
    name: 'Sign in with Google',
    description: 'Sign in with your Google account in a browser',
  },
  {
    id: 'gemini-api-key',
    name: 'Gemini API key',
    description: 'Use a key of the Gemini API',
    _meta: { 'api-key': { provider: 'google' } },
  },
  { id: 'vertex-ai', name: 'Vertex AI', description: 'Use Vertex AI with the credentials of Google Cloud' },
  {
    id: 'gateway',
    name: 'AI API gateway',
    description: 'Use a gateway that speaks the Gemini API',
    _meta: { gateway: { protocol: 'google', restartRequired: 'false' } },
  },
];

export function agentInfo(version: string): AgentInfo {
  return { name: 'gemini-cli', title: 'Gemini CLI', version };
}

/** What the `gemini` program can do with sessions beyond what every host can. */
export const PROGRAM_SESSIONS: SessionAbilities = { delete: {}, fork: {}, additionalDirectories: {} };

export function initializeResponse(
  info: AgentInfo,
  authMethods: readonly AuthMethod[],
  sessionAbilities: SessionAbilities,
) {
  return {
    protocolVersion: ACP_VERSION,
    agentInfo: info,
    authMethods: [...authMethods],
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, ...sessionAbilities },
    },
  };
}
