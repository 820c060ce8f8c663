export { browse, type Page } from './browse.js';
export { cpuMs } from './cpu-time.js';
export { DEFAULT_FILTERING, makeBus, makeHost, tempDir } from './make-host.js';
export { noticesTo } from './notices.js';
export type { AuthExchange } from './oauth-server.js';
export * from './rig.js';
export {
  type CommandResult,
  createTestConfig,
  DEFAULT_PARAMETERS,
  executeCommand,
  sendPrompt,
} from './session-driver.js';
