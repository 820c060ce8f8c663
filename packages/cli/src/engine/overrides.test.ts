import { expect, it } from 'vitest';
import { parseCommandLine } from '../command-line/parse.js';
import { overridesFrom } from './overrides.js';

const overridesOf = (...argv: string[]) => overridesFrom(parseCommandLine(argv).line.flags);

it('overridesFrom turns flags into overrides of the settings', () => {
  expect(
    overridesOf(
      '--max-time=1.5',
      '--max-cost=2',
      '--include-directories',
      'x,~/y',
      '--allowed-tools=a',
      '--policy=p.toml',
      '--skip-trust',
      '--resume=3',
    ),
  ).toMatchObject({
    maxTimeSeconds: 1.5,
    maxCost: 2,
    includeDirectories: ['x', '~/y'],
    allowedTools: ['a'],
    policyPaths: ['p.toml'],
    skipTrust: true,
    resume: '3',
  });
});

it('overridesFrom turns --yolo into an approval mode', () => {
  expect(overridesOf('-y').approvalMode).toBe('yolo');
  expect(overridesOf('--approval-mode=plan').approvalMode).toBe('plan');
  expect(overridesOf().approvalMode).toBeUndefined();
});

it('overridesFrom distinguishes strict fake responses from lax ones', () => {
  expect(overridesOf('--fake-responses', 'a.jsonl').fakeResponses).toEqual({ path: 'a.jsonl', strict: true });
  expect(overridesOf('--fake-responses-non-strict', 'b').fakeResponses).toEqual({ path: 'b', strict: false });
});
