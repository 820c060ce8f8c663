/** A window onto something that may be higher; the last row says what is hidden and which key shows it. */
import { Box, type DOMElement, Text } from 'ink';
import { createContext, type ReactNode, type RefCallback } from 'react';
import { useTheme } from '../use-look.js';
import { keyName } from './key-name.js';
import { CLIPPED } from './MaxSizedBox.js';
import type { Scroll } from './use-scroll.js';

export interface ScrollBoxProps {
  scroll: Scroll;
  total: number;
  /** Of the content, for `useHeight`. */
  contentRef?: RefCallback<DOMElement>;
  children: ReactNode;
}

/** The window, for content that is drawn only as far as it is in sight. */
export const ScrollContext = createContext<Scroll | undefined>(undefined);

export function ScrollBox({ scroll, total, contentRef, children }: ScrollBoxProps) {
  const { top, visible, isNeeded, hasPosition } = scroll;
  return (
    <>
      <Box
        flexDirection="column"
        flexShrink={0}
        {...(isNeeded && { ...CLIPPED, height: visible, scrollTop: top })}
      >
        <Box flexDirection="column" flexShrink={0} {...(contentRef && { ref: contentRef })}>
          <ScrollContext.Provider value={scroll}>{children}</ScrollContext.Provider>
        </Box>
      </Box>
      {hasPosition && <ScrollPosition above={top} below={total - top - visible} />}
    </>
  );
}

function ScrollPosition({ above, below }: { above: number; below: number }) {
  const theme = useTheme();
  return (
    <Text color={theme.status.warning} wrap="truncate">
      {below > 0
        ? `… ${below} more line${below === 1 ? '' : 's'}, ${keyName('scroll.pageDown')}`
        : `… end; ${above} line${above === 1 ? '' : 's'} above, ${keyName('scroll.pageUp')}`}
    </Text>
  );
}
