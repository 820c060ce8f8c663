/** The panel of `/mcp`: all servers with their state; Enter shows what one offers, Space enables or disables it. */
import { Text } from 'ink';
import { useEffect, useState } from 'react';
import { type McpServerRow, signInText, statusMark, statusText } from '../../../output/mcp-servers.js';
import { DialogFrame } from '../../components/DialogFrame.js';
import { ErrorText } from '../../components/ErrorText.js';
import { FillBox } from '../../components/FillBox.js';
import { entryRows, ListEntry, type ListEntryProps } from '../../components/ListEntry.js';
import { ListWindow } from '../../components/ListWindow.js';
import { useAction } from '../../components/use-action.js';
import { useDialogKeys } from '../../components/use-dialog-keys.js';
import { useLoaded } from '../../components/use-loaded.js';
import { isCommand } from '../../keys/bindings.js';
import { letterOf } from '../../keys/key-scope.js';
import { cleanLine } from '../../text/clean.js';
import { useLook } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';
import { type McpPort, mcpPort } from './port.js';
import { ServerPage } from './ServerPage.js';

export interface McpProps {
  port?: McpPort;
}

export function McpDialog({ services, props, close }: DialogProps<McpProps>) {
  const [port] = useState(() => props.port ?? mcpPort(services));
  const [index, setIndex] = useState(0);
  const [opened, setOpened] = useState<string>();
  const loaded = useLoaded(() => port.list());
  const rows = loaded.value ?? [];
  const { reload } = loaded;
  useEffect(() => port.onChange(reload), [port, reload]);
  const page = rows.find(({ name }) => name === opened);
  if (page) return <ServerPage row={page} onClose={() => setOpened(undefined)} />;
  return (
    <ServerList
      rows={rows}
      problem={loaded.problem}
      isLoading={loaded.isLoading}
      index={Math.min(index, Math.max(0, rows.length - 1))}
      port={port}
      onMove={setIndex}
      onOpen={setOpened}
      onClose={() => close()}
    />
  );
}

interface ServerListProps {
  rows: readonly McpServerRow[];
  problem: string;
  isLoading: boolean;
  index: number;
  port: McpPort;
  onMove(index: number): void;
  onOpen(name: string): void;
  onClose(): void;
}

function ServerList({ rows, problem, isLoading, index, port, onMove, onOpen, onClose }: ServerListProps) {
  const { width, screenReader } = useLook();
  const working = useAction();
  const chosen = rows[index];
  const move = (step: number) => onMove((index + step + rows.length) % Math.max(1, rows.length));
  const toggle = ({ name, status }: McpServerRow) =>
    working.run(async () => {
      const block = await port.setEnabled(name, status === 'disabled');
      if (block) throw new Error(block);
    });
  useDialogKeys({
    onKey: (key) => {
      if (isCommand(key, 'basic.cancel')) onClose();
      else if (isCommand(key, 'nav.dialog.up')) move(-1);
      else if (isCommand(key, 'nav.dialog.down')) move(1);
      else if (!chosen) return false;
      else if (isCommand(key, 'basic.confirm')) onOpen(chosen.name);
      else if (letterOf(key) === ' ') toggle(chosen);
      else if (letterOf(key) === 'r') working.run(() => port.restart(chosen.name));
      else return false;
      return true;
    },
  });
  const entry = (at: number) => entryOf(rows[at], at === index, screenReader);
  const ready = rows.filter(({ status }) => status === 'connected').length;
  return (
    <DialogFrame
      title="MCP servers"
      note={rows.length > 0 ? `${ready} of ${rows.length} connected` : undefined}
      footer={{
        primaryAction: 'Enter for details',
        cancelAction: 'Esc to close',
        hints: ['Space to enable or disable', 'r to restart'],
      }}
    >
      <FillBox head={<ErrorText text={working.problem || problem} />}>
        {rows.length === 0 ? (
          <Text>{isLoading ? 'Loading…' : 'No MCP servers configured.'}</Text>
        ) : (
          <ListWindow count={rows.length} rowsOf={(at) => entryRows(entry(at), width)} index={index}>
            {(at) => <ListEntry {...entry(at)} />}
          </ListWindow>
        )}
      </FillBox>
    </DialogFrame>
  );
}

function entryOf(row: McpServerRow | undefined, isChosen: boolean, screenReader: boolean): ListEntryProps {
  if (!row) return { lead: '', label: '', isChosen };
  const notes = [statusText(row), row.extension && `from ${row.extension}`, signInText(row)];
  const said = screenReader && isChosen ? ', selected' : '';
  return {
    lead: screenReader ? '' : `${isChosen ? '●' : ' '} ${statusMark(row)} `,
    label: `${cleanLine(row.name)}: ${cleanLine(notes.filter(Boolean).join(' · '))}${said}`,
    detail: cleanLine(row.reason ?? row.description ?? row.target),
    isChosen,
  };
}
