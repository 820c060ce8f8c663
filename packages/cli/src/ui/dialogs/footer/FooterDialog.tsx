/** What the footer shows, and in which order. */
import { messageOf, setting } from '@gemini-cli/core';
import { isCommand } from '../../keys/bindings.js';
import type { Key } from '../../keys/key.js';
import { Frame } from '../../primitives/Frame.js';
import { innerHeight, innerWidth } from '../../primitives/frame-lines.js';
import { toggleLines } from '../../primitives/toggles.js';
import { letterOf, useDialogInput } from '../../primitives/use-dialog-input.js';
import { useLiveState } from '../../primitives/use-live-state.js';
import { cleanLine } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';

const ITEMS: readonly (readonly [id: string, about: string])[] = [
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
];
const USUAL = ['workspace', 'git-branch', 'sandbox', 'model-name', 'quota'];
const LABELS_ROW = 'labels';

interface State {
  /** Every item, those that are on first, in their order. */
  order: readonly string[];
  on: ReadonlySet<string>;
  showLabels: boolean;
  index: number;
  message: string;
}

export function FooterDialog({ services, close }: DialogProps) {
  const look = useLook();
  const { settings, height } = services;
  const state = useLiveState<State>(() => {
    const items = setting(settings.merged, 'ui.footer.items') ?? USUAL;
    const rest = ITEMS.map(([id]) => id).filter((id) => !items.some((item) => item === id));
    return {
      order: [...items, ...rest],
      on: new Set(items),
      showLabels: setting(settings.merged, 'ui.footer.showLabels'),
      index: 0,
      message: '',
    };
  });
  const change = (part: Partial<State>) => state.set({ ...state.now, ...part });
  const save = async () => {
    const { order, on, showLabels } = state.now;
    try {
      await services.changeSetting(
        'user',
        'ui.footer.items',
        order.filter((id) => on.has(id)),
      );
      await services.changeSetting('user', 'ui.footer.showLabels', showLabels);
      close();
    } catch (error) {
      change({ message: messageOf(error) });
    }
  };
  const onKey = (key: Key): boolean => {
    const { order, index } = state.now;
    const count = order.length + 1;
    const id = order[index];
    if (isCommand(key, 'basic.cancel')) close();
    else if (isCommand(key, 'basic.confirm')) void save();
    else if (isCommand(key, 'nav.dialog.up')) change({ index: (index - 1 + count) % count });
    else if (isCommand(key, 'nav.dialog.down')) change({ index: (index + 1) % count });
    else if (isCommand(key, 'cursor.left')) change(moved(state.now, -1));
    else if (isCommand(key, 'cursor.right')) change(moved(state.now, 1));
    else if (letterOf(key) === ' ')
      change(id === undefined ? { showLabels: !state.now.showLabels } : toggled(state.now, id));
    else if (letterOf(key) === 'r')
      change({ order: [...USUAL, ...order.filter((item) => !USUAL.includes(item))], on: new Set(USUAL) });
    else return false;
    return true;
  };
  useDialogInput({ onKey });
  const { order, on, showLabels, index, message } = state.now;
  const width = innerWidth(look);
  const problem = message
    ? wrapText(cleanLine(message), width).map((row) => look.paint(row, { color: look.theme.status.error }))
    : [];
  const about = new Map(ITEMS);
  const toggles = [
    ...order.map((id) => ({ label: `${cleanLine(id)}: ${about.get(id) ?? ''}`, isOn: on.has(id) })),
    { label: `${LABELS_ROW}: a line of labels above the values`, isOn: showLabels },
  ];
  const rows = innerHeight(look, height) - problem.length;
  return (
    <Frame
      title="Footer"
      hint={['Space to switch', 'Enter to save', 'Esc to close', 'Left, Right to move', 'r for the usual']}
      lines={[...problem, ...toggleLines(look, toggles, index, { width, rows })]}
      height={height}
    />
  );
}

function toggled({ on }: State, id: string): Partial<State> {
  const next = new Set(on);
  if (!next.delete(id)) next.add(id);
  return { on: next };
}

function moved({ order, index }: State, step: number): Partial<State> {
  const target = index + step;
  const [one, other] = [order[index], order[target]];
  if (one === undefined || other === undefined) return {};
  return { order: order.map((id, at) => (at === index ? other : at === target ? one : id)), index: target };
}
