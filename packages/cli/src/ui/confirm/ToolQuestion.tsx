/** Edit, command, sandbox, info, MCP: what would be done, the question, and numbered answers. */
import { ToolConfirmationOutcome, type ToolConfirmationPayload } from '@gemini-cli/core';
import { useMemo } from 'react';
import { keyName } from '../components/key-name.js';
import { isCommand } from '../keys/bindings.js';
import type { Key } from '../keys/key.js';
import type { Look } from '../look.js';
import { type Caret, Frame } from '../primitives/Frame.js';
import { innerHeight, innerWidth } from '../primitives/frame-lines.js';
import { scrollKey, scrollLines } from '../primitives/scroll.js';
import { useDialogInput } from '../primitives/use-dialog-input.js';
import { useField } from '../primitives/use-field.js';
import { useLiveState } from '../primitives/use-live-state.js';
import { useRadioList } from '../primitives/use-radio-list.js';
import { wrapText } from '../text/columns.js';
import { useLook } from '../use-look.js';
import { choicesFor } from './choices.js';
import { contentLines } from './content.js';
import { questionOf } from './question.js';
import type { ConfirmationProps } from './request.js';

type View = 'choices' | 'full' | 'feedback' | 'editor' | 'answered';

export function ToolQuestion({
  request,
  index,
  total,
  height,
  fullHeight,
  onAnswer,
  onFullView,
}: ConfirmationProps) {
  const look = useLook();
  const { details } = request;
  const isModifying = details.type === 'edit' && details.isModifying === true;
  const view = useLiveState<View>(isModifying ? 'editor' : 'choices');
  const top = useLiveState(0);
  const field = useField();
  const width = innerWidth(look);
  const { toolName, displayName, cwd, subagent } = request;
  const isTight = height < ROOMY_ROWS;
  const choices = useMemo(() => choicesFor(details, toolName), [details, toolName]);
  // A rule is shown whole: where there is no room for it beside its answer, it scrolls with the rest.
  const hasRoom = !isTight && choices.every(({ detail = '' }) => detail.length <= DETAIL_ROWS * width);
  // By its parts: the request may be another object in every frame, and a diff may be long.
  const content = useMemo(
    () => [
      ...contentLines(look, { details, toolName, displayName, cwd, subagent }, { width, isTight }),
      ...(hasRoom ? [] : ruleLines(look, choices, width)),
    ],
    [look, details, toolName, displayName, cwd, subagent, width, isTight, hasRoom, choices],
  );

  const answer = (outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload) => {
    view.set(outcome === ToolConfirmationOutcome.ModifyWithEditor ? 'editor' : 'answered');
    onAnswer(outcome, payload);
  };
  const list = useRadioList({
    choices: hasRoom ? choices : choices.map((choice) => ({ ...choice, detail: undefined })),
    initial: details.suggestedOutcome,
    onSelect: (outcome) => answer(outcome),
  });
  const showFull = (isFull: boolean) => {
    view.set(isFull ? 'full' : 'choices');
    onFullView?.(isFull);
  };

  const rows = innerHeight(look, view.now === 'full' ? (fullHeight ?? height) : height);
  const asked = askedLines(look, view.now, { question: questionOf(details), width, rows, list, field });
  const contentRows = Math.max(1, rows - asked.lines.length);

  const onKey = (key: Key): boolean => {
    if (view.now === 'answered' || view.now === 'editor') return false;
    const scrolled = scrollKey(key, top.now, content.length, contentRows);
    if (scrolled !== undefined) {
      top.set(scrolled);
      return true;
    }
    if (view.now === 'feedback') return onFeedbackKey(key);
    if (isCommand(key, 'app.showMoreLines')) {
      showFull(view.now !== 'full');
      return true;
    }
    if (view.now === 'full') {
      if (isCommand(key, 'basic.cancel')) showFull(false);
      return !key.ctrl;
    }
    if (isCommand(key, 'basic.cancel')) answer(ToolConfirmationOutcome.Cancel);
    else if (isCommand(key, 'nav.dialog.next')) view.set('feedback');
    else return list.handle(key);
    return true;
  };
  const onFeedbackKey = (key: Key): boolean => {
    if (isCommand(key, 'basic.cancel')) view.set('choices');
    else if (isCommand(key, 'basic.confirm')) {
      const feedback = field.text.trim();
      answer(ToolConfirmationOutcome.Cancel, feedback ? { feedback } : undefined);
    } else return field.handle(key);
    return true;
  };
  useDialogInput({
    onKey,
    onPaste: (text) => view.now === 'feedback' && field.paste(text),
    takesText: () => view.now === 'feedback',
  });

  const shown = scrollLines(look, content, top.now, contentRows);
  const caret: Caret | undefined = asked.caret && {
    row: shown.length + asked.caret.row,
    column: asked.caret.column,
  };
  return (
    <Frame
      title="Action Required"
      note={total > 1 ? `${index + 1} of ${total}` : undefined}
      hint={hintsFor(view.now)}
      tone="warning"
      lines={[...shown, ...asked.lines]}
      height={view.now === 'full' ? (fullHeight ?? height) : height}
      caret={caret}
    />
  );
}

