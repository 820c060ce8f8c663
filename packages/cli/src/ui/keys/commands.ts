/** Every command that a key can run, with its default keys. Help and docs/keys.md are compared with this table. */

export type CommandGroup =
  | 'Basics'
  | 'Cursor'
  | 'Editing'
  | 'Scrolling'
  | 'History'
  | 'Lists'
  | 'Suggestions'
  | 'Input'
  | 'App'
  | 'Background tasks'
  | 'Extensions';

interface CommandEntry {
  group: CommandGroup;
  /** `+` between modifiers and the base key. */
  keys: readonly string[];
  description: string;
  isReserved?: true;
}

const entry = (group: CommandGroup, keys: string, description: string): CommandEntry => ({
  group,
  keys: keys === '' ? [] : keys.split(' '),
  description,
});

/** Does nothing here: the name is valid in a user's file, and is listed nowhere. */
const reserved = (group: CommandGroup, keys: string): CommandEntry => ({
  ...entry(group, keys, ''),
  isReserved: true,
});

export const COMMANDS = {
  'basic.confirm': entry('Basics', 'enter', 'Confirm the choice'),
  'basic.cancel': entry('Basics', 'escape ctrl+[', 'Close a dialog or cancel the request'),
  'basic.quit': entry('Basics', 'ctrl+c', 'Clear the input or cancel; twice: quit'),
  'basic.exit': entry('Basics', 'ctrl+d', 'Twice on an empty input: quit'),

  'cursor.home': entry('Cursor', 'ctrl+a home', 'To the start of the line'),
  'cursor.end': entry('Cursor', 'ctrl+e end', 'To the end of the line'),
  'cursor.up': entry('Cursor', 'up', 'Up one line'),
  'cursor.down': entry('Cursor', 'down', 'Down one line'),
  'cursor.left': entry('Cursor', 'left', 'Left'),
  'cursor.right': entry('Cursor', 'right ctrl+f', 'Right'),
  'cursor.wordLeft': entry('Cursor', 'ctrl+left alt+left alt+b', 'One word to the left'),
  'cursor.wordRight': entry('Cursor', 'ctrl+right alt+right alt+f', 'One word to the right'),

  'edit.deleteRightAll': entry('Editing', 'ctrl+k', 'Cut to the end of the line'),
  'edit.deleteLeftAll': entry('Editing', 'ctrl+u', 'Cut to the start of the line'),
  'edit.clear': entry('Editing', 'ctrl+c', 'Clear the input'),
  'edit.deleteWordLeft': entry('Editing', 'ctrl+backspace alt+backspace ctrl+w', 'Cut the word before'),
  'edit.deleteWordRight': entry('Editing', 'ctrl+delete alt+delete alt+d', 'Cut the word after'),
  'edit.deleteLeft': entry('Editing', 'backspace ctrl+h', 'Delete the character before'),
  'edit.deleteRight': entry('Editing', 'delete ctrl+d', 'Delete the character after'),
  'edit.yank': entry('Editing', 'alt+y', 'Insert the last cut; again: the cut before it'),
  'edit.undo': entry('Editing', 'ctrl+z alt+z cmd+z', 'Undo'),
  'edit.redo': entry('Editing', 'ctrl+shift+z shift+cmd+z alt+shift+z', 'Redo'),

  'scroll.up': entry('Scrolling', 'shift+up', 'Scroll up'),
  'scroll.down': entry('Scrolling', 'shift+down', 'Scroll down'),
  'scroll.home': entry('Scrolling', 'ctrl+home shift+home', 'Scroll to the top'),
  'scroll.end': entry('Scrolling', 'ctrl+end shift+end', 'Scroll to the end'),
  'scroll.pageUp': entry('Scrolling', 'pageup', 'Scroll up one page'),
  'scroll.pageDown': entry('Scrolling', 'pagedown', 'Scroll down one page'),

  'history.previous': entry('History', 'ctrl+p', 'Previous prompt'),
  'history.next': entry('History', 'ctrl+n', 'Next prompt'),
  'history.search.start': entry('History', 'ctrl+r', 'Search earlier prompts'),
  'history.search.submit': entry('History', 'enter', 'Send the prompt found'),
  'history.search.accept': entry('History', 'tab', 'Take the prompt found into the input'),

  'nav.up': entry('Lists', 'up', 'Up in a list'),
  'nav.down': entry('Lists', 'down', 'Down in a list'),
  'nav.dialog.up': entry('Lists', 'up k', 'Up in a dialog'),
  'nav.dialog.down': entry('Lists', 'down j', 'Down in a dialog'),
  'nav.dialog.next': entry('Lists', 'tab', 'Next section of a dialog'),
  'nav.dialog.previous': entry('Lists', 'shift+tab', 'Previous section of a dialog'),

  'suggest.accept': entry('Suggestions', 'tab enter', 'Take the suggestion'),
  'suggest.focusPrevious': entry('Suggestions', 'up ctrl+p', 'Previous suggestion'),
  'suggest.focusNext': entry('Suggestions', 'down ctrl+n', 'Next suggestion'),
  'suggest.expand': entry('Suggestions', 'right', 'Show all of a long suggestion'),
  'suggest.collapse': entry('Suggestions', 'left', 'Shorten it again'),

  'input.submit': entry('Input', 'enter', 'Send'),
  'input.queueMessage': entry('Input', 'tab', 'Send when the model is done'),
  'input.newline': entry('Input', 'ctrl+enter cmd+enter alt+enter shift+enter ctrl+j', 'New line'),
  'input.openExternalEditor': entry('Input', 'ctrl+g ctrl+shift+g', 'Edit the prompt in your editor'),
  'input.deprecatedOpenExternalEditor': entry('Input', 'ctrl+x', 'Same (old key)'),
  'input.paste': entry('Input', 'ctrl+v cmd+v alt+v', 'Paste text or an image'),

  'app.showErrorDetails': entry('App', 'f12', 'Debug console'),
  'app.showFullTodos': entry('App', 'ctrl+t', 'All todos'),
  'app.showIdeContextDetail': entry('App', 'f4', 'Files open in the editor'),
  'app.toggleMarkdown': entry('App', 'alt+m', 'Toggle raw Markdown'),
  'app.toggleCopyMode': entry('App', 'f9', 'Freeze the screen for copying'),
  'app.toggleMouseMode': entry('App', 'ctrl+s', 'Toggle mouse capture'),
  'app.toggleYolo': entry('App', 'ctrl+y', 'Toggle YOLO (approve everything)'),
  'app.cycleApprovalMode': entry('App', 'shift+tab', 'Next approval mode'),
  'app.showMoreLines': entry('App', 'ctrl+o', 'Show or hide long output'),
  'app.expandPaste': entry('App', 'ctrl+o', 'Show or hide pasted text, on its placeholder'),
  'app.focusShellInput': entry('App', 'tab', 'Type into the running command'),
  'app.unfocusShellInput': entry('App', 'shift+tab', 'Stop typing into the running command'),
  'app.showShellUnfocusWarning': reserved('App', 'tab'),
  'app.clearScreen': entry('App', 'ctrl+l', 'Redraw the screen'),
  'app.restart': entry('App', 'r shift+r', 'Restart, in dialogs that ask for it'),
  'app.suspend': entry('App', 'ctrl+z', 'Suspend (fg to return)'),
  'app.voiceModePTT': reserved('App', 'space'),

  'background.toggle': entry('Background tasks', 'ctrl+b', 'To the background; show or hide tasks'),
  'background.toggleList': reserved('Background tasks', 'ctrl+l'),
  'background.kill': entry('Background tasks', 'ctrl+k', 'End the task'),
  'background.escape': entry('Background tasks', 'escape', 'Close the tasks'),
  'background.select': reserved('Background tasks', 'enter'),
  'background.unfocus': entry('Background tasks', 'shift+tab', 'Stop typing into the task'),
  'background.unfocusList': entry('Background tasks', 'tab', 'Type into the task'),
  'background.unfocusWarning': reserved('Background tasks', 'tab'),

  'app.dumpFrame': reserved('App', 'f8'),
  'app.startRecording': reserved('App', 'f6'),
  'app.stopRecording': reserved('App', 'f7'),

  'extension.update': reserved('Extensions', 'i'),
  'extension.link': reserved('Extensions', 'l'),
} satisfies Record<string, CommandEntry>;

export type CommandId = keyof typeof COMMANDS;

export function isCommandId(text: string): text is CommandId {
  return Object.hasOwn(COMMANDS, text);
}

/** Ctrl+Z suspends the program, except on Windows, where it is undo. */
export function defaultKeys(command: CommandId, platform: NodeJS.Platform): readonly string[] {
  const { keys } = COMMANDS[command];
  if (command === 'edit.undo' && platform !== 'win32') return keys.filter((key) => key !== 'ctrl+z');
  if (command === 'app.suspend' && platform === 'win32') return [];
  return keys;
}
