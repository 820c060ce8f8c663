/** A list of things that are on or off. Which one is marked, and what keys do, is for the dialog to say. */
import { useLook } from '../use-look.js';
import { entryRows, ListEntry, type ListEntryProps } from './ListEntry.js';
import { ListWindow } from './ListWindow.js';

export interface Toggle {
  label: string;
  detail?: string | undefined;
  isOn: boolean;
}

export interface ToggleListProps {
  toggles: readonly Toggle[];
  index: number;
  rows?: number | undefined;
}

export function ToggleList({ toggles, index, rows }: ToggleListProps) {
  const { width, screenReader } = useLook();
  const entry = (at: number): ListEntryProps => {
    const { label = '', detail, isOn = false } = toggles[at] ?? {};
    const isChosen = at === index;
    const said = screenReader ? `, ${isOn ? 'on' : 'off'}${isChosen ? ', selected' : ''}` : '';
    return {
      lead: screenReader ? '' : `${isChosen ? '●' : ' '} ${isOn ? '[x]' : '[ ]'} `,
      label: label + said,
      detail,
      isChosen,
    };
  };
  return (
    <ListWindow count={toggles.length} rowsOf={(at) => entryRows(entry(at), width)} index={index} rows={rows}>
      {(at) => <ListEntry {...entry(at)} />}
    </ListWindow>
  );
}
