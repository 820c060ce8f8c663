/** Recognises agent files written for Claude Code. */
import { CLAUDE_TOOL_NAMES } from '../../protocol/claude-tool-names.js';

const KEYS = new Set([
  'background',
  'capabilities',
  'color',
  'disallowedTools',
  'effort',
  'hooks',
  'isolation',
  'maxTurns',
  'memory',
  'permissionMode',
  'skills',
]);

const MODEL = /^(?:opus|sonnet|haiku|fable|opusplan|claude[-\w.:]*)(?:\[\w+\])?$/i;

/** A model of Claude Code by its short name, which means nothing here. */
export function isClaudeModel(model: unknown): model is string {
  return typeof model === 'string' && MODEL.test(model.trim());
}

export function isClaudeFormat(data: Readonly<Record<string, unknown>>): boolean {
  const { tools, model } = data;
  return (
    typeof tools === 'string' ||
    (Array.isArray(tools) && tools.some(isClaudeTool)) ||
    isClaudeModel(model) ||
    Object.keys(data).some((key) => KEYS.has(key))
  );
}

function isClaudeTool(entry: unknown): boolean {
  return (
    typeof entry === 'string' && entry !== '*' && Object.hasOwn(CLAUDE_TOOL_NAMES, entry.replace(/\(.*/s, ''))
  );
}
