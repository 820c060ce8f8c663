/** Shows the commands and keys. */
import { Text } from 'ink';
import type { HelpView } from '../../../history/item.js';
import { Pager } from '../../components/Pager.js';
import { Paragraph } from '../../components/Paragraph.js';
import { commandHelp } from '../../keys/bindings.js';
import { cleanLine } from '../../text/clean.js';
import { useTheme } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';

export interface HelpProps {
  help?: HelpView;
}

type Entry = readonly [name: string, text: string];

const BASICS: readonly Entry[] = [
  ['@path', 'adds files or folders to the message'],
  ['!', 'runs a shell command; alone it switches shell mode'],
  ['/', 'runs a command'],
];

export function HelpDialog({ props, close }: DialogProps<HelpProps>) {
  const { commands, keys } = props.help ?? { commands: [], keys: keysByDefault() };
  return (
    <Pager title="Help" onClose={() => close()}>
      <Section title="Basics" entries={BASICS} />
      {commands.length > 0 && <Section title="Commands" entries={commands.flatMap(commandEntries)} isNext />}
      <Section title="Keys" entries={keys.map((entry) => [entry.keys, entry.action])} isNext />
    </Pager>
  );
}

function Section(props: { title: string; entries: readonly Entry[]; isNext?: boolean }) {
  const { title, entries, isNext = false } = props;
  const theme = useTheme();
  return (
    <>
      {isNext && <Text> </Text>}
      <Text bold color={theme.text.accent}>
        {title}
      </Text>
      <Paragraph text={entries.map(([name, text]) => cleanLine(`${name}  ${text}`)).join('\n')} />
    </>
  );
}

function commandEntries({ name, description, subCommands = [] }: HelpView['commands'][number]): Entry[] {
  return [
    [`/${name}`, description],
    ...subCommands.map((sub): Entry => [`  ${name} ${sub.name}`, sub.description]),
  ];
}

function keysByDefault(): HelpView['keys'] {
  return commandHelp().map(({ keys, description }) => ({ keys: keys.join(', '), action: description }));
}
