/** Rows that an element takes, by Ink's own layout. Zero until it has been laid out once. */
import { type DOMElement, ResizeObserver } from 'ink';
import { type RefCallback, useCallback, useState } from 'react';

export function useHeight(): { ref: RefCallback<DOMElement>; height: number } {
  const [height, setHeight] = useState(0);
  const ref = useCallback((element: DOMElement | null) => {
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => entry && setHeight(entry.contentRect.height));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, height };
}
