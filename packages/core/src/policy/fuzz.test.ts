/** Judges random command lines that contain a denied command: none may be allowed, none may crash the judge. */
import { afterAll, expect, it } from 'vitest';
import { ApprovalMode } from '../protocol/confirmation.js';
import { policyLab, prefixRules, shell } from './policy-lab.test-helper.js';

/** `npm run test:fast` sets 200, `npm run test:attacks` 20,000; `ATTACK_FUZZ=100000` is the long series. */
const LINES = Number(process.env['ATTACK_FUZZ'] ?? 5000);
const { folder, withRules } = policyLab();
afterAll(() => folder.cleanup());

/** Returns the same numbers in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

const next = random(20_250_101);
const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;

const HARMLESS = [
  'ls',
  'echo hi',
  'git status',
  'cat a.txt',
  'true',
  'pwd',
  "echo 'a b'",
  'echo "x $Y"',
  'npm test',
  'grep -n x y',
  'sleep 1',
  'A=1',
  'head -n 3 f',
  'printf "%s" z',
  'cd src',
  '[ -f x ]',
];
const SPELLINGS = [
  'curl x',
  '"curl" x',
  "c'ur'l x",
  'cu\\rl x',
  "$'curl' x",
  '/usr/bin/curl x',
  './curl x',
  'curl',
  'A=b curl x',
  '>f curl x',
  'curl x 2>&1',
  "$'\\x63url' x",
  'cur""l x',
  '<f curl x',
  'curl -o "$(pwd)/y" x',
];
const SEPARATORS = [' && ', ' || ', ' ; ', ' | ', '\n', ' & ', ' |& ', '; \\\n'];
const single = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const double = (text: string) => `"${text.replace(/[\\"$`]/g, '\\$&')}"`;

const WRAPPERS: readonly ((inner: string) => string)[] = [
  (inner) => `env ${inner}`,
  (inner) => `env -i X=1 ${inner}`,
  (inner) => `sudo -u root ${inner}`,
  (inner) => `timeout 5 ${inner}`,
  (inner) => `timeout -s KILL 5 ${inner}`,
  (inner) => `nice -n 3 ${inner}`,
  (inner) => `nohup ${inner}`,
  (inner) => `setsid ${inner}`,
  (inner) => `command ${inner}`,
  (inner) => `exec ${inner}`,
  (inner) => `xargs -n 1 ${inner}`,
  (inner) => `stdbuf -oL ${inner}`,
  (inner) => `ionice -c 3 ${inner}`,
  (inner) => `flock lock ${inner}`,
  (inner) => `time ${inner}`,
  (inner) => `watch -n 2 ${inner}`,
  (inner) => `find . -exec ${inner} {} \\;`,
];
/** Wrappers that take any list of commands. */
const SHAPES: readonly ((inner: string) => string)[] = [
  (inner) => `bash -c ${single(inner)}`,
  (inner) => `sh -c ${double(inner)}`,
  (inner) => `eval ${single(inner)}`,
  (inner) => `(${inner})`,
  (inner) => `{ ${inner}\n}`,
  (inner) => `echo $( ${inner})`,
  (inner) => `echo "a $( ${inner}) b"`,
  (inner) => `X=$( ${inner})`,
  (inner) => `cat <(${inner})`,
  (inner) => `if true; then ${inner}\nfi`,
  (inner) => `for i in 1 2; do ${inner}\ndone`,
  (inner) => `while false; do ${inner}\ndone`,
  (inner) => `case a in a) ${inner}\n;; esac`,
  (inner) => `f() { ${inner}\n}; f`,
  (inner) => `cat <<EOF\n$( ${inner})\nEOF`,
  (inner) => `bash <<'EOT'\n${inner}\nEOT`,
  (inner) => `cat <<< "$( ${inner})"`,
  (inner) => `echo \${Y:-$( ${inner})}`,
  (inner) => `! { ${inner}\n}`,
  (inner) => `trap ${single(inner)} EXIT`,
  (inner) => `echo $((1 + $( ${inner})))`,
  // With a blank, because `$((x))` would be arithmetic.
  (inner) => `[[ -n $( ${inner}) ]]`,
];

function denied(depth: number): string {
  let text = pick(SPELLINGS);
  if (next() < 0.4 && /^["'$c/.]/.test(text)) text = pick(WRAPPERS)(text);
  for (let level = 0; level < depth; level++) {
    const parts = Array.from({ length: Math.floor(next() * 3) }, () => pick(HARMLESS));
    parts.splice(Math.floor(next() * (parts.length + 1)), 0, text);
    text = parts.reduce((left, right) => left + pick(SEPARATORS) + right);
    if (next() < 0.7) text = pick(SHAPES)(text);
  }
  return text;
}

/** Cuts, doubles or swaps a part; the judge must survive the nonsense. */
function mutate(text: string): string {
  const at = Math.floor(next() * text.length);
  const junk = pick([
    '"',
    "'",
    '`',
    '$(',
    ')',
    '\\',
    '\n',
    ';',
    '&',
    '|',
    '<<EOF\n',
    '{',
    '}',
    '#',
    '\0',
    '\r',
    '\u200b',
    '$X',
    '*',
    '>(',
    '=',
    '!',
  ]);
  return text.slice(0, at) + junk + text.slice(at + Math.floor(next() * 2));
}

it(`none of ${LINES} lines that run a denied command is allowed`, {
  timeout: 120_000 + LINES * 5,
}, async () => {
  const rules =
    prefixRules('deny', ['curl'], 500) +
    prefixRules('allow', ['echo', 'git', 'npm', 'ls', 'env', 'bash', 'find', 'sudo'], 100);
  const engines = [await withRules(rules), await withRules(rules, { approvalMode: ApprovalMode.YOLO })];
  const allowed: string[] = [];
  let refused = 0;
  for (let line = 0; line < LINES; line++) {
    const command = denied(Math.floor(next() * 4));
    const decision = await shell(engines[line % 2] as never, command);
    if (decision === 'allow') allowed.push(command);
    if (decision === 'deny') refused++;
  }
  expect(allowed).toEqual([]);
  // A line that cannot be parsed asks instead; nearly all can be parsed.
  expect(refused).toBeGreaterThan(LINES * 0.95);
});

it('the judge decides broken lines, too', { timeout: 60_000 }, async () => {
  const engine = await withRules(prefixRules('deny', ['curl'], 500));
  for (let line = 0; line < Math.min(3000, LINES); line++) {
    let command = denied(1);
    for (let times = 0; times < 3; times++) command = mutate(command);
    expect(['allow', 'ask_user', 'deny']).toContain(await shell(engine, command));
  }
});

it('the judge finds the deciding rule among 1,000', async () => {
  const prefixes = Array.from({ length: 1000 }, (_, index) => `tool${index} sub`);
  const engine = await withRules(prefixRules('allow', prefixes));
  expect(await shell(engine, 'tool999 sub x')).toBe('allow');
});
