/** A component that wants input while it is active. The last one mounted is asked first. */
import { createContext, useContext, useLayoutEffect, useRef } from 'react';
import type { InputEvent, InputHandler } from './key.js';
import { InputRouter } from './router.js';

export const InputContext = createContext(new InputRouter());

export function useInputEvents(
  handler: InputHandler,
  { isActive = true }: { isActive?: boolean } = {},
): void {
  const router = useContext(InputContext);
  const latest = useRef(handler);
  latest.current = handler;
  // Before the next key can come: one typed right after the frame is drawn is not lost.
  useLayoutEffect(
    () => (isActive ? router.add((event: InputEvent) => latest.current(event)) : undefined),
    [router, isActive],
  );
}
