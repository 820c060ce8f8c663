/** Shows the suggestions of auto memory: read each one, then apply, edit or discard it. */
import type { InboxGroup, InboxItem } from '@gemini-cli/core';
import { Text } from 'ink';
import { useState } from 'react';
import { Pager } from '../../components/Pager.js';
import { Paragraph } from '../../components/Paragraph.js';
import { Question } from '../../components/Question.js';
import { useLoaded } from '../../components/use-loaded.js';
import { cleanLine } from '../../text/clean.js';
import type { DialogProps } from '../dialog.js';
import { carryOut, type InboxPort } from './carry-out.js';
import { Suggestion } from './Suggestion.js';

export interface InboxProps {
  port?: InboxPort;
}

interface State {
  /** The list after the last action; undefined: no action yet. */
  groups?: readonly InboxGroup[];
  /** The open suggestion. */
  item?: InboxItem | undefined;
  message: string;
}

export function InboxDialog({ services, props, close }: DialogProps<InboxProps>) {
  const loaded = useLoaded(async () => {
    const port = props.port ?? (await services.config?.loadMemoryInbox());
    if (!port) throw new Error('The memory is not known before the program has started.');
    return { port, groups: await port.list() };
  });
  const [state, setState] = useState<State>({ message: '' });
  const [marked, setMarked] = useState<InboxItem>();
  const { item, message } = state;
  const { port } = loaded.value ?? {};
  const groups = state.groups ?? loaded.value?.groups ?? [];
  const note = cleanLine(message || loaded.problem);
  const noteText = note !== '' && <Paragraph text={note} />;
  const open = (next: InboxItem | undefined) => setState((last) => ({ ...last, item: next, message: '' }));
  if (!port || groups.length === 0)
    return (
      <Pager title="Memory inbox" onClose={() => close()}>
        {noteText}
        {loaded.isLoading && <Text>Looking…</Text>}
        {port && <Text>The inbox is empty.</Text>}
      </Pager>
    );
  if (item)
    return (
      <Suggestion
        key={item.id + item.version}
        item={item}
        message={message}
        onAction={async (action) => {
          const outcome = await carryOut(port, item, action, services);
          if (!outcome) return;
          const next = outcome.ok ? outcome.item : item;
          setState({ groups: await port.list(), item: next, message: outcome.message });
        }}
        onBack={() => open(undefined)}
      />
    );
  return (
    <Question
      title="Memory inbox"
      footer={{ primaryAction: 'Enter to preview', cancelAction: 'Esc to close' }}
      items={groups.flatMap(({ title, items }) =>
        items.map((value) => ({
          value,
          label: `${title}: ${cleanLine(value.title)}`,
          detail: `${value.problem === undefined ? '' : 'invalid · '}${cleanLine(value.subtitle)}`,
        })),
      )}
      initial={groups.flatMap(({ items }) => items).find(({ id }) => id === marked?.id)}
      onHighlight={setMarked}
      onSelect={open}
      onCancel={() => close()}
    >
      {noteText}
    </Question>
  );
}
