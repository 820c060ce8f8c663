/** `@gemini-cli/a2a-server`: the engine as a server that speaks A2A. */
export type * from './contract.js';
