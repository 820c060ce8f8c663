/** Calls the newest `onTimeout` once `what` has stayed the same for so long; an empty one waits for nothing. */
import { useEffect, useLayoutEffect, useRef } from 'react';

export function useTimeout(what: string, ms: number, onTimeout: () => void): void {
  const latest = useRef(onTimeout);
  useLayoutEffect(() => {
    latest.current = onTimeout;
  });
  useEffect(() => {
    if (what === '') return undefined;
    const timer = setTimeout(() => latest.current(), ms);
    return () => clearTimeout(timer);
  }, [what, ms]);
}
