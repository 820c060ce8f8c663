/** The style of a piece of text, and the function that paints it. */

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

/** Paints text with ANSI styles that the terminal supports. The text must contain no control characters. */
export type Paint = (text: string, style: Style) => string;
