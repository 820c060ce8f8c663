/** What `gemini doctor` asks of the engine. Loaded by it alone: none of this is needed to answer a prompt. */
export { reportAuth } from './model/auth/report.js';
export { resolveModel } from './model/catalog.js';
export { createModelPool } from './model/create.js';
export { findLocalServers } from './model/local-servers.js';
export { HttpClient } from './platform/http.js';
export { canOpenTerminal } from './platform/pty-probe.js';
export { locateRipgrep } from './platform/ripgrep.js';
export { createContainer } from './platform/sandbox/containment/create-container.js';
export { createSandboxManager } from './platform/sandbox/create-manager.js';
export { loadWholeProcessSandbox } from './platform/sandbox/load.js';
export { searchNotes } from './platform/sandbox/search-notes.js';
export { inspectGuards } from './project/inspect-guards.js';
export { discoverFolder } from './settings/discovery.js';
