/** Settings `extensions.*`, `skills.*`, `hooksConfig.*` and `hooks.*`. */
import { group, on, type SettingsSection } from './definition.js';

export const EXTENSIONS = {
  disabled: {
    kind: 'array',
    default: [],
    merge: 'union',
    restart: true,
    description: 'Extensions that are not loaded.',
  },
  workspacesWithMigrationNudge: {
    kind: 'array',
    default: [],
    merge: 'union',
    description: 'Folders where the hint about moving extensions was shown.',
    ignored: 'there is no such hint: extensions are only loaded from the home folder',
  },
} as const satisfies SettingsSection;

export const SKILLS = {
  enabled: on('Skills can be used.', {
    restart: true,
    dialog: true,
    parameter: 'skillsSupport',
    live: true,
  }),
  disabled: {
    kind: 'array',
    default: [],
    merge: 'union',
    description: 'Names of disabled skills; case does not matter.',
    parameter: 'disabledSkills',
    live: true,
  },
} as const satisfies SettingsSection;

export const HOOKS_CONFIG = {
  enabled: on('Hooks run.', { restart: true, dialog: true }),
  disabled: { kind: 'array', default: [], merge: 'union', description: 'Names of disabled hooks.' },
  notifications: on('A line shows which hooks are running.', { dialog: true }),
} as const satisfies SettingsSection;

const HOOK = group('One hook.', {
  type: { kind: 'enum', values: ['command'], vital: true, description: 'What it is.' },
  command: { kind: 'string', vital: true, description: 'Shell command.' },
  name: { kind: 'string', description: 'Name in lists; the command if not given.' },
  description: { kind: 'string', description: 'Shown in lists.' },
  timeout: { kind: 'number', minimum: 0, description: 'Milliseconds it may take.' },
  env: {
    kind: 'object',
    items: { kind: 'string', scalars: true, description: 'Value.' },
    vital: true,
    description: 'Further environment variables.',
  },
});

export const HOOK_GROUP = group('A group of hooks.', {
  matcher: {
    kind: 'string',
    vital: true,
    description: 'Tools or triggers it is for; not given or "*": all.',
  },
  sequential: { kind: 'boolean', description: 'One after the other, not side by side.' },
  onlyWhenCompressing: {
    kind: 'boolean',
    description: 'For PreCompress: not at each check, only when the conversation is really compressed.',
  },
  hooks: { kind: 'array', items: HOOK, description: 'The hooks.' },
});

const EVENT = { kind: 'array', default: [], merge: 'concat', items: HOOK_GROUP } as const;

export const HOOKS = {
  BeforeTool: { ...EVENT, description: 'Before a tool runs.' },
  AfterTool: { ...EVENT, description: 'After a tool has run.' },
  BeforeAgent: { ...EVENT, description: 'Before the model gets your prompt.' },
  AfterAgent: { ...EVENT, description: 'After the last answer to a prompt.' },
  Notification: { ...EVENT, description: 'Before a question is shown.' },
  SessionStart: { ...EVENT, description: 'When a session starts.' },
  SessionEnd: { ...EVENT, description: 'When a session ends.' },
  PreCompress: { ...EVENT, description: 'Before the conversation is compressed.' },
  BeforeModel: { ...EVENT, description: 'Before a request to the model.' },
  AfterModel: { ...EVENT, description: 'After an answer of the model.' },
  BeforeToolSelection: { ...EVENT, description: 'Before the tools for a request are chosen.' },
} as const satisfies SettingsSection;
