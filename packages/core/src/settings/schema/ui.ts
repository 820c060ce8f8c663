/** Settings `ui.*`: what the screen shows. */
import { group, off, on, type SettingsSection } from './definition.js';

const FOOTER_ITEMS = [
  'workspace',
  'git-branch',
  'sandbox',
  'model-name',
  'context-used',
  'quota',
  'memory-usage',
  'session-id',
  'hostname',
  'auth',
  'code-changes',
  'token-count',
] as const;

export const UI = {
  theme: { kind: 'string', description: 'Name of the colour theme, or path of a theme file.', dialog: true },
  autoThemeSwitching: on('The default theme follows the light or dark background of the terminal.', {
    dialog: true,
  }),
  terminalBackgroundPollingInterval: {
    kind: 'number',
    default: 60,
    minimum: 0,
    description: 'Seconds between two checks of the background.',
    dialog: true,
  },
  customThemes: {
    kind: 'object',
    default: {},
    items: { kind: 'object', open: true, description: 'One theme.' },
    description: 'Your own themes by name.',
  },
  hideWindowTitle: off('Do not change the window title.', { restart: true, dialog: true }),
  inlineThinkingMode: {
    kind: 'enum',
    values: ['off', 'full'],
    default: 'off',
    description: 'Show the thoughts of the model between its answers.',
    dialog: true,
  },
  showStatusInTitle: off('The window title shows what the model is thinking about.', { dialog: true }),
  dynamicWindowTitle: on('The window title shows the state: ready ◇, waiting for you ✋, working ✦.', {
    dialog: true,
  }),
  showHomeDirectoryWarning: on('Warn when started in the home directory.', { restart: true, dialog: true }),
  showCompatibilityWarnings: on('Warn about limits of the terminal or the system.', {
    restart: true,
    dialog: true,
  }),
  hideTips: off('No tips at the start.', { dialog: true }),
  escapePastedAtSymbols: off('An @ in pasted text does not attach a file.', { dialog: true }),
  showShortcutsHint: on('Show "? for shortcuts" above the input.', { dialog: true }),
  compactToolOutput: on('Listings and file reads take one line.', { dialog: true }),
  hideBanner: off('No banner at the start.', { dialog: true }),
  hideContextSummary: off('No line about context files and MCP servers above the input.', { dialog: true }),
  hideFooter: off('No footer.', { dialog: true }),
  footer: group('The footer.', {
    items: {
      kind: 'array',
      items: { kind: 'enum', values: FOOTER_ITEMS, description: 'One item.' },
      description: 'What the footer shows, in this order.',
    },
    showLabels: on('A line of labels.', { dialog: true }),
    hideCWD: off('Without the folder.', { dialog: true }),
    hideSandboxStatus: off('Without the sandbox.', { dialog: true }),
    hideModelInfo: off('Without the model.', { dialog: true }),
    hideContextPercentage: off('Without the used share of the context window.', { dialog: true }),
  }),
  collapseDrawerDuringApproval: on('Fold the area below the input while a question is open.', {
    dialog: true,
  }),
  showMemoryUsage: off('Show memory in use in the footer.', { dialog: true }),
  showLineNumbers: on('Line numbers in code.', { dialog: true }),
  showCitations: off('Print citations.', { dialog: true }),
  showModelInfoInChat: off('Name the model at each answer.', { dialog: true }),
  showUserIdentity: on('Show the account that is signed in.', { dialog: true }),
  useAlternateBuffer: off('Use the full screen and restore it at the end.', { restart: true, dialog: true }),
  renderProcess: on('Draw in a process of its own.', {
    restart: true,
    ignored: 'drawing is part of the program; a second process would only slow it down',
  }),
  terminalBuffer: off('The newer way to draw the history.', {
    restart: true,
    ignored: 'there is one way to draw the history',
  }),
  useBackgroundColor: on('Use background colours.', { dialog: true }),
  incrementalRendering: on('Draw only what changed; needs the alternate buffer.', {
    restart: true,
    dialog: true,
    ignored: 'only what changed is drawn in any case',
  }),
  showSpinner: on('A spinner while working.', { dialog: true }),
  loadingPhrases: {
    kind: 'enum',
    values: ['tips', 'witty', 'all', 'off'],
    default: 'off',
    description: 'What is shown while you wait.',
    dialog: true,
  },
  errorVerbosity: {
    kind: 'enum',
    values: ['low', 'full'],
    default: 'low',
    description:
      'full: each error that is retried gets a line, and the footer counts errors; low: F12 lists them.',
    dialog: true,
  },
  customWittyPhrases: {
    kind: 'array',
    default: [],
    description: 'Your own phrases in place of the built-in ones.',
  },
  accessibility: group('Accessibility.', {
    screenReader: off('Plain text in reading order, for screen readers.', { restart: true, dialog: true }),
    enableLoadingPhrases: on('Outdated.', { restart: true, ignored: 'ui.loadingPhrases decides' }),
  }),
  renderMarkdown: on('Format Markdown; off: as the model wrote it.', { dialog: true }),
  debugRainbow: off('Make redraws visible.', {
    restart: true,
    ignored: 'it shows the redraws of another drawing engine',
  }),
} as const satisfies SettingsSection;
