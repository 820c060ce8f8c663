/** The plan is ready: look at it, then let it be carried out, or say what is missing. */
import {
  ApprovalMode,
  messageOf,
  ToolConfirmationOutcome,
  type ToolConfirmationPayload,
  visibleText,
} from '@gemini-cli/core';
import { useEffect, useMemo } from 'react';
import { isCommand, keysOf } from '../keys/bindings.js';
import type { Key } from '../keys/key.js';
import type { Look } from '../look.js';
import { markdownLines } from '../markdown/markdown.js';
import { Frame } from '../primitives/Frame.js';
import { innerHeight, innerWidth } from '../primitives/frame-lines.js';
import type { Choice } from '../primitives/radio.js';
import { scrollKey, scrollLines } from '../primitives/scroll.js';
import { useDialogInput } from '../primitives/use-dialog-input.js';
import { useField } from '../primitives/use-field.js';
import { useLiveState } from '../primitives/use-live-state.js';
import { useRadioList } from '../primitives/use-radio-list.js';
import { wrapText } from '../text/columns.js';
import { narrower } from '../text/narrow.js';
import { useLook } from '../use-look.js';
import type { ConfirmationProps } from './request.js';

type PlanAnswer = 'auto' | 'manual' | 'feedback';
type Text = { kind: 'reading' } | { kind: 'read' | 'problem'; text: string };

const CHOICES: readonly Choice<PlanAnswer>[] = [
  { value: 'auto', label: 'Yes, automatically accept edits' },
  { value: 'manual', label: 'Yes, manually accept edits' },
  { value: 'feedback', label: 'No, say what to change' },
];

export interface ExitPlanProps extends Omit<ConfirmationProps, 'request'> {
  details: { planPath: string; systemMessage?: string };
}

export function ExitPlan({
  details,
  index,
  total,
  height,
  onAnswer,
  readPlan = readFromDisk,
  openEditor,
}: ExitPlanProps) {
  const look = useLook();
  const { planPath, systemMessage } = details;
  const text = useLiveState<Text>({ kind: 'reading' });
  const view = useLiveState<'choices' | 'feedback' | 'editor' | 'answered'>('choices');
  const top = useLiveState(0);
  const field = useField();
  const width = innerWidth(look);

  const load = () =>
    readPlan(planPath).then(
      (read) => text.set({ kind: 'read', text: read }),
      (error: unknown) =>
        text.set({ kind: 'problem', text: `The plan cannot be read (${planPath}): ${messageOf(error)}` }),
    );
  // Once: the plan of one question does not change by itself.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => void load(), []);
  const current = text.now;
  const content = useMemo(
    () => planLines(look, current, systemMessage, width),
    [look, current, systemMessage, width],
  );

  const answer = (outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload) => {
    view.set('answered');
    onAnswer(outcome, payload);
  };
  const list = useRadioList({
    choices: CHOICES,
    onSelect: (value) => {
      if (value === 'feedback') return view.set('feedback');
      const approvalMode = value === 'auto' ? ApprovalMode.AUTO_EDIT : ApprovalMode.DEFAULT;
      answer(ToolConfirmationOutcome.ProceedOnce, { approved: true, approvalMode });
    },
  });
  const edit = async () => {
    if (!openEditor) return;
    view.set('editor');
    try {
      await openEditor(planPath);
      await load();
    } catch (error) {
      text.set({ kind: 'problem', text: messageOf(error) });
    }
    view.set('choices');
  };

  const isTyping = view.now === 'feedback';
  const drawn = field.draw({ width: width - 2, placeholder: 'What should the plan do differently?' });
  const rows = innerHeight(look, height);
  const asked = isTyping ? [`> ${drawn.line}`] : list.lines({ width, rows: Math.max(1, rows - 3) });
  const contentRows = Math.max(1, rows - asked.length);
  const onKey = (key: Key): boolean => {
    if (view.now === 'answered' || view.now === 'editor') return false;
    const scrolled = scrollKey(key, top.now, content.length, contentRows);
    if (scrolled !== undefined) top.set(scrolled);
    else if (view.now === 'feedback') return feedbackKey(key);
    else if (isCommand(key, 'basic.cancel')) answer(ToolConfirmationOutcome.Cancel);
    else if (isEditKey(key)) void edit();
    else return list.handle(key);
    return true;
  };
  const feedbackKey = (key: Key): boolean => {
    const feedback = field.text.trim();
    if (isCommand(key, 'basic.cancel')) view.set('choices');
    else if (!isCommand(key, 'basic.confirm')) return field.handle(key);
    else if (feedback) answer(ToolConfirmationOutcome.ProceedOnce, { approved: false, feedback });
    return true;
  };
  useDialogInput({
    onKey,
    onPaste: (pasted) => view.now === 'feedback' && field.paste(pasted),
    takesText: () => view.now === 'feedback',
  });

  const shown = scrollLines(look, content, top.now, contentRows);
  const editKey = openEditor
    ? [`${keysOf('input.deprecatedOpenExternalEditor')[0] ?? 'Ctrl+X'} to edit the plan`]
    : [];
  return (
    <Frame
      title="Action Required"
      note={total > 1 ? `${index + 1} of ${total}` : 'the plan is ready'}
      hint={
        view.now === 'editor'
          ? ['Save and close external editor']
          : ['Enter to select', 'Esc to cancel', ...editKey]
      }
      tone="warning"
      lines={[...shown, ...asked]}
      height={height}
      caret={isTyping ? { row: shown.length, column: drawn.caretColumn + 2 } : undefined}
    />
  );
}

function isEditKey(key: Key): boolean {
  return isCommand(key, 'input.openExternalEditor') || isCommand(key, 'input.deprecatedOpenExternalEditor');
}

function planLines(look: Look, text: Text, systemMessage: string | undefined, width: number): string[] {
  const { paint, theme } = look;
  const message = systemMessage ? wrapText(visibleText(systemMessage), width) : [];
  if (text.kind === 'reading') return [...message, 'Reading the plan…'];
  if (text.kind === 'problem') {
    return [
      ...message,
      ...wrapText(visibleText(text.text), width).map((row) => paint(row, { color: theme.status.error })),
    ];
  }
  return [...message, ...markdownLines(visibleText(text.text), narrower(look, look.width - width))];
}

async function readFromDisk(path: string): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  return readFile(path, 'utf8');
}
