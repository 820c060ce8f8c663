/** How things are drawn: colours, width, and what the user wants to see. Everything drawn is a function of data and this. */
import type { ColorDepth } from '../terminal/color-depth.js';
import type { Paint } from './themes/style.js';
import type { Theme } from './themes/theme.js';

export interface Look {
  /** Columns to draw in. */
  width: number;
  theme: Theme;
  paint: Paint;
  /** What `paint` and Ink keep to. */
  depth: ColorDepth;
  /** Bold and the like are shown. */
  hasAttributes: boolean;
  /** Linear, with words in place of symbols and boxes. */
  screenReader: boolean;
  renderMarkdown: boolean;
  showLineNumbers: boolean;
  /** Tool calls that only looked take one line (`ui.compactToolOutput`). */
  compactTools: boolean;
  /** `ui.inlineThinkingMode` is `full`. */
  showThinking: boolean;
  /** Ctrl+O: nothing is cut. */
  expanded: boolean;
}
