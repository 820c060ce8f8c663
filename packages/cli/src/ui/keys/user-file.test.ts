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

it('adds and removes keys in the order of the file, comments and all', () => {
  const source = `[
    // mine
    { "command": "input.submit", "key": "ctrl+s" }, /* and */
    { "command": "-input.submit", "key": "enter" },
  ]`;
  expect(keys(source, 'input.submit')).toEqual(['ctrl+s']);
  expect(parseUserBindings(source).problems).toEqual([]);
});

it('uses what is right and tells the line of what is wrong', () => {
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
    'keybindings.json, line 8: "super" is no modifier; use ctrl, shift, alt or cmd.',
    'keybindings.json, line 9: "foo" is no key.',
  ]);
});

it('keeps the default keys when the file is no list', () => {
  expect(parseUserBindings('[\n{"command": ]')).toMatchObject({ problems: [{ line: 2 }] });
  expect(parseUserBindings('{}').problems).toHaveLength(1);
  expect(keys('{}', 'input.submit')).toEqual(['enter']);
  expect(parseUserBindings('  ').problems).toEqual([]);
});

it('removes every key of a command that is named without one', () => {
  expect(keys('[{"command": "-edit.undo"}]', 'edit.undo')).toEqual([]);
});

it('tells nothing that would reach the terminal as a command', () => {
  const [problem] = parseUserBindings('[{"command": "a\\u001b[31mb", "key": "x"}]').problems;
  expect(problem?.message).toBe('Unknown command "a[31mb".');
});

it('has the default keys without a file, and says when it cannot be read', () => {
  expect(readUserBindings('/no/such/file.json').problems).toEqual([]);
  expect(readUserBindings('/').problems).toHaveLength(1);
});
