/** Why a turn ends before its engine has ended it. */
import { DeveloperError } from '@gemini-cli/core/server';

/** Another process has taken the turn over, or may have: this one must not do anything more for it. */
export class TurnLostError extends DeveloperError {
  override readonly name = 'TurnLostError';
}

/** The reason of `Turn.signal`: `cancel` ends the task, `interrupt` the turn; `stop`: this process ends. */
export class TurnStop extends DeveloperError {
  override readonly name = 'TurnStop';

  constructor(readonly kind: 'cancel' | 'interrupt' | 'stop') {
    super(`The turn was ended: ${kind}.`);
  }
}
