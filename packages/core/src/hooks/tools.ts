/** Hooks without an engine, for subcommands: list them, inspect them, take over those of Claude Code. */
export { loadRegistry } from './create.js';
export { migrateFromClaude } from './from-claude/migrate.js';
export { inspectHooks } from './inspect/inspect-hooks.js';
