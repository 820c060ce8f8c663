/** An answer of the model, with the properties of the seed. */
import { useMemo } from 'react';
import type { Look } from '../look.js';
import type { StreamingState } from '../store/state.js';
import { useLook } from '../use-look.js';
import { Lines } from './Lines.js';
import { modelLines } from './model.js';

export interface GeminiMessageProps {
  text: string;
  /** More is to come: only what fits into `height` is drawn, from the end. */
  isPending: boolean;
  terminalWidth: number;
  renderMarkdown?: boolean;
  streamingState?: StreamingState;
  height?: number;
}

export function GeminiMessage({
  text,
  isPending,
  terminalWidth,
  renderMarkdown,
  height,
}: GeminiMessageProps) {
  const base = useLook();
  const look = useMemo<Look>(
    () => ({ ...base, width: terminalWidth, renderMarkdown: renderMarkdown ?? base.renderMarkdown }),
    [base, terminalWidth, renderMarkdown],
  );
  return <Lines lines={modelLines(text, look, false, isPending ? height : undefined)} />;
}
