/** One turn of the conversation: the prompt, answers, and tool calls in a line each. */
import type { CheckpointServices } from '@gemini-cli/core';
import { ScrollableDiffViewport } from '../../components/ScrollableDiffViewport.js';
import type { Look } from '../../look.js';
import { markdownLines } from '../../markdown/markdown.js';
import { cleanLine, cleanText } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';

type RewindItem = ReturnType<CheckpointServices['rewind']['items']>[number];

export function OpenedTurn({ items }: { items: readonly RewindItem[] }) {
  const look = useLook();
  return <ScrollableDiffViewport lines={turnLines(look, items)} />;
}

function turnLines(look: Look, items: readonly RewindItem[]): string[] {
  const { paint, theme, width } = look;
  return items.flatMap((item) => {
    switch (item.type) {
      case 'user':
        return wrapText(`> ${cleanText(item.text)}`, width).map((row) =>
          paint(row, { color: theme.text.accent }),
        );
      case 'gemini':
        return markdownLines(item.text, look);
      case 'thinking':
        return [];
      case 'tool_group':
        return item.tools.flatMap(({ name, description, status }) =>
          wrapText(cleanLine(`${name} ${description} (${status})`), width).map((row) =>
            paint(row, { color: theme.text.secondary }),
          ),
        );
      default:
        return wrapText(cleanText(item.text), width);
    }
  });
}
