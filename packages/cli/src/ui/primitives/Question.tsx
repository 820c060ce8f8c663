/** Text that may be long, and below it a list to answer from: the shape of most dialogs. */
import { isCommand } from '../keys/bindings.js';
import type { Key } from '../keys/key.js';
import { wrapText } from '../text/columns.js';
import { useLook } from '../use-look.js';
import { Frame } from './Frame.js';
import { type FrameText, innerHeight, innerWidth } from './frame-lines.js';
import type { Choice } from './radio.js';
import { scrollKey, scrollLines } from './scroll.js';
import { useDialogInput } from './use-dialog-input.js';
import { useLiveState } from './use-live-state.js';
import { useRadioList } from './use-radio-list.js';

export interface QuestionProps<T> extends FrameText {
  /** Drawn already, in `innerWidth` columns; scrolls. */
  content: readonly string[];
  question?: string | undefined;
  choices: readonly Choice<T>[];
  initial?: T | undefined;
  height: number;
  onSelect(value: T): void;
  onCancel(): void;
  onHighlight?(value: T): void;
  /** Keys that this dialog has besides. */
  onKey?(key: Key, value: T | undefined): boolean;
  /** False: nothing can be answered now. */
  isActive?: boolean;
}

const CONTENT_ROWS = 3;

export function Question<T>(props: QuestionProps<T>) {
  const {
    content,
    question,
    choices,
    initial,
    height,
    onSelect,
    onCancel,
    onHighlight,
    onKey,
    isActive = true,
  } = props;
  const look = useLook();
  const top = useLiveState(0);
  const list = useRadioList({ choices, initial, onSelect, ...(onHighlight && { onHighlight }) });
  const width = innerWidth(look);
  const rows = innerHeight(look, height);
  const asked = question
    ? wrapText(question, width).map((row) => look.paint(row, { color: look.theme.text.primary, bold: true }))
    : [];
  const needed = Math.min(content.length, CONTENT_ROWS);
  const answers = list.lines({ width, rows: Math.max(1, rows - asked.length - needed) });
  const contentRows = Math.max(0, rows - asked.length - answers.length);
  useDialogInput({
    onKey: (key) => {
      if (!isActive) return false;
      const scrolled =
        content.length > contentRows ? scrollKey(key, top.now, content.length, contentRows) : undefined;
      if (scrolled !== undefined) top.set(scrolled);
      else if (isCommand(key, 'basic.cancel')) onCancel();
      else return (onKey?.(key, list.value) ?? false) || list.handle(key);
      return true;
    },
  });
  const shown = contentRows > 0 ? scrollLines(look, content, top.now, contentRows) : [];
  return (
    <Frame
      title={props.title}
      note={props.note}
      hint={props.hint ?? ['Enter to select', 'Esc to close']}
      tone={props.tone}
      lines={[...shown, ...asked, ...answers]}
      height={height}
    />
  );
}
