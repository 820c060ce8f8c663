/** Commands and keys, to read. */
import type { HelpView } from '../../../history/item.js';
import { commandHelp } from '../../keys/bindings.js';
import { innerWidth } from '../../primitives/frame-lines.js';
import { Pager } from '../../primitives/Pager.js';
import { cleanLine } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';

export interface HelpProps {
  help?: HelpView;
}

export function HelpDialog({ services, props, close }: DialogProps<HelpProps>) {
  const look = useLook();
  const width = innerWidth(look);
  const { commands, keys } = props.help ?? { commands: [], keys: keysByDefault() };
  const heading = (text: string) => look.paint(text, { color: look.theme.text.accent, bold: true });
  const entry = (name: string, text: string) => wrapText(cleanLine(`${name}  ${text}`), width);
  const lines = [
    heading('Basics'),
    ...entry('@path', 'adds files or folders to the message'),
    ...entry('!', 'runs a shell command; alone it switches shell mode'),
    ...entry('/', 'runs a command'),
    ...(commands.length > 0 ? ['', heading('Commands')] : []),
    ...commands.flatMap(({ name, description, subCommands }) => [
      ...entry(`/${name}`, description),
      ...(subCommands ?? []).flatMap((sub) => entry(`  ${name} ${sub.name}`, sub.description)),
    ]),
    '',
    heading('Keys'),
    ...keys.flatMap(({ keys: names, action }) => entry(names, action)),
  ];
  return <Pager title="Help" lines={lines} height={services.height} onClose={() => close()} />;
}

function keysByDefault(): HelpView['keys'] {
  return commandHelp().map(({ keys, description }) => ({ keys: keys.join(', '), action: description }));
}
