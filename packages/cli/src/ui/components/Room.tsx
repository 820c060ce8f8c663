/** How much of the screen a component may use. Its width is `useLook().width`. */
import { Box } from 'ink';
import { createContext, type ReactNode, useContext } from 'react';
import { narrower } from '../text/narrow.js';
import { LookContext, useLook } from '../use-look.js';

export const RowsContext = createContext(Number.POSITIVE_INFINITY);

export interface RoomSize {
  width: number;
  rows: number;
}

export function useRoom(): RoomSize {
  return { width: useLook().width, rows: useContext(RowsContext) };
}

/** A part of the room. */
export function Room({ width, rows, children }: Partial<RoomSize> & { children: ReactNode }) {
  const look = useLook();
  const all = useContext(RowsContext);
  const columns = Math.max(1, width ?? look.width);
  return (
    <LookContext.Provider value={narrower(look, look.width - columns)}>
      <RowsContext.Provider value={Math.max(1, rows ?? all)}>
        <Box flexDirection="column" width={columns} flexShrink={0}>
          {children}
        </Box>
      </RowsContext.Provider>
    </LookContext.Provider>
  );
}
