/** Keys for a component while it is active; what it does not take goes to the component around it. */
import { useContext, useLayoutEffect, useRef, useState } from 'react';
import { type KeyListener, KeyScopeContext } from '../keys/key-scope.js';

export function useDialogKeys(listener: KeyListener, isActive = true): void {
  const scope = useContext(KeyScopeContext);
  const [place] = useState(() => scope.nextPlace());
  const latest = useRef(listener);
  useLayoutEffect(() => {
    latest.current = listener;
  });
  useLayoutEffect(() => {
    if (!isActive) return undefined;
    return scope.listen(place, {
      onKey: (key) => latest.current.onKey(key),
      onPaste: (text) => latest.current.onPaste?.(text) ?? false,
      takesText: (event) => latest.current.takesText?.(event) ?? false,
    });
  }, [scope, place, isActive]);
}
