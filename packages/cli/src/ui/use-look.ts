/** The look for components. Apart from `look.ts`, so that drawing lines does not load React. */
import { createContext, useContext } from 'react';
import type { Look } from './look.js';

export const LookContext = createContext<Look | undefined>(undefined);

export function useLook(): Look {
  const look = useContext(LookContext);
  if (!look) throw new Error('A component is drawn outside of LookContext.');
  return look;
}
