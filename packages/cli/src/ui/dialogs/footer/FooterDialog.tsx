/** Chooses the footer's items and their order. */
import { setting } from '@gemini-cli/core';
import { useState } from 'react';
import { DialogFrame } from '../../components/DialogFrame.js';
import { ErrorText } from '../../components/ErrorText.js';
import { FillBox } from '../../components/FillBox.js';
import { ToggleList } from '../../components/ToggleList.js';
import { useAction } from '../../components/use-action.js';
import { useDialogKeys } from '../../components/use-dialog-keys.js';
import { isCommand } from '../../keys/bindings.js';
import type { Key } from '../../keys/key.js';
import { letterOf } from '../../keys/key-scope.js';
import { DEFAULT_ITEMS } from '../../layout/footer.js';
import { cleanLine } from '../../text/clean.js';
import type { DialogProps } from '../dialog.js';

const ITEMS: ReadonlyMap<string, string> = new Map([
  ['workspace', 'the folder'],
  ['git-branch', 'branch or commit'],
  ['sandbox', 'how commands are confined'],
  ['model-name', 'the model in use'],
  ['context-used', 'how full the context window is'],
  ['quota', 'what is used of the quota'],
  ['memory-usage', 'memory of this program'],
  ['session-id', 'first characters of the session'],
  ['hostname', 'the machine'],
  ['auth', 'how you are signed in'],
  ['code-changes', 'lines added and removed'],
  ['token-count', 'tokens of this session'],
]);

interface State {
  /** All items, enabled ones first, in their order. */
  order: readonly string[];
  on: readonly string[];
  showLabels: boolean;
  /** The selected entry; the switch for labels is the last. */
  index: number;
}

export function FooterDialog({ services, close }: DialogProps) {
  const { settings, changeSetting } = services;
  const [state, setState] = useState<State>(() => ({
    ...withItems(setting(settings.merged, 'ui.footer.items') ?? DEFAULT_ITEMS, [...ITEMS.keys()]),
    showLabels: setting(settings.merged, 'ui.footer.showLabels'),
    index: 0,
  }));
  const saving = useAction();
  const { order, on, showLabels, index } = state;
  const save = async () => {
    await changeSetting(
      'user',
      'ui.footer.items',
      order.filter((id) => on.includes(id)),
    );
    await changeSetting('user', 'ui.footer.showLabels', showLabels);
    close();
  };
  useDialogKeys({
    onKey: (key) => {
      const next = changed(state, key);
      if (next) setState({ ...state, ...next });
      else if (isCommand(key, 'basic.cancel')) close();
      else if (isCommand(key, 'basic.confirm')) saving.run(save);
      else return false;
      return true;
    },
  });
  const toggles = [
    ...order.map((id) => ({ label: `${cleanLine(id)}: ${ITEMS.get(id) ?? ''}`, isOn: on.includes(id) })),
    { label: 'labels: a line of labels above the values', isOn: showLabels },
  ];
  return (
    <DialogFrame
      title="Footer"
      footer={{
        hints: ['Space to toggle', 'Enter to save', 'Esc to close', 'Left, Right to move', 'r to reset'],
      }}
    >
      <FillBox head={<ErrorText text={saving.problem} />}>
        <ToggleList toggles={toggles} index={index} />
      </FillBox>
    </DialogFrame>
  );
}

/** Undefined: the key is not used. */
function changed(state: State, key: Key): Partial<State> | undefined {
  const { order, showLabels, index } = state;
  const count = order.length + 1;
  const id = order[index];
  if (isCommand(key, 'nav.dialog.up')) return { index: (index - 1 + count) % count };
  if (isCommand(key, 'nav.dialog.down')) return { index: (index + 1) % count };
  if (isCommand(key, 'cursor.left')) return moved(state, index - 1);
  if (isCommand(key, 'cursor.right')) return moved(state, index + 1);
  if (letterOf(key) === ' ') return id === undefined ? { showLabels: !showLabels } : toggled(state, id);
  return letterOf(key) === 'r' ? withItems(DEFAULT_ITEMS, order) : undefined;
}

function withItems(on: readonly string[], all: readonly string[]): Pick<State, 'order' | 'on'> {
  return { on, order: [...on, ...all.filter((id) => !on.includes(id))] };
}

function toggled({ on }: State, id: string): Partial<State> {
  return { on: on.includes(id) ? on.filter((item) => item !== id) : [...on, id] };
}

function moved({ order, index }: State, target: number): Partial<State> {
  const [one, other] = [order[index], order[target]];
  if (one === undefined || other === undefined) return {};
  return { order: order.with(index, other).with(target, one), index: target };
}
