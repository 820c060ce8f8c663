/** The public extensions: typing searches, Enter shows one, and from there it can be installed. Closes with its address. */
import type { GalleryEntry } from '@gemini-cli/core';
import { Text } from 'ink';
import { useMemo, useState } from 'react';
import { rankBy } from '../../../completion/fuzzy.js';
import { DialogFrame } from '../../components/DialogFrame.js';
import { ErrorText } from '../../components/ErrorText.js';
import { FillBox } from '../../components/FillBox.js';
import { entryRows, ListEntry, type ListEntryProps } from '../../components/ListEntry.js';
import { ListWindow } from '../../components/ListWindow.js';
import { TextField } from '../../components/TextField.js';
import { useLoaded } from '../../components/use-loaded.js';
import { isCommand } from '../../keys/bindings.js';
import { cleanLine } from '../../text/clean.js';
import { useLook } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';
import { GalleryPage } from './GalleryPage.js';
import { type GalleryPort, galleryPort } from './port.js';

export interface GalleryProps {
  port?: GalleryPort;
}

interface Shown {
  entries: readonly GalleryEntry[];
  installed: ReadonlySet<string>;
}

export function GalleryDialog({ services, props, close }: DialogProps<GalleryProps, string>) {
  const [port] = useState(() => props.port ?? galleryPort(services));
  const [query, setQuery] = useState('');
  const [index, setIndex] = useState(0);
  const [opened, setOpened] = useState<GalleryEntry>();
  const loaded = useLoaded(
    async (signal): Promise<Shown> => ({
      entries: await port.entries(signal),
      installed: await port.installed(),
    }),
    { keysWait: false },
  );
  const { entries = [], installed = new Set<string>() } = loaded.value ?? {};
  const isInstalled = ({ extensionName }: GalleryEntry) => installed.has(extensionName.toLowerCase());
  if (opened)
    return (
      <GalleryPage
        entry={opened}
        isInstalled={isInstalled(opened)}
        onInstall={() => close(opened.url)}
        onOpenUrl={() => void services.openUrl(opened.url)}
        onBack={() => setOpened(undefined)}
      />
    );
  return (
    <GalleryList
      entries={entries}
      isInstalled={isInstalled}
      problem={loaded.problem}
      isLoading={loaded.isLoading}
      query={query}
      index={index}
      onQuery={(text) => {
        setQuery(text);
        setIndex(0);
      }}
      onMove={setIndex}
      onOpen={setOpened}
      onClose={() => close()}
    />
  );
}

interface GalleryListProps {
  entries: readonly GalleryEntry[];
  isInstalled(entry: GalleryEntry): boolean;
  problem: string;
  isLoading: boolean;
  query: string;
  index: number;
  onQuery(text: string): void;
  onMove(index: number): void;
  onOpen(entry: GalleryEntry): void;
  onClose(): void;
}

function GalleryList(props: GalleryListProps) {
  const { entries, isInstalled, problem, isLoading, query, index, onQuery, onMove, onOpen, onClose } = props;
  const { width, screenReader } = useLook();
  const found = useMemo(
    () =>
      rankBy(query, entries, ({ extensionName, extensionDescription, repoDescription, fullName }) => [
        extensionName,
        fullName,
        extensionDescription || repoDescription,
      ]),
    [query, entries],
  );
  const chosen = found[index];
  const move = (step: number) => onMove((index + step + found.length) % Math.max(1, found.length));
  const entry = (at: number) => entryOf(found[at], at === index, isInstalled, screenReader);
  const field = (
    <TextField
      label="Search: "
      initial={query}
      placeholder="name or description"
      onChange={onQuery}
      onKey={(key) => {
        if (isCommand(key, 'basic.cancel')) onClose();
        else if (isCommand(key, 'nav.dialog.up')) move(-1);
        else if (isCommand(key, 'nav.dialog.down')) move(1);
        else if (isCommand(key, 'basic.confirm')) {
          if (chosen) onOpen(chosen);
        } else return false;
        return true;
      }}
    />
  );
  return (
    <DialogFrame
      title="Extensions gallery"
      note={entries.length > 0 ? `${found.length} of ${entries.length}` : undefined}
      footer={{ primaryAction: 'Enter for details', cancelAction: 'Esc to close', hints: ['type to search'] }}
    >
      <FillBox
        head={
          <>
            {field}
            <ErrorText text={problem} />
          </>
        }
      >
        {found.length === 0 ? (
          <Text>{isLoading ? 'Reading the list…' : problem === '' ? 'No extension fits.' : ''}</Text>
        ) : (
          <ListWindow count={found.length} rowsOf={(at) => entryRows(entry(at), width)} index={index}>
            {(at) => <ListEntry {...entry(at)} />}
          </ListWindow>
        )}
      </FillBox>
    </DialogFrame>
  );
}

function entryOf(
  entry: GalleryEntry | undefined,
  isChosen: boolean,
  isInstalled: (entry: GalleryEntry) => boolean,
  screenReader: boolean,
): ListEntryProps {
  if (!entry) return { lead: '', label: '', isChosen };
  const { extensionName, extensionVersion, fullName, stars, extensionDescription, repoDescription } = entry;
  const notes = [fullName, stars > 0 && `${stars} stars`, isInstalled(entry) && 'installed'].filter(Boolean);
  const said = screenReader && isChosen ? ', selected' : '';
  const title = [extensionName, extensionVersion].filter(Boolean).join(' ');
  return {
    lead: screenReader ? '' : `${isChosen ? '●' : ' '} `,
    label: `${cleanLine(title)}: ${cleanLine(notes.join(' · '))}${said}`,
    detail: cleanLine(extensionDescription || repoDescription),
    isChosen,
  };
}
