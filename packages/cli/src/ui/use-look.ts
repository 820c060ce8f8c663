/** The look for components, separate from `look.ts` so that drawing lines does not load React. */
import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';
import type { Look } from './look.js';
import { grammarVersion, onGrammarLoaded } from './markdown/highlight.js';
import { inkTheme } from './themes/ink-theme.js';
import type { Theme } from './themes/theme.js';

export const LookContext = createContext<Look | undefined>(undefined);

export function useLook(): Look {
  const look = useContext(LookContext);
  if (!look) throw new Error('A component is drawn outside of LookContext.');
  return look;
}

/** A new object when a grammar has loaded: code that was drawn plain is drawn again, in its colours. */
export function useLookWithGrammars(look: Look): Look {
  const version = useSyncExternalStore(onGrammarLoaded, grammarVersion);
  return useMemo(() => ({ ...look, grammarVersion: version }), [look, version]);
}

/** Colours for `<Text color>` and `<Box borderColor>`, as this terminal can show them. */
export function useTheme(): Theme {
  const { theme, depth } = useLook();
  return useMemo(() => inkTheme(theme, depth), [theme, depth]);
}
