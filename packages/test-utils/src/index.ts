export { DEFAULT_FILTERING, makeBus, makeHost, tempDir } from './make-host.js';
export * from './rig.js';
export { type CommandResult, createTestConfig, executeCommand, sendPrompt } from './session-driver.js';
