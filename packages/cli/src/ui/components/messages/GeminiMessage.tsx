/** The model's answer, as Markdown or as raw text. */
import { useMemo } from 'react';
import { modelLines } from '../../history/model.js';
import type { Look } from '../../look.js';
import type { StreamingState } from '../../store/state.js';
import { useLook } from '../../use-look.js';
import { useUIState } from '../../use-ui-state.js';
import { Lines } from '../Lines.js';

export interface GeminiMessageProps {
  text: string;
  /** Still streaming: only the last `height` rows are drawn. */
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
