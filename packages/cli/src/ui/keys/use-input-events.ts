/** A component that wants input while it is active. The last one mounted is asked first. */
import { createContext, useContext, useLayoutEffect, useRef } from 'react';
import type { InputEvent, InputHandler } from './key.js';
import { InputRouter, type TakesText } from './router.js';

export const InputContext = createContext(new InputRouter());

export function useInputEvents(
  handler: InputHandler,
  { isActive = true, takesText = () => false }: { isActive?: boolean; takesText?: TakesText } = {},
): void {
  const router = useContext(InputContext);
  const latest = useRef(handler);
  latest.current = handler;
  const latestTakesText = useRef(takesText);
  latestTakesText.current = takesText;
  // Before the next key can come: one typed right after the frame is drawn is not lost.
  useLayoutEffect(
    () =>
      isActive
        ? router.add(
            (event: InputEvent) => latest.current(event),
            (event: InputEvent) => latestTakesText.current(event),
          )
        : undefined,
    [router, isActive],
  );
}
