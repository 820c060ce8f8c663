/**
 * What the SDK needs until its first request: the index and a few names. It imports this in place of the whole library,
 * which is a fifth larger (scripts/build-sdk.mjs). Not for other programs.
 */
export * from './index.js';
export { keepCompiledCode, keepCompiledCodeAtExit } from './platform/compiled-code/compiled.js';
export { compileProgramRules } from './policy/rules/program-rules.js';
export { toolFailure } from './tools/tools.js';
export { compileInclude } from './workspace/glob-match.js';
