/** The prompts of the conversation, oldest first. */
import type { RewindTurn } from '@gemini-cli/core';
import { Text } from 'ink';
import { ErrorText } from '../../components/ErrorText.js';
import { Question } from '../../components/Question.js';
import type { RadioItem } from '../../components/RadioButtonSelect.js';
import { useAction } from '../../components/use-action.js';
import { isCommand } from '../../keys/bindings.js';
import { turnDetail, turnLabel } from './turn-text.js';

export interface TurnListProps {
  turns: readonly RewindTurn[];
  /** Selected at first; default: the last one. */
  initial?: RewindTurn | undefined;
  canGoForward: boolean;
  onSelect(turn: RewindTurn): void;
  onOpen(turn: RewindTurn): void;
  onForward(): Promise<void>;
  onClose(): void;
}

type Place = RewindTurn | 'forward' | 'stay';

export function TurnList({ turns, initial, canGoForward, ...on }: TurnListProps) {
  const forwarding = useAction();
  const items: RadioItem<Place>[] = [
    ...turns.map((turn) => ({ value: turn, label: turnLabel(turn), detail: turnDetail(turn) })),
    ...(canGoForward ? [{ value: 'forward' as const, label: 'Undo the last rewind' }] : []),
    { value: 'stay', label: 'Stay at current position' },
  ];
  return (
    <Question<Place>
      title="Rewind"
      footer={{
        primaryAction: 'Enter to select',
        cancelAction: 'Esc to close',
        hints: turns.length === 0 ? [] : ['Right to open'],
      }}
      items={items}
      initial={initial ?? turns.at(-1) ?? 'stay'}
      isActive={!forwarding.isRunning}
      onSelect={(place) => {
        if (place === 'stay') on.onClose();
        else if (place === 'forward') forwarding.run(on.onForward);
        else on.onSelect(place);
      }}
      onCancel={on.onClose}
      onKey={(key, place) => {
        if (!isCommand(key, 'cursor.right') || typeof place !== 'object') return false;
        on.onOpen(place);
        return true;
      }}
    >
      <ErrorText text={forwarding.problem} />
      {turns.length === 0 && <Text>There is no prompt to go back to yet.</Text>}
    </Question>
  );
}
