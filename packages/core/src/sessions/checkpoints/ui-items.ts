/** Reads the screen history in a checkpoint; Gemini CLI's items have more kinds and other names. */
import { isObject } from '../../base/objects.js';
import type { ToolCallStatus } from '../../protocol/tool-calls.js';
import type { HistoryItemWithoutId, HistoryToolCall } from '../reading/convert.js';
import { displayFrom } from '../reading/display-from.js';

/** Undefined when the value is not a list; items of unknown kinds are dropped. */
export function uiItemsFrom(value: unknown): HistoryItemWithoutId[] | undefined {
  return Array.isArray(value) ? value.flatMap(itemFrom) : undefined;
}

const TEXT_KINDS: Readonly<Record<string, 'user' | 'gemini' | 'info' | 'error' | 'warning'>> = {
  user: 'user',
  user_shell: 'user',
  gemini: 'gemini',
  gemini_content: 'gemini',
  info: 'info',
  error: 'error',
  warning: 'warning',
};

function itemFrom(value: unknown): HistoryItemWithoutId[] {
  if (!isObject(value)) return [];
  const { type, text, thought, tools } = value;
  const kind = typeof type === 'string' && Object.hasOwn(TEXT_KINDS, type) ? TEXT_KINDS[type] : undefined;
  if (kind) return typeof text === 'string' ? [{ type: kind, text }] : [];
  if (type === 'thinking' && isObject(thought)) {
    return [
      { type, thought: { subject: asText(thought['subject']), description: asText(thought['description']) } },
    ];
  }
  if (type === 'tool_group' && Array.isArray(tools)) return [{ type, tools: tools.flatMap(callFrom) }];
  return [];
}

const STATUSES: Readonly<Record<string, ToolCallStatus>> = {
  success: 'success',
  error: 'error',
  canceled: 'cancelled',
  cancelled: 'cancelled',
};

function callFrom(value: unknown): HistoryToolCall[] {
  if (!isObject(value) || typeof value['name'] !== 'string') return [];
  const { callId, name, description, status, resultDisplay, renderOutputAsMarkdown } = value;
  const known = STATUSES[asText(status).toLowerCase()];
  const display = displayFrom(resultDisplay);
  return [
    {
      callId: asText(callId),
      name,
      description: asText(description),
      // Calls that were still running then have ended since.
      status: known ?? 'cancelled',
      ...(display !== undefined && { resultDisplay: display }),
      ...(typeof renderOutputAsMarkdown === 'boolean' && { renderOutputAsMarkdown }),
    },
  ];
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
