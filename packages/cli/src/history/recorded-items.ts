/** Converts the items of a recorded session or checkpoint into history items. */
import type { CheckpointContents } from '@gemini-cli/core';
import type { HistoryItemWithoutId, ToolView } from './item.js';

export type RecordedItem = CheckpointContents['history'][number];
type RecordedTool = Extract<RecordedItem, { type: 'tool_group' }>['tools'][number];

/** @param displayNameOf the name of a tool for users */
export function itemsFromRecord(
  items: readonly RecordedItem[],
  displayNameOf: (tool: string) => string | undefined = () => undefined,
): HistoryItemWithoutId[] {
  return items.map((item): HistoryItemWithoutId => {
    switch (item.type) {
      case 'thinking':
        return { type: 'thinking', subject: item.thought.subject, text: item.thought.description };
      case 'tool_group':
        return { type: 'tool_group', tools: item.tools.map((tool) => toolView(tool, displayNameOf)) };
      default:
        return { type: item.type, text: item.text };
    }
  });
}

/** A session that ended during a call resumes without it. */
const ENDED: ReadonlySet<string> = new Set(['success', 'error', 'cancelled']);

function toolView(tool: RecordedTool, displayNameOf: (name: string) => string | undefined): ToolView {
  const { callId, name, description, status, resultDisplay, renderOutputAsMarkdown } = tool;
  return {
    callId,
    name,
    displayName: displayNameOf(name) ?? name,
    description,
    status: ENDED.has(status) ? status : 'cancelled',
    ...(resultDisplay !== undefined && { display: resultDisplay }),
    ...(renderOutputAsMarkdown && { isMarkdown: true }),
  };
}
