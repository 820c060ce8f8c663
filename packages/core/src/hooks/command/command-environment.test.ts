/** Variables of hooks, and the form of commands for PowerShell. */
import { describe, expect, it } from 'vitest';
import { commonEnvironment, forPowerShell, hookEnvironment, mayRunHere } from './command-environment.js';

const places = { projectDir: "C:\\it's", cwd: 'C:\\cwd', plansDir: undefined, sessionId: 's' };
const settings = { environmentRedaction: { enabled: false, allowed: [], blocked: [] } };
const config = (command: string) => ({ type: 'command' as const, command });
const environment = (command: string, variables: Record<string, string>) =>
  hookEnvironment(config(command), commonEnvironment({ variables, settings, isTrusted: true, places }));

it('replaces our variables for PowerShell by quoted values, and passes on the exit code', () => {
  expect(forPowerShell(`& $GEMINI_PROJECT_DIR/x.ps1 $GEMINI_CWD2 \${GEMINI_CWD} $env:PATH`, places)).toBe(
    "& 'C:\\it''s'/x.ps1 $GEMINI_CWD2 'C:\\cwd' $env:PATH; exit $LASTEXITCODE",
  );
});

describe('A hook that starts gemini', () => {
  it('does not run again in it, nor in what its hooks start; others do', () => {
    const first = environment('a', {});
    const inFirst = mayRunHere(first);
    expect([inFirst(config('a')), inFirst(config('b'))]).toEqual([false, true]);
    const inSecond = mayRunHere(environment('b', first));
    expect([inSecond(config('a')), inSecond(config('b')), inSecond(config('c'))]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('cannot nest without end', () => {
    let variables: Record<string, string> = {};
    for (let depth = 0; depth < 5; depth++) variables = environment(String(depth), variables);
    expect(mayRunHere(variables)(config('another'))).toBe(false);
  });
});

it('gives the credentials of the program only to hooks of trusted folders', () => {
  const variables = { GEMINI_API_KEY: 'k', PATH: '/bin' };
  const of = (isTrusted: boolean) => commonEnvironment({ variables, settings, isTrusted, places });
  expect([of(true)['GEMINI_API_KEY'], of(false)['GEMINI_API_KEY']]).toEqual(['k', undefined]);
});
