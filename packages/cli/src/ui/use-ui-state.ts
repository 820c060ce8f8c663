/** State that message components share; these names are part of the public interface. */
import { createContext, useContext } from 'react';
import type { StreamingState } from './store/state.js';
import { useLook } from './use-look.js';

export interface UIState {
  renderMarkdown: boolean;
  streamingState: StreamingState;
  terminalWidth: number;
}

export const StreamingContext = createContext<StreamingState>('idle');

export function useUIState(): UIState {
  const { renderMarkdown, width } = useLook();
  return { renderMarkdown, streamingState: useContext(StreamingContext), terminalWidth: width };
}
