import { describe, expect, it } from 'vitest';
import { FLAGS, type FlagSpec } from '../command-line/flags.js';
import { helpText } from '../command-line/help.js';
import { SUBCOMMANDS } from '../command-line/subcommands.js';
import { decide } from './ring0.js';

const decideFor = (...argv: string[]) => decide(argv, '1.2.3');

describe('decide, without the engine', () => {
  it('prints version and help on stdout, even if other arguments are wrong', () => {
    const version = { kind: 'print', stream: 'stdout', text: '1.2.3\n', exitCode: 0 };
    const help = { kind: 'print', stream: 'stdout', text: helpText(), exitCode: 0 };
    expect(decideFor('-v')).toEqual(version);
    expect(decideFor('--version', '--bogus')).toEqual(version);
    expect(decideFor('-h')).toEqual(help);
    expect(decideFor('--help', '-p', 'a', 'b')).toEqual(help);
    expect(decideFor('-p', '-h')).toEqual(help);
  });

  it('prints the problem, then the whole help, on stderr and ends with 1', () => {
    expect(decideFor('--bogus')).toEqual({
      kind: 'print',
      stream: 'stderr',
      text: `Unknown argument: bogus\n\n${helpText()}`,
      exitCode: 1,
    });
  });

  it('lists every visible flag and every subcommand in the help, and no hidden one', () => {
    const specs: readonly FlagSpec[] = FLAGS;
    const text = helpText();
    for (const { name, hidden } of specs) {
      const listed = new RegExp(`--${name}(?![\\w-])`).test(text);
      expect({ name, listed }).toEqual({ name, listed: !hidden });
    }
    for (const { name } of SUBCOMMANDS) expect(text).toContain(`\n  ${name}`);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });
});

describe('decide, for runs and for features that are not available yet', () => {
  it.each([['--acp'], ['--experimental-acp']])('runs with %s, which editors use', (...argv) => {
    expect(decideFor(...argv).kind).toBe('run');
  });

  it('allows plain tool names, not narrowed ones', () => {
    expect(decideFor('--allowed-tools', 'write_file,replace', '-p', 'x').kind).toBe('run');
    expect(decideFor('--allowed-tools', 'run_shell_command(git)', '-p', 'x').kind).toBe('run');
  });

  it('refuses every subcommand that is not available yet, and shows the help of all', () => {
    for (const { name, aliases = [], isAvailable } of SUBCOMMANDS) {
      for (const word of [name, ...aliases]) {
        expect(decideFor(word, '-h')).toMatchObject({ stream: 'stdout', exitCode: 0 });
        if (isAvailable) continue;
        expect(decideFor(word, 'list', '--scope', 'user')).toEqual({
          kind: 'print',
          stream: 'stderr',
          text: `gemini ${name} is not available yet: it comes with a later version.\n`,
          exitCode: 1,
        });
      }
    }
  });

  it('passes the arguments of an available subcommand on unread', () => {
    expect(decideFor('doctor', '--json')).toEqual({
      kind: 'run',
      line: { flags: {}, query: [], subcommand: { name: 'doctor', args: ['--json'] } },
    });
  });
});
