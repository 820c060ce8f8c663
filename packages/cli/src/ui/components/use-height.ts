/** Rows that an element takes, by Ink's own layout. Zero until it has been laid out once. */
import { type DOMElement, ResizeObserver } from 'ink';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

export function useHeight(): { ref: RefObject<DOMElement | null>; height: number } {
  const ref = useRef<DOMElement>(null);
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    if (!ref.current) return undefined;
    const observer = new ResizeObserver(([entry]) => entry && setHeight(entry.contentRect.height));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, height };
}
