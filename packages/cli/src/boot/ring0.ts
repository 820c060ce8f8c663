/** Answers --help, --version and wrong command lines from the tables, before the engine is loaded. */
import { helpText, subcommandHelp } from '../command-line/help.js';
import { type CommandLine, parseCommandLine } from '../command-line/parse.js';
import { findSubcommand } from '../command-line/subcommands.js';

export type Decision =
  | { kind: 'print'; stream: 'stdout' | 'stderr'; text: string; exitCode: number }
  | { kind: 'run'; line: CommandLine };

export function decide(argv: readonly string[], version: string): Decision {
  const { line, problem } = parseCommandLine(argv);
  if (line.subcommand) return forSubcommand(line, line.subcommand, problem);
  if (line.flags.help) return answer(helpText());
  if (line.flags.version) return answer(`${version}\n`);
  if (problem !== undefined) return refuse(`${problem}\n\n${helpText()}`);
  return { kind: 'run', line };
}

function forSubcommand(
  line: CommandLine,
  { name, args }: { name: string; args: string[] },
  problem?: string,
): Decision {
  const command = findSubcommand(name);
  // After `--` come the arguments of another program.
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  const wantsHelp = own.includes('--help') || own.includes('-h');
  if (command && wantsHelp) return answer(subcommandHelp(command));
  if (problem !== undefined) return refuse(`${problem}\n\n${helpText()}`);
  if (command?.isAvailable) return { kind: 'run', line };
  return refuse(`gemini ${name} is not available yet: it comes with a later version.\n`);
}

function answer(text: string): Decision {
  return { kind: 'print', stream: 'stdout', text, exitCode: 0 };
}

/** The text may quote an argument of unknown origin, so it must not control the terminal. */
function refuse(text: string): Decision {
  const shown = text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd');
  return { kind: 'print', stream: 'stderr', text: shown, exitCode: 1 };
}
