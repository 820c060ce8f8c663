/** Prints the tables of programs and variables for docs/policies.md. */
import { RISKY_VARIABLES } from '../variables/risky-variables.js';
import { list, type OptionTable, type Program } from './entry.js';
import { GIT_COMMON_OPTIONS, GIT_GLOBAL_OPTIONS, GIT_OPTIONS, GIT_RUNNERS } from './git.js';
import { PROGRAMS } from './table.js';

export function programsInMarkdown(): string {
  const looked = PROGRAMS.filter((program) => formsOf(program).length > 0);
  const anything = PROGRAMS.filter((program) => formsOf(program).length === 0 || program.runsAnything);
  return [
    '| Program | Asks under an allow rule, unless the rule names it |',
    '|---|---|',
    ...looked.map((program) => `| ${coded(list(program.names))} | ${formsOf(program).join(' ')} |`),
    '',
    `Git: ${optionsOf(GIT_GLOBAL_OPTIONS).join(' ')} before the subcommand; ${optionsOf(
      GIT_COMMON_OPTIONS,
    ).join(
      ' ',
    )} of any subcommand; ${gitOptions()}; addresses such as \`ext::…\`; \`config\` of anything but harmless settings of this`,
    `repository; the subcommands ${coded(GIT_RUNNERS.map((name) => name.replace(':', ' ')))}.`,
    '',
    `These run anything by nature, so "always" holds for the very words shown: ${coded(
      anything.flatMap(({ names }) => list(names)),
    )}, every program that is not known here, and all of the above in a form that asks.`,
  ].join('\n');
}

export function variablesInMarkdown(): string {
  const rows = RISKY_VARIABLES.map(({ what, names, starts, ends }) => {
    const all = [
      ...list(names),
      ...list(starts).map((name) => `${name}…`),
      ...list(ends).map((name) => `…${name}`),
    ];
    return `| ${what} | ${coded(all)} |`;
  });
  return ['| Variables that decide about | |', '|---|---|', ...rows].join('\n');
}

function gitOptions(): string {
  return Object.entries(GIT_OPTIONS)
    .map(([name, table]) => `${optionsOf(table).join(' ')} of \`${name}\``)
    .join(', ');
}

function formsOf(program: Program): string[] {
  const subcommands = list(program.subcommands).map((name) => `\`${name}\``);
  return [...optionsOf(program), ...subcommands, ...(program.also ? [program.also] : [])];
}

function optionsOf({ long, single, short = '' }: OptionTable): string[] {
  return [...list(long), ...list(single), ...[...short].map((letter) => `-${letter}`)].map(
    (option) => `\`${option}\``,
  );
}

function coded(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(' ');
}
