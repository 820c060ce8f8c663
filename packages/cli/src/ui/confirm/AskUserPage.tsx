/** One page of the questions, as lines. */
import { visibleText } from '@gemini-cli/core';
import type { Look } from '../look.js';
import { entryWindow } from '../primitives/entry-window.js';
import type { Caret } from '../primitives/Frame.js';
import { fieldLine } from '../primitives/field.js';
import { wrapText } from '../text/columns.js';
import {
  type AskState,
  answerText,
  entriesOf,
  type Given,
  isMulti,
  optionsOf,
  type Question,
} from './ask-user-state.js';
import type { AskUserDetails } from './request.js';

export interface PageBox {
  width: number;
  rows: number;
}

export interface Page {
  lines: string[];
  caret?: Caret;
}

export function pageLines(
  look: Look,
  state: AskState,
  { questions, systemMessage }: AskUserDetails,
  box: PageBox,
): Page {
  const question = questions[state.page];
  const given = state.given[state.page];
  if (!question || !given) return { lines: reviewLines(look, state, questions, box) };
  const message = systemMessage ? wrapText(visibleText(systemMessage), box.width) : [];
  const asked = wrapText(visibleText(question.question), box.width).map((row) =>
    look.paint(row, { color: look.theme.text.primary, bold: true }),
  );
  const entries = entriesOf(question).map((_, index) => entryLines(look, question, given, index, box.width));
  const wanted = entries.reduce((sum, { lines }) => sum + lines.length, 0);
  const head = headFor([...message, ...asked], box.rows - Math.min(wanted, Math.max(4, box.rows - 3)));
  const draw = (index: number) => entries[index]?.lines ?? [];
  const shown = entryWindow(look, { count: entries.length, draw }, given.index, box.rows - head.length);
  const current = entries[given.index];
  const row = current?.caretColumn === undefined ? -1 : shown.indexOf(current.lines[0] ?? '');
  return {
    lines: [...head, ...shown],
    ...(row >= 0 && { caret: { row: head.length + row, column: current?.caretColumn ?? 0 } }),
  };
}

function headFor(lines: readonly string[], rows: number): readonly string[] {
  const room = Math.max(1, rows);
  if (lines.length <= room) return lines;
  return [...lines.slice(0, room - 1), `… ${lines.length - room + 1} more lines of the question`];
}

interface EntryView {
  lines: string[];
  caretColumn?: number;
}

function entryLines(look: Look, question: Question, given: Given, index: number, width: number): EntryView {
  const { paint, theme, screenReader } = look;
  const entry = entriesOf(question)[index];
  const isChosen = given.index === index;
  const option = optionsOf(question)[index];
  const isTicked =
    entry === 'all' ? given.ticked.length === optionsOf(question).length : given.ticked.includes(index);
  const box =
    isMulti(question) && (entry === 'option' || entry === 'all') ? (isTicked ? '[x] ' : '[ ] ') : '';
  const tick = screenReader ? (box ? (isTicked ? 'ticked: ' : 'not ticked: ') : '') : box;
  const lead = `${screenReader ? '' : isChosen ? '● ' : '  '}${index + 1}. ${tick}`;
  const indent = ' '.repeat(Math.min(lead.length, 6));
  const style = { color: isChosen ? theme.ui.focus : theme.text.primary, bold: isChosen };
  if (entry === 'own') {
    const placeholder = visibleText(question.placeholder ?? '') || 'Type your own answer';
    const field = fieldLine(look, given.own, {
      width: width - lead.length,
      placeholder,
      isFocused: isChosen,
    });
    return {
      lines: [paint(lead, style) + field.line],
      ...(isChosen && { caretColumn: lead.length + field.caretColumn }),
    };
  }
  const label =
    entry === 'all' ? 'All the above' : entry === 'done' ? 'Done' : visibleText(option?.label ?? '');
  const said = screenReader && isChosen ? ', selected' : '';
  const detail = entry === 'option' && option?.description ? visibleText(option.description) : '';
  return {
    lines: [
      ...wrapText(label + said, width - lead.length).map((row, at) =>
        paint((at === 0 ? lead : indent) + row, style),
      ),
      ...(detail ? wrapText(detail, width - indent.length) : []).map(
        (row) => indent + paint(row, { color: theme.text.secondary }),
      ),
    ],
  };
}

function reviewLines(
  look: Look,
  state: AskState,
  questions: readonly Question[],
  { width, rows }: PageBox,
): string[] {
  const { paint, theme, screenReader } = look;
  const answers = questions.flatMap((question, at) => {
    const text = answerText(question, state.given[at]);
    const shown = text === undefined ? 'not answered' : visibleText(text);
    const arrow = screenReader ? ': ' : ' → ';
    return wrapText(`${visibleText(question.header)}${arrow}${shown}`, width).map((row) =>
      paint(row, { color: text === undefined ? theme.status.warning : theme.text.primary }),
    );
  });
  const all = ['Your answers:', ...answers];
  const room = Math.max(2, rows - 1);
  const cut = all.length <= room ? all : [...all.slice(0, room - 1), `… ${all.length - room + 1} more lines`];
  return [...cut, paint('Enter to send them', { color: theme.ui.focus, bold: true })];
}
