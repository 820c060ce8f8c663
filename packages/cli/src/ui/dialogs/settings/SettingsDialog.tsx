/** Settings to look at and to change, by scope. */
import { loadFrontEnd } from '@gemini-cli/core';
import { useEffect } from 'react';
import { type Caret, Frame } from '../../primitives/Frame.js';
import { innerHeight, innerWidth } from '../../primitives/frame-lines.js';
import { useDialogInput } from '../../primitives/use-dialog-input.js';
import { cleanLine } from '../../text/clean.js';
import { cutText, wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';
import { settingLines } from './setting-lines.js';
import { useSettings } from './use-settings.js';
import { type DialogSetting, SCOPES, shownSetting } from './values.js';

export interface SettingsProps {
  entries?: readonly DialogSetting[];
}

export function SettingsDialog({ services, props, close }: DialogProps<SettingsProps>) {
  const look = useLook();
  const { settings, height } = services;
  const state = useSettings({ services, entries: props.entries ?? [], close });
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once
  useEffect(() => {
    if (!props.entries) void loadFrontEnd().then(({ dialogSettings }) => state.setEntries(dialogSettings()));
  }, []);
  useDialogInput({ onKey: state.handle, onPaste: state.paste });

  const { paint, theme } = look;
  const width = innerWidth(look);
  const { focus, scope, index, message, needsRestart, found } = state;
  const search = state.search.draw({
    width: width - 10,
    placeholder: 'type to search',
    isFocused: focus === 'search',
  });
  const scopes = SCOPES.map(({ scope: name, label }) => (name === scope ? `[${label}]` : ` ${label} `)).join(
    ' ',
  );
  const head = [
    `Search: ${search.line}`,
    paint(cutText(look.screenReader ? `Scope: ${labelOf(scope)}` : scopes, width), {
      color: focus === 'scope' ? theme.ui.focus : theme.text.secondary,
      bold: focus === 'scope',
    }),
  ];
  const edited = state.edit.draw({
    width: width - 2,
    isFocused: focus === 'edit',
    placeholder: 'empty: not set',
  });
  const foot = [
    ...(focus === 'edit' ? [`> ${edited.line}`] : []),
    ...(message
      ? wrapText(cleanLine(message), width).map((row) => paint(row, { color: theme.status.error }))
      : []),
    ...(needsRestart
      ? wrapText('Some changes take effect with a restart. Press r to restart now.', width).map((row) =>
          paint(row, { color: theme.status.warning }),
        )
      : []),
  ];
  const rows = Math.max(1, innerHeight(look, height) - head.length - foot.length);
  const list =
    found.length > 0
      ? settingLines(
          look,
          found.map((entry) => ({ entry, shown: shownSetting(entry, settings, scope) })),
          { index, width, rows, isFocused: focus === 'list' || focus === 'edit' },
        )
      : ['Nothing matches.'];
  return (
    <Frame
      title="Settings"
      note={`${found.length}`}
      hint={HINTS[focus]}
      lines={[...head, ...list, ...foot]}
      height={height}
      caret={caretOf(
        focus,
        { search: search.caretColumn, edit: edited.caretColumn },
        head.length + list.length,
      )}
    />
  );
}

type Focus = ReturnType<typeof useSettings>['focus'];

const HINTS: Readonly<Record<Focus, readonly string[]>> = {
  list: ['Enter to change', 'Esc to close', 'Tab to move', '/ to search', 'Ctrl+L to reset'],
  search: ['Enter for the list', 'Esc to close', 'Tab to move'],
  scope: ['Left, Right to change', 'Esc to close', 'Tab to move'],
  edit: ['Enter to save', 'Esc to leave it'],
};

function labelOf(scope: string): string {
  return SCOPES.find((entry) => entry.scope === scope)?.label ?? '';
}

function caretOf(
  focus: Focus,
  columns: { search: number; edit: number },
  editRow: number,
): Caret | undefined {
  if (focus === 'search') return { row: 0, column: 'Search: '.length + columns.search };
  return focus === 'edit' ? { row: editRow, column: 2 + columns.edit } : undefined;
}
