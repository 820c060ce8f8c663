/** The model's answer, as Markdown or as raw text. */
import { useMemo } from 'react';
import { Lines } from '../../history/Lines.js';
import { modelLines } from '../../history/model.js';
import type { Look } from '../../look.js';
import type { StreamingState } from '../../store/state.js';
import { useLook } from '../../use-look.js';

export interface GeminiMessageProps {
  text: string;
  /** Still streaming: only the last `height` rows are drawn. */
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
