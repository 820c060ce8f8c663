/** Appends the typed command to a prompt whose template does not use the arguments. */
import { ARGS, type TemplatePiece } from './template.js';

export function appendedArguments(
  pieces: readonly TemplatePiece[],
  { raw, args }: { raw: string; args: string },
): string {
  const usesThem = pieces.some(
    (piece) => piece.kind === 'args' || (piece.kind === 'shell' && piece.command.includes(ARGS)),
  );
  return usesThem || args === '' ? '' : `\n\n${raw}`;
}
