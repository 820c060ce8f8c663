/** The lines of `/help`. */
import type { HelpView } from '../../history/item.js';
import type { Look } from '../look.js';
import { cleanLine } from '../text/clean.js';
import { narrower } from '../text/narrow.js';
import { span } from '../text/spans.js';
import { stylesOf } from '../themes/styles.js';
import { BOX_COLUMNS, boxed } from './box.js';
import { fieldLines, title, wrapLine } from './fields.js';

const BASICS: readonly [string, string][] = [
  ['@path', 'adds files or folders to the message, e.g. @src/app.ts'],
  ['!', 'runs shell commands, e.g. !git status; alone it switches shell mode on and off'],
  ['/', 'runs a command; Tab completes it'],
  ['?', 'shows the most useful keys; docs/keys.md has all of them'],
];

/** A newcomer sees the end first: the basics stand there. */
export function helpLines(help: HelpView, look: Look): string[] {
  const inner = narrower(look, BOX_COLUMNS);
  const section = (name: string, lines: string[]) =>
    lines.length > 0 ? [title(name, look), ...lines, ''] : [];
  const fields = (rows: readonly (readonly [string, string])[]) =>
    fieldLines(
      rows.map(([label, value]) => ({ label, value })),
      inner,
    );
  const groups = new Set(help.commands.map(({ group = 'Commands' }) => group));
  const lines = [
    ...[...groups].flatMap((name) =>
      section(
        name,
        help.commands
          .filter(({ group = 'Commands' }) => group === name)
          .flatMap((command) => commandLines(command, inner)),
      ),
    ),
    ...section('Keys', fields(help.keys.map(({ keys, action }) => [cleanLine(keys), action]))),
    ...section('Basics', fields(BASICS)),
  ];
  return boxed(lines.slice(0, -1), look);
}

function commandLines(command: HelpView['commands'][number], look: Look): string[] {
  const { name, altNames = [], description, subCommands = [] } = command;
  const styles = stylesOf(look.theme);
  const names = altNames.length > 0 ? `/${name} (${altNames.join(', ')})` : `/${name}`;
  const inner = subCommands.map((sub) => cleanLine(sub.name)).join(' · ');
  return [
    ...wrapLine(
      [span(cleanLine(names), styles.accentBold), span(`  ${cleanLine(description)}`, styles.primary)],
      look,
    ),
    ...(inner === '' ? [] : wrapLine([span(`    ${inner}`, styles.secondary)], look)),
  ];
}
