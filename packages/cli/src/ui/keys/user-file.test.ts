import { expect, it } from 'vitest';
import { describeBindingProblem, parseUserBindings, readUserBindings } from './user-file.js';

const keys = (source: string, command: Parameters<typeof names>[1]) =>
  names(parseUserBindings(source), command);
function names(
  { bindings }: ReturnType<typeof parseUserBindings>,
  command: 'edit.undo' | 'input.submit',
): string[] {
  return (bindings.get(command) ?? []).map(({ name, ctrl }) => (ctrl ? `ctrl+${name}` : name));
}

it('keys are added and removed in the order of the file; comments are allowed', () => {
  const source = `[
    // mine
    { "command": "input.submit", "key": "ctrl+s" }, /* and */
    { "command": "-input.submit", "key": "enter" },
  ]`;
  expect(keys(source, 'input.submit')).toEqual(['ctrl+s']);
  expect(parseUserBindings(source).problems).toEqual([]);
});

it('right entries are used, wrong ones are reported with their line', () => {
  const source = `[
    { "command": "input.submit", "key": "ctrl+s" },
    { "command": "input.sumbit", "key": "x" },
    { "command": "edit.UNDO", "key": "x" },
    { "command": "edit.undo" },
    { "key": "x" },
    "edit.undo",
    { "command": "edit.undo", "key": "super+x" },
    { "command": "edit.undo", "key": "ctrl+foo" }
  ]`;
  const read = parseUserBindings(source);
  expect(names(read, 'input.submit')).toEqual(['ctrl+s', 'enter']);
  expect(read.problems.map((problem) => describeBindingProblem('keybindings.json', problem))).toEqual([
    'keybindings.json, line 3: Unknown command "input.sumbit".',
    'keybindings.json, line 4: Unknown command "edit.UNDO". Did you mean edit.undo?',
    'keybindings.json, line 5: The "key" of edit.undo is missing.',
    'keybindings.json, line 6: Its "command" is missing.',
    'keybindings.json, line 7: Expected {"command": …, "key": …}.',
    'keybindings.json, line 8: "super" is not a modifier; use ctrl, shift, alt or cmd.',
    'keybindings.json, line 9: "foo" is not a key.',
  ]);
});

it('the default keys stay when the file is not a list', () => {
  expect(parseUserBindings('[\n{"command": ]')).toMatchObject({ problems: [{ line: 2 }] });
  expect(parseUserBindings('{}').problems).toHaveLength(1);
  expect(keys('{}', 'input.submit')).toEqual(['enter']);
  expect(parseUserBindings('  ').problems).toEqual([]);
});

it('an entry without a key removes all keys of its command', () => {
  expect(keys('[{"command": "-edit.undo"}]', 'edit.undo')).toEqual([]);
});

it('messages contain no control characters', () => {
  const [problem] = parseUserBindings('[{"command": "a\\u001b[31mb", "key": "x"}]').problems;
  expect(problem?.message).toBe('Unknown command "a[31mb".');
});

it('the default keys are used without a file; a file that cannot be read is reported', () => {
  expect(readUserBindings('/no/such/file.json').problems).toEqual([]);
  expect(readUserBindings('/').problems).toHaveLength(1);
});
