/** Asks for a Gemini API key. It is never drawn, and goes to the keychain. */
import { isCommand } from '../../keys/bindings.js';
import { Frame } from '../../primitives/Frame.js';
import { innerWidth } from '../../primitives/frame-lines.js';
import { useDialogInput } from '../../primitives/use-dialog-input.js';
import { useField } from '../../primitives/use-field.js';
import { cleanLine } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';

export interface ApiKeyViewProps {
  height: number;
  problem: string | undefined;
  onKey(key: string): void;
  onBack(): void;
}

export function ApiKeyView({ height, problem, onKey, onBack }: ApiKeyViewProps) {
  const look = useLook();
  const field = useField();
  const width = innerWidth(look);
  useDialogInput({
    onKey: (key) => {
      if (isCommand(key, 'basic.cancel')) onBack();
      else if (isCommand(key, 'basic.confirm')) onKey(field.text.trim());
      else return field.handle(key);
      return true;
    },
    onPaste: (text) => field.paste(text.trim()),
  });
  const { line, caretColumn } = field.draw({
    width: width - 2,
    isMasked: true,
    placeholder: 'Paste your key; empty: the saved one',
  });
  const error = problem ? wrapText(cleanLine(problem), width) : [];
  const before = [
    ...error.map((row) => look.paint(row, { color: look.theme.status.error })),
    ...wrapText(
      'You get a key at https://aistudio.google.com/apikey. It is stored in the keychain of this machine.',
      width,
    ),
  ];
  return (
    <Frame
      title="Gemini API key"
      hint={['Enter to use it', 'Esc to go back']}
      lines={[...before, `> ${line}`]}
      height={height}
      caret={{ row: before.length, column: caretColumn + 2 }}
    />
  );
}
