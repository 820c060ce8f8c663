/** A theme: colours by meaning, as `#rrggbb`, ANSI names (`red`, `brightblack`), or empty for the terminal's own. */

export interface Theme {
  name: string;
  type: 'dark' | 'light' | 'ansi' | 'none';
  text: { primary: string; secondary: string; link: string; accent: string; response: string };
  background: {
    primary: string;
    /** Of the input box and the user's messages. */
    input: string;
    diff: { added: string; removed: string };
  };
  border: { default: string; focused: string };
  status: { success: string; warning: string; error: string };
  ui: { comment: string; symbol: string; focus: string; gradient: readonly string[] };
  /** Code colours by highlight.js scope: `keyword`, `string`, `number`, `title`, … */
  syntax: Readonly<Record<string, string>>;
}
