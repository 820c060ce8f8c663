/** The keyboard of an open dialog. What is typed stays with it; keys of the app (Ctrl+C, Ctrl+Y, …) pass. */
import type { Key } from '../keys/key.js';
import type { TakesText } from '../keys/router.js';
import { useInputEvents } from '../keys/use-input-events.js';

export interface DialogInput {
  onKey(key: Key): boolean;
  onPaste?(text: string): void;
  /** True while text is more than a stray letter here. Absent: never. */
  takesText?: TakesText;
}

export function useDialogInput({ onKey, onPaste, takesText }: DialogInput, isActive = true): void {
  useInputEvents(
    (event) => {
      if (event.kind === 'paste') {
        onPaste?.(event.text);
        return true;
      }
      return event.kind === 'key' && (onKey(event) || isTyped(event));
    },
    { isActive, ...(takesText && { takesText }) },
  );
}

/** The letter it types, where nothing but Shift is held. */
export function letterOf(key: Key): string {
  return key.ctrl || key.alt || key.cmd ? '' : key.text;
}

/** A stray key must not end up in the prompt below. */
function isTyped(key: Key): boolean {
  const isPlain = !key.ctrl && !key.alt && !key.cmd;
  return isPlain && (key.text !== '' || key.name === 'enter' || key.name === 'escape');
}
