/** What a session needs from its first prompt on, behind one import: each file more takes Node half a millisecond. */
export { keepCompiledCode, keepCompiledCodeAtExit, randomUuid } from '@gemini-cli/core';
export { httpStatus } from '../events/from-engine.js';
export { runPrompt } from './run-prompt.js';
export { startEngine } from './start-engine.js';
