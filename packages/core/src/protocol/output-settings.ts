/** How an answer is printed: `output.format` of the settings, `--output-format` of the command line. */

export type OutputFormat = 'text' | 'json' | 'stream-json';

export interface OutputSettings {
  /** Absent: text. */
  format?: OutputFormat;
}
