/** Tells `TypeAhead` when a question opens that a key meant for the input could answer. */
import type { DialogName } from '../../../commands/dialog-name.js';
import type { OpenDialog } from '../../store/state.js';
import type { Store } from '../../store/store.js';
import type { TypeAhead } from './type-ahead.js';

/** Choices only. */
const WITHOUT_LETTERS: ReadonlySet<DialogName> = new Set(['trust', 'policies', 'fallback', 'loop']);

export function watchQuestions(store: Store, typeAhead: TypeAhead, hasText: () => boolean): void {
  let before = store.getState();
  store.subscribe(() => {
    const last = before;
    before = store.getState();
    const { confirmation, dialog } = before;
    if (confirmation) {
      if (!last.confirmation) typeAhead.questionOpened({ isTyping: hasText() || dialog !== undefined });
    } else if (isUnbidden(dialog)) {
      if (last.dialog === dialog && !last.confirmation) return;
      const hasNoLetters = WITHOUT_LETTERS.has(dialog.name);
      typeAhead.questionOpened({ isTyping: hasText(), isUnbidden: true, hasNoLetters });
    } else if (last.confirmation || isUnbidden(last.dialog)) typeAhead.questionClosed();
  });
}

function isUnbidden(dialog: OpenDialog | undefined): dialog is OpenDialog {
  return dialog?.isUnbidden === true;
}
