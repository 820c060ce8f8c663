/** Writes the help text from the tables of flags and subcommands. */
import { FLAGS, type FlagSpec } from './flags.js';
import { SUBCOMMANDS, type SubcommandSpec } from './subcommands.js';

const WIDTH = 100;
const COLUMN = 34;

export function helpText(): string {
  const lines = [
    'Usage: gemini [options] [query..]     ask, or start the interactive screen',
    '       gemini <command>               manage what the agent uses',
    '',
    'Commands:',
    ...SUBCOMMANDS.map((command) => entry(commandTitle(command), `${command.description}${later(command)}`)),
  ];
  const specs: readonly FlagSpec[] = FLAGS;
  for (const group of new Set(specs.map((flag) => flag.group))) {
    lines.push('', `${group}:`);
    for (const flag of specs) {
      if (flag.group === group && !flag.hidden) lines.push(entry(flagTitle(flag), flagText(flag)));
    }
  }
  lines.push(
    '',
    'Examples:',
    '  gemini -p "what does this project do?"',
    '  git diff | gemini -p "write a commit message" -o json',
    '  gemini --model offline -p "what does this project do?"     (needs no key)',
  );
  return `${lines.join('\n')}\n`;
}

export function subcommandHelp(command: SubcommandSpec): string {
  const lines = [`Usage: gemini ${commandTitle(command)}`, '', `${command.description}${later(command)}.`];
  if (command.verbs)
    lines.push('', 'Commands:', ...command.verbs.map((verb) => `  gemini ${command.name} ${verb}`));
  if (command.flags) lines.push('', 'Options:', ...command.flags.map(([flag, text]) => entry(flag, text)));
  return `${lines.join('\n')}\n`;
}

function later({ isAvailable }: SubcommandSpec): string {
  return isAvailable ? '' : ' (not available yet)';
}

function commandTitle(command: SubcommandSpec): string {
  return command.verbs ? `${command.name} <command>` : command.name;
}

function flagTitle(flag: FlagSpec): string {
  const short = flag.alias ? `-${flag.alias}, ` : '    ';
  const value = flag.value ? (flag.type === 'optional-string' ? ` [${flag.value}]` : ` <${flag.value}>`) : '';
  return `${short}--${flag.name}${value}`;
}

function flagText(flag: FlagSpec): string {
  const choices = flag.choices ? ` [${flag.choices.join(', ')}]` : '';
  const list = flag.type === 'list' ? ' Repeat it or separate by commas.' : '';
  return `${flag.description}${list}${choices}`;
}

/** One entry: the title in the first column, the text wrapped in the second. */
function entry(title: string, text: string): string {
  const indent = ' '.repeat(COLUMN);
  const lines = wrap(text, WIDTH - COLUMN);
  const head = `  ${title}`;
  if (head.length >= COLUMN) return [head, ...lines.map((line) => indent + line)].join('\n');
  return [head.padEnd(COLUMN) + (lines[0] ?? ''), ...lines.slice(1).map((line) => indent + line)].join('\n');
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
