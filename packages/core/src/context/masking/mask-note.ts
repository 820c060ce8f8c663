/** The note that replaces a tool output that was moved to a file. */
import { endsOf, headOf } from '../../base/cut-text.js';
import { countLines } from '../../platform/storage/saved-output.js';
import { RUN_SHELL_COMMAND } from '../../protocol/tool-names.js';
import { escapeOwnTags } from '../tags.js';

const OPENING = '<tool_output_masked>';
const PREVIEW_CHARACTERS = 250;
const SHELL_LINES = 10;
/** Limits the preview when its lines are long. */
const MAX_SHELL_END = 2_000;

export function isMasked(text: string): boolean {
  return text.startsWith(OPENING);
}

export function maskNote(toolName: string, text: string, path: string): string {
  const { head, tail } =
    toolName === RUN_SHELL_COMMAND ? endLines(text) : endsOf(text, PREVIEW_CHARACTERS, PREVIEW_CHARACTERS);
  const omitted = text.length - head.length - tail.length;
  return [
    OPENING,
    `An older result of ${toolName}, moved out to save room: ${text.length} characters in ${countLines(text)} lines.`,
    `All of it is in ${path}; read_file with start_line and end_line shows any part of it.`,
    '',
    escapeOwnTags(head),
    `... [${omitted} characters omitted] ...`,
    escapeOwnTags(tail),
    '</tool_output_masked>',
  ].join('\n');
}

/** By lines, because the last lines of a command tell its exit code and errors. */
function endLines(text: string): { head: string; tail: string } {
  const lines = text.split('\n');
  if (lines.length <= SHELL_LINES * 2) return endsOf(text, PREVIEW_CHARACTERS, PREVIEW_CHARACTERS);
  const head = lines.slice(0, SHELL_LINES).join('\n');
  const tail = lines.slice(-SHELL_LINES).join('\n');
  return {
    head: headOf(head, MAX_SHELL_END),
    tail: endsOf(tail, 0, Math.min(tail.length, MAX_SHELL_END)).tail,
  };
}
