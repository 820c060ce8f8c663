/** A row of tabs, the current one marked. */
import { Box, Text } from 'ink';
import { cutText, widthOf } from '../text/columns.js';
import { useLook, useTheme } from '../use-look.js';

export interface Tab {
  label: string;
  /** Something has been answered there. */
  done?: boolean;
}

export interface TabsProps {
  tabs: readonly Tab[];
  index: number;
  /** What one of them is called, for a screen reader. */
  name?: string;
  isFocused?: boolean;
}

export function Tabs({ tabs, index, name = 'Tab', isFocused = true }: TabsProps) {
  const { width, screenReader } = useLook();
  const theme = useTheme();
  const current = tabs[index]?.label ?? '';
  const chosen = isFocused ? theme.ui.focus : theme.text.secondary;
  if (screenReader)
    return <Text>{cutText(`${name} ${index + 1} of ${tabs.length}: ${current}`, width)}</Text>;
  const shown = tabs.map(({ label, done }, number) => {
    const text = `${done ? '✓ ' : ''}${label}`;
    return { number, text: number === index ? `[${text}]` : ` ${text} ` };
  });
  // Too narrow for all: the current one and its number.
  if (widthOf(shown.map(({ text }) => text).join(' ')) > width)
    return <Text color={chosen}>{cutText(`[${current}] ${index + 1}/${tabs.length}`, width)}</Text>;
  return (
    <Box columnGap={1}>
      {shown.map(({ number, text }) => (
        <Text
          key={number}
          bold={number === index && isFocused}
          color={number === index ? chosen : theme.text.secondary}
        >
          {text}
        </Text>
      ))}
    </Box>
  );
}
