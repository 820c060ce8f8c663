/** How a piece of text is styled, and the function that paints it. */

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
