/** `@gemini-cli/sdk/acp`: an agent that an editor talks to over the Agent Client Protocol. */
export { PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
