/** The keyboard of a dialog that is not made of components yet. */
import { useDialogKeys } from '../components/use-dialog-keys.js';
import type { Key } from '../keys/key.js';
import type { TakesText } from '../keys/router.js';

export { letterOf } from '../keys/key-scope.js';

export interface DialogInput {
  onKey(key: Key): boolean;
  onPaste?(text: string): void;
  /** True while text is more than a stray letter here. Absent: never. */
  takesText?: TakesText;
}

export function useDialogInput({ onKey, onPaste, takesText }: DialogInput, isActive = true): void {
  const paste = (text: string) => {
    onPaste?.(text);
    return true;
  };
  useDialogKeys({ onKey, onPaste: paste, takesText }, isActive);
}
