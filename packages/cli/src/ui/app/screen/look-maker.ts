/** Makes the `Look` from theme, settings and state. The same object as long as nothing changes. */
import type { Settings } from '@gemini-cli/core';
import type { ColorDepth } from '../../../terminal/color-depth.js';
import type { Look } from '../../look.js';
import type { UiState } from '../../store/state.js';
import { createPaint } from '../../themes/paint.js';
import type { Theme } from '../../themes/theme.js';

export interface LookSources {
  depth: ColorDepth;
  /** Bold and the like, also without colours. */
  hasAttributes: boolean;
  theme: () => Theme;
  settings: () => Settings;
  screenReader: boolean;
}

export function lookMaker({
  depth,
  hasAttributes,
  theme,
  settings,
  screenReader,
}: LookSources): (state: UiState) => Look {
  const paint = createPaint(depth, hasAttributes);
  let last: Look | undefined;
  return (state) => {
    const ui = settings().ui ?? {};
    const look: Look = {
      width: state.columns,
      theme: theme(),
      paint,
      depth,
      hasAttributes,
      screenReader,
      renderMarkdown: (ui.renderMarkdown ?? true) && !state.isRawMarkdown,
      showLineNumbers: ui.showLineNumbers ?? true,
      compactTools: ui.compactToolOutput ?? true,
      showThinking: ui.inlineThinkingMode === 'full',
      expanded: state.isExpanded,
    };
    if (last && isSame(last, look)) return last;
    last = look;
    return look;
  };
}

function isSame(one: Look, other: Look): boolean {
  return (Object.keys(one) as (keyof Look)[]).every((key) => one[key] === other[key]);
}
