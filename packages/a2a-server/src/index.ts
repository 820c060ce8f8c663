/** `@gemini-cli/a2a-server`: the engine as a server that speaks A2A. */
export type * from './contract.js';
export { type LocalLimits, type LocalServiceOptions, openLocalService } from './local/local-service.js';
export { runServer, type ServerIo } from './run-server.js';
export { A2AExecutor } from './turns/a2a-executor.js';
export { createTurnRunner, type EngineTurnRunner, type TurnRunnerOptions } from './turns/turn-runner.js';
