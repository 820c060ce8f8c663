/** How things are drawn: colours, width, and what the user wants to see. Everything drawn is a function of data and this. */
import type { Theme } from './themes/theme.js';

export interface Style {
  color?: string;
  background?: string;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  strike?: boolean;
  inverse?: boolean;
}

/** Text with ANSI styles, in the colours this terminal can show. The text itself must be clean of control characters. */
export type Paint = (text: string, style: Style) => string;

export type ColorDepth = 'none' | 'ansi16' | 'ansi256' | 'truecolor';

export interface Look {
  /** Columns to draw in. */
  width: number;
  theme: Theme;
  paint: Paint;
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
