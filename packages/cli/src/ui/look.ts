/** How things are drawn: colours, width and the user's display settings. All drawing depends on data and a Look. */
import type { ColorDepth } from '../terminal/color-depth.js';
import type { Paint } from './themes/style.js';
import type { Theme } from './themes/theme.js';

export interface Look {
  /** Columns to draw in. */
  width: number;
  theme: Theme;
  paint: Paint;
  /** The colours that `paint` and Ink may use. */
  depth: ColorDepth;
  /** True: bold and similar styles are shown. */
  hasAttributes: boolean;
  /** Linear output, with words instead of symbols and boxes. */
  screenReader: boolean;
  renderMarkdown: boolean;
  showLineNumbers: boolean;
  /** Tool calls that only read take one line (`ui.compactToolOutput`). */
  compactTools: boolean;
  /** `ui.inlineThinkingMode` is `full`. */
  showThinking: boolean;
  /** Ctrl+O: nothing is cut. */
  expanded: boolean;
}