function hintsFor(view: View): string[] {
  const [confirm, cancel] = [keyName('basic.confirm'), keyName('basic.cancel')];
  const more = keyName('app.showMoreLines');
  switch (view) {
    case 'choices':
      return [
        `${confirm} to select`,
        `${cancel} to refuse`,
        `${keyName('nav.dialog.next')} to refuse with a word`,
        `${more} to see all`,
      ];
    case 'full':
      return [
        `${more} for the choices`,
        `${keyName('scroll.pageUp')}, ${keyName('scroll.pageDown')} to scroll`,
      ];
    case 'feedback':
      return [`${confirm} to refuse and send`, `${cancel} to go back`];
    default:
      return [];
  }
}

interface AskedBox {
  question: string;
  width: number;
  rows: number;
  list: Pick<ReturnType<typeof useRadioList>, 'lines'>;
  field: Pick<ReturnType<typeof useField>, 'draw'>;
}

/** What stands below the content. The content keeps two rows, one where there are no more than three. */
function askedLines(
  look: Look,
  view: View,
  { question, width, rows, list, field }: AskedBox,
): { lines: string[]; caret?: Caret } {
  const { paint, theme } = look;
  const strong = (text: string) =>
    wrapText(text, width).map((row) => paint(row, { color: theme.text.primary, bold: true }));
  if (view === 'full') return { lines: [] };
  if (view === 'editor') return { lines: ['', ...strong('Save and close external editor')] };
  if (view === 'feedback') {
    const { line, caretColumn } = field.draw({
      width: width - 2,
      placeholder: 'What should be done instead?',
    });
    const lines = [...strong('No. What should be done instead?'), `> ${line}`];
    return { lines, caret: { row: lines.length - 1, column: caretColumn + 2 } };
  }
  const asked = strong(question);
  const gap = rows >= ROOMY_ROWS ? [''] : [];
  const left = rows - CONTENT_ROWS - gap.length;
  // In the lowest of windows the answers say what is asked.
  const questionRows = rows < 3 ? [] : asked.slice(0, Math.max(1, left - 1));
  return {
    lines: [...gap, ...questionRows, ...list.lines({ width, rows: Math.max(1, left - questionRows.length) })],
  };
}

function ruleLines(
  { paint, theme }: Look,
  choices: readonly { label: string; detail?: string | undefined }[],
  width: number,
): string[] {
  const rules = choices.flatMap(({ label, detail }) => (detail ? [`${label}: ${detail}`] : []));
  return rules.flatMap((rule) =>
    wrapText(rule, width).map((row) => paint(row, { color: theme.text.secondary })),
  );
}

const CONTENT_ROWS = 2;
const DETAIL_ROWS = 3;
const ROOMY_ROWS = 16;
