/** A row of tabs, the current one marked. */
import { Box, Text } from 'ink';
import { cutText, widthOf } from '../text/columns.js';
import { useLook, useTheme } from '../use-look.js';

export interface Tab {
  label: string;
  /** Something has been answered there. */
  done?: boolean;
}

export function Tabs({ tabs, index }: { tabs: readonly Tab[]; index: number }) {
  const { width, screenReader } = useLook();
  const theme = useTheme();
  const current = tabs[index]?.label ?? '';
  if (screenReader) return <Text>{cutText(`Tab ${index + 1} of ${tabs.length}: ${current}`, width)}</Text>;
  const labels = tabs.map(({ label, done }, at) => {
    const text = `${done ? '✓ ' : ''}${label}`;
    return at === index ? `[${text}]` : ` ${text} `;
  });
  // Too narrow for all: the current one and its number.
  if (widthOf(labels.join(' ')) > width)
    return <Text>{cutText(`[${current}] ${index + 1}/${tabs.length}`, width)}</Text>;
  return (
    <Box columnGap={1}>
      {labels.map((label, at) => (
        <Text key={label} bold={at === index} color={at === index ? theme.ui.focus : theme.text.secondary}>
          {label}
        </Text>
      ))}
    </Box>
  );
}
