/** One line to type in. It holds its own text and tells of changes; a new `key` makes it begin anew. */
import { Text } from 'ink';
import { useState } from 'react';
import { isCommand } from '../keys/bindings.js';
import type { Key } from '../keys/key.js';
import { graphemes } from '../text/width.js';
import { useLook, useTheme } from '../use-look.js';
import { type FieldView, fieldKey, fieldOf, fieldView, insertText, textOf } from './field-state.js';
import { useDialogKeys } from './use-dialog-keys.js';

export interface TextFieldProps {
  initial?: string;
  placeholder?: string;
  /** What stands before it: `Search: `. */
  label?: string;
  /** For keys and passwords: as many `*` as there are characters. */
  isMasked?: boolean;
  isFocused?: boolean;
  onChange?: ((text: string) => void) | undefined;
  /** Enter; absent: Enter is for the component around it. */
  onSubmit?: ((text: string) => void) | undefined;
  /** Asked before the field's own keys. */
  onKey?: ((key: Key, text: string) => boolean) | undefined;
}

export function TextField({
  initial = '',
  placeholder = '',
  label = '',
  isMasked = false,
  isFocused = true,
  onChange,
  onSubmit,
  onKey,
}: TextFieldProps) {
  const { width } = useLook();
  const theme = useTheme();
  const [state, setState] = useState(() => fieldOf(initial));
  const text = textOf(state);
  const update = (next: typeof state) => {
    setState(next);
    if (textOf(next) !== text) onChange?.(textOf(next));
  };
  useDialogKeys(
    {
      onKey: (key) => {
        if (onKey?.(key, text)) return true;
        if (onSubmit && isCommand(key, 'basic.confirm')) {
          onSubmit(text);
          return true;
        }
        const next = fieldKey(state, key);
        if (next) update(next);
        return next !== undefined;
      },
      onPaste: (pasted) => {
        update(insertText(state, pasted));
        return true;
      },
      takesText: () => true,
    },
    isFocused,
  );
  const room = Math.max(1, width - label.length);
  const isEmpty = text === '';
  const view = isEmpty ? placeholderView(placeholder) : fieldView(state, room, isMasked);
  const color = isEmpty ? theme.text.secondary : theme.text.primary;
  return (
    <Text color={theme.text.primary} wrap="truncate">
      {label}
      <Text color={color}>{view.before}</Text>
      <Text color={color} inverse={isFocused}>
        {view.caret}
      </Text>
      <Text color={color}>{view.after}</Text>
    </Text>
  );
}

/** The caret is on its first character. */
function placeholderView(placeholder: string): FieldView {
  const [caret = ' '] = graphemes(placeholder);
  return { before: '', caret, after: placeholder.slice(caret.length) };
}
