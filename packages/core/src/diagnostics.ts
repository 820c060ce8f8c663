/** Engine functions that only `gemini doctor` needs; loaded on first use. */
export { problemText } from './agents/definition/parse-agent-file.js';
export { inspectAgents } from './agents/registry/inspect-agents.js';
export { reportAuth } from './model/auth/report.js';
export { resolveModel } from './model/catalog.js';
export { createModelPool } from './model/create.js';
export { findLocalServers } from './model/local-servers.js';
export { HttpClient } from './platform/net/http.js';
export { locateRipgrep } from './platform/process/ripgrep.js';
export { createContainer } from './platform/sandbox/create-container.js';
export { createSandboxManager } from './platform/sandbox/create-manager.js';
export { loadWholeProcessSandbox } from './platform/sandbox/load.js';
export { searchNotes } from './platform/sandbox/paths/search-notes.js';
export { canOpenTerminal } from './platform/terminal/pty-probe.js';
export { inspectGuards } from './project/inspect-guards.js';
export { discoverFolder } from './settings/discovery/discovery.js';
