/** `@gemini-cli/core/protocol`: what front ends and tools exchange with the engine. Types and enums, nothing else. */
export * from './protocol/agent-events.js';
export * from './protocol/agent-message.js';
export * from './protocol/claude-tool-names.js';
export * from './protocol/confirmation.js';
export * from './protocol/elicitation.js';
export * from './protocol/extension-capabilities.js';
export * from './protocol/messages.js';
export * from './protocol/output-settings.js';
export * from './protocol/questions.js';
export * from './protocol/session-record.js';
export * from './protocol/tool-calls.js';
export * from './protocol/tool-declaration.js';
export * from './protocol/tool-display.js';
export * from './protocol/tool-names.js';
