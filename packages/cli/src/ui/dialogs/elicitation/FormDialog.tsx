/** The form of an MCP server: one row per field, then the answers. */
import type { ElicitationAnswer, FormField } from '@gemini-cli/core';
import { Box, Text } from 'ink';
import { useState } from 'react';
import { DialogFrame } from '../../components/DialogFrame.js';
import { ErrorText } from '../../components/ErrorText.js';
import { FillBox } from '../../components/FillBox.js';
import { entryRows, ListEntry, type ListEntryProps } from '../../components/ListEntry.js';
import { ListWindow } from '../../components/ListWindow.js';
import { Paragraph } from '../../components/Paragraph.js';
import { Room, useRoom } from '../../components/Room.js';
import { TextField } from '../../components/TextField.js';
import { useDialogKeys } from '../../components/use-dialog-keys.js';
import { isCommand } from '../../keys/bindings.js';
import { letterOf } from '../../keys/key-scope.js';
import { cleanLine, cleanText } from '../../text/clean.js';
import { useLook, useTheme } from '../../use-look.js';
import {
  contentOf,
  type Draft,
  draftOf,
  type FormRow,
  listOf,
  problemIn,
  rowsOf,
  stepped,
  withValue,
} from './form-state.js';

export interface FormDialogProps {
  serverName: string;
  message: string;
  fields: readonly FormField[];
  close(answer: ElicitationAnswer): void;
}

export function FormDialog({ serverName, message, fields, close }: FormDialogProps) {
  const [rows] = useState(() => rowsOf(fields));
  const [draft, setDraft] = useState(() => draftOf(fields));
  const [index, setIndex] = useState(0);
  const [problem, setProblem] = useState('');
  const theme = useTheme();
  const row = rows[index];
  const move = (step: number) => setIndex((index + step + rows.length) % rows.length);
  const change = (next: Draft) => {
    setDraft(next);
    setProblem('');
  };
  const submit = () => {
    const found = problemIn(fields, draft);
    if (!found) return close({ action: 'accept', content: contentOf(fields, draft) });
    setProblem(`${cleanLine(found.field.title)}: ${found.problem}`);
    setIndex(
      Math.max(
        0,
        rows.findIndex((item) => 'field' in item && item.field === found.field),
      ),
    );
  };
  const step = (by: 1 | -1) => {
    const next = row && stepped(row, draft, by);
    if (next) change(next);
    return next !== undefined;
  };
  useDialogKeys({
    onKey: (key) => {
      if (isCommand(key, 'basic.cancel')) close({ action: 'cancel' });
      else if (key.name === 'tab') move(key.shift ? -1 : 1);
      else if (isCommand(key, 'nav.dialog.up') || key.name === 'up') move(-1);
      else if (isCommand(key, 'nav.dialog.down') || key.name === 'down') move(1);
      else if (key.name === 'left') return step(-1);
      else if (key.name === 'right' || letterOf(key) === ' ') return step(1);
      else if (!isCommand(key, 'basic.confirm')) return false;
      else if (row?.kind === 'submit') submit();
      else if (row?.kind === 'decline') close({ action: 'decline' });
      else move(1);
      return true;
    },
  });
  const about = row && 'field' in row ? cleanLine(row.field.description ?? '') : '';
  return (
    <DialogFrame
      title={`Form of the MCP server ${cleanLine(serverName)}`}
      tone="warning"
      footer={{
        primaryAction: 'Enter for the next',
        cancelAction: 'Esc to cancel',
        hints: ['Space to change'],
      }}
    >
      <FillBox
        head={
          <>
            <Paragraph text={cleanText(message)} />
            <ErrorText text={problem} />
          </>
        }
        foot={about === '' ? null : <Paragraph text={about} color={theme.text.secondary} />}
      >
        <Rows
          rows={rows}
          draft={draft}
          index={index}
          onType={(name, text) => change(withValue(draft, name, text))}
        />
      </FillBox>
    </DialogFrame>
  );
}

interface RowsProps {
  rows: readonly FormRow[];
  draft: Draft;
  index: number;
  onType(name: string, text: string): void;
}

function Rows({ rows, draft, index, onType }: RowsProps) {
  const { width, screenReader } = useLook();
  const entry = (at: number) => entryOf(rows[at], draft, at === index, screenReader);
  const isTyped = (at: number) => typedField(rows[at]) !== undefined;
  return (
    <ListWindow
      count={rows.length}
      rowsOf={(at) => (isTyped(at) ? 1 : entryRows(entry(at), width))}
      index={index}
    >
      {(at) => {
        const field = typedField(rows[at]);
        if (!field) return <ListEntry {...entry(at)} />;
        return (
          <TypedRow
            label={`${entry(at).lead}${entry(at).label} `}
            initial={String(draft.get(field.name) ?? '')}
            isChosen={at === index}
            onType={(text) => onType(field.name, text)}
          />
        );
      }}
    </ListWindow>
  );
}

const LONGEST_LABEL = 40;

function TypedRow(props: { label: string; initial: string; isChosen: boolean; onType(text: string): void }) {
  const { initial, isChosen, onType } = props;
  const { width } = useRoom();
  const theme = useTheme();
  const most = Math.max(4, Math.min(LONGEST_LABEL, Math.floor(width / 2)));
  const label = props.label.length > most ? `${props.label.slice(0, most - 2)}… ` : props.label;
  return (
    <Box flexShrink={0}>
      <Text color={isChosen ? theme.ui.focus : theme.text.primary} bold={isChosen} wrap="truncate">
        {label}
      </Text>
      <Room width={Math.max(1, width - label.length)} rows={1}>
        <TextField initial={initial} isFocused={isChosen} onChange={onType} />
      </Room>
    </Box>
  );
}

function typedField(row: FormRow | undefined) {
  const isTyped = row?.kind === 'field' && (row.field.type === 'text' || row.field.type === 'number');
  return isTyped ? row.field : undefined;
}

function entryOf(
  row: FormRow | undefined,
  draft: Draft,
  isChosen: boolean,
  screenReader: boolean,
): ListEntryProps {
  const said = screenReader && isChosen ? ', selected' : '';
  return {
    lead: screenReader ? '' : isChosen ? '● ' : '  ',
    label: row ? `${labelOf(row, draft)}${said}` : '',
    isChosen,
  };
}

function labelOf(row: FormRow, draft: Draft): string {
  if (row.kind === 'submit') return 'Send';
  if (row.kind === 'decline') return 'Decline';
  const title = `${cleanLine(row.field.title)}${row.field.required ? ' (required)' : ''}:`;
  const value = draft.get(row.field.name);
  if (row.kind === 'option') {
    const tick = listOf(value).includes(row.option.value) ? '[x]' : '[ ]';
    return `${title} ${tick} ${cleanLine(row.option.label)}`;
  }
  if (row.field.type === 'boolean')
    return `${title} ${value === undefined ? 'not answered' : value ? 'yes' : 'no'}`;
  if (row.field.type !== 'choice') return title;
  const option = row.field.options.find((item) => item.value === value);
  return `${title} ${option ? cleanLine(option.label) : 'nothing chosen'}`;
}
