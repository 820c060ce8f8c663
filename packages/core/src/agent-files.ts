/** Engine functions for agent files, which commands, dialogs and `gemini doctor` need; loaded on first use. */
export {
  applyFix,
  type CheckedAgentFile,
  checkAgentFiles,
  previewFix,
} from './agents/definition/check-files.js';
export { issueText } from './agents/definition/issue.js';
export { problemText } from './agents/definition/parse-agent-file.js';
export {
  type AgentInspection,
  type InspectedAgent,
  inspectAgents,
} from './agents/registry/inspect-agents.js';
