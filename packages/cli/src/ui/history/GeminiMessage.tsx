/** An answer of the model, with the properties of the seed. */
import { useMemo } from 'react';
import { Lines } from '../components/Lines.js';
import type { Look } from '../look.js';
import type { StreamingState } from '../store/state.js';
import { useLook } from '../use-look.js';
import { useUIState } from '../use-ui-state.js';
import { modelLines } from './model.js';

export interface GeminiMessageProps {
  text: string;
  /** More is to come: only what fits into `height` is drawn, from the end. */
  isPending: boolean;
  /** These are the ones of `useUIState` if absent. */
  terminalWidth?: number;
  renderMarkdown?: boolean;
  streamingState?: StreamingState;
  height?: number;
}

export function GeminiMessage({ text, isPending, height, ...given }: GeminiMessageProps) {
  const base = useLook();
  const { terminalWidth, renderMarkdown } = { ...useUIState(), ...given };
  const look = useMemo<Look>(
    () => ({ ...base, width: terminalWidth, renderMarkdown }),
    [base, terminalWidth, renderMarkdown],
  );
  return <Lines lines={modelLines(text, look, false, isPending ? height : undefined)} />;
}
