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
];

export function helpLines(help: HelpView, look: Look): string[] {
  const inner = narrower(look, BOX_COLUMNS);
  const styles = stylesOf(look.theme);
  const commands = help.commands.flatMap(({ name, altNames, description, subCommands }) => {
    const names = altNames && altNames.length > 0 ? `/${name} (${altNames.join(', ')})` : `/${name}`;
    return [
      ...wrapLine(
        [span(cleanLine(names), styles.accentBold), span(`  ${cleanLine(description)}`, styles.primary)],
        inner,
      ),
      ...(subCommands ?? []).flatMap((sub) =>
        wrapLine(
          [
            span(`    ${cleanLine(sub.name)}`, styles.accent),
            span(`  ${cleanLine(sub.description)}`, styles.secondary),
          ],
          inner,
        ),
      ),
    ];
  });
  const section = (name: string, lines: string[]) =>
    lines.length > 0 ? [title(name, look), ...lines, ''] : [];
  const lines = [
    ...section(
      'Basics',
      fieldLines(
        BASICS.map(([label, value]) => ({ label, value })),
        inner,
      ),
    ),
    ...section('Commands', commands),
    ...section(
      'Keys',
      fieldLines(
        help.keys.map(({ keys, action }) => ({ label: cleanLine(keys), value: action })),
        inner,
      ),
    ),
  ];
  return boxed(lines.slice(0, -1), look);
}
