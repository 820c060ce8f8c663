/** Shows and changes settings by scope. */
import { loadFrontEnd } from '@gemini-cli/core';
import type { DialogFooterProps } from '../../components/DialogFooter.js';
import { DialogFrame } from '../../components/DialogFrame.js';
import { ErrorText } from '../../components/ErrorText.js';
import { FillBox } from '../../components/FillBox.js';
import { Paragraph } from '../../components/Paragraph.js';
import { radioKey } from '../../components/radio-state.js';
import { Tabs } from '../../components/Tabs.js';
import { TextField } from '../../components/TextField.js';
import { useDialogKeys } from '../../components/use-dialog-keys.js';
import { useLoaded } from '../../components/use-loaded.js';
import { isCommand } from '../../keys/bindings.js';
import type { Key } from '../../keys/key.js';
import { letterOf } from '../../keys/key-scope.js';
import { useTheme } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';
import { SettingList } from './SettingList.js';
import { type Focus, useSettings } from './use-settings.js';
import { currentValue, type DialogSetting, SCOPES, type Scope, shownSetting, textOf } from './values.js';

export interface SettingsProps {
  entries?: readonly DialogSetting[];
  title?: string;
}

export function SettingsDialog({ services, props, close }: DialogProps<SettingsProps>) {
  const { settings } = services;
  const loaded = useLoaded(props.entries ? undefined : async () => (await loadFrontEnd()).dialogSettings());
  const state = useSettings(services, props.entries ?? loaded.value ?? []);
  const { focus, scope, found, index, chosen } = state;
  const theme = useTheme();
  const listKey = (key: Key): boolean => {
    const step = radioKey(
      { index, typed: '' },
      key,
      found.map(() => ({})),
      false,
    );
    if (step && !step.chosen) state.moveTo(step.state.index);
    else if (step && chosen) state.activate(chosen);
    else if (chosen && isCommand(key, 'app.clearScreen')) state.write(chosen, undefined);
    else if (state.needsRestart && isCommand(key, 'app.restart')) state.restart();
    else if (letterOf(key) === '/') state.focusOn('search');
    else if (letterOf(key) > ' ') state.beginSearch(letterOf(key));
    else return false;
    return true;
  };
  useDialogKeys({
    onKey: (key) => {
      if (focus === 'edit') return false;
      if (focus === 'search' && isCommand(key, 'basic.cancel')) state.beginSearch('');
      else if (isCommand(key, 'basic.cancel')) close();
      else if (isCommand(key, 'nav.dialog.next')) state.turn(1);
      else if (isCommand(key, 'nav.dialog.previous')) state.turn(-1);
      else return focus === 'list' && listKey(key);
      return true;
    },
  });
  const head = (
    <>
      <TextField
        key={state.begun.times}
        label="Search: "
        initial={state.begun.text}
        placeholder="type to search"
        isFocused={focus === 'search'}
        onChange={state.search}
        onSubmit={() => state.focusOn('list')}
        onKey={(key) => {
          const isDown = isCommand(key, 'nav.down');
          if (isDown) state.focusOn('list');
          return isDown;
        }}
      />
      <ScopeTabs scope={scope} isFocused={focus === 'scope'} onChange={state.changeScope} />
    </>
  );
  const foot = (
    <>
      {focus === 'edit' && chosen && (
        <TextField
          label="> "
          placeholder="empty: not set"
          initial={textOf(currentValue(chosen, settings, scope))}
          onSubmit={(text) => state.writeTyped(chosen, text)}
          onKey={(key) => {
            const isCancel = isCommand(key, 'basic.cancel');
            if (isCancel) state.focusOn('list');
            return isCancel;
          }}
        />
      )}
      <ErrorText text={state.problem || loaded.problem} />
      {state.needsRestart && (
        <Paragraph text="Some changes need a restart. Press r to restart now." color={theme.status.warning} />
      )}
    </>
  );
  return (
    <DialogFrame title={props.title ?? 'Settings'} note={`${found.length}`} footer={FOOTERS[focus]}>
      <FillBox head={head} foot={foot}>
        <SettingList
          entries={found}
          index={index}
          isFocused={focus === 'list' || focus === 'edit'}
          shown={(entry) => shownSetting(entry, settings, scope)}
        />
      </FillBox>
    </DialogFrame>
  );
}

const FOOTERS: Readonly<Record<Focus, DialogFooterProps>> = {
  list: {
    primaryAction: 'Enter to change',
    cancelAction: 'Esc to close',
    hints: ['Tab to move', 'type to search', 'Ctrl+L to reset'],
  },
  search: { primaryAction: 'Enter for the list', cancelAction: 'Esc to show all', hints: ['Tab to move'] },
  scope: { primaryAction: 'Left, Right to change', cancelAction: 'Esc to close', hints: ['Tab to move'] },
  edit: { primaryAction: 'Enter to save', cancelAction: 'Esc to cancel' },
};

interface ScopeTabsProps {
  scope: Scope;
  isFocused: boolean;
  onChange(scope: Scope): void;
}

function ScopeTabs({ scope, isFocused, onChange }: ScopeTabsProps) {
  const index = SCOPES.findIndex((entry) => entry.scope === scope);
  const move = (step: 1 | -1) => onChange(SCOPES.at((index + step) % SCOPES.length)?.scope ?? 'user');
  useDialogKeys(
    {
      onKey: (key) => {
        if (isCommand(key, 'cursor.left') || isCommand(key, 'nav.dialog.up')) move(-1);
        else if (NEXT_SCOPE.some((command) => isCommand(key, command))) move(1);
        else return false;
        return true;
      },
    },
    isFocused,
  );
  return <Tabs tabs={SCOPES} index={index} name="Scope" isFocused={isFocused} />;
}

const NEXT_SCOPE = ['cursor.right', 'nav.dialog.down', 'basic.confirm'] as const;
