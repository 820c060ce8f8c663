/** What was typed behind the command, where the template says nothing about it. */
import { ARGS, type TemplatePiece } from './template.js';

/** The typed command follows a template that uses no arguments, if there are some. */
export function appendedArguments(
  pieces: readonly TemplatePiece[],
  { raw, args }: { raw: string; args: string },
): string {
  const usesThem = pieces.some(
    (piece) => piece.kind === 'args' || (piece.kind === 'shell' && piece.command.includes(ARGS)),
  );
  return usesThem || args === '' ? '' : `\n\n${raw}`;
}
