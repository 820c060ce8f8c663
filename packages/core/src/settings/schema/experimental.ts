/** Settings `experimental.*`. */
import { group, off, on, type SettingsSection } from './definition.js';

const OWN_SERVER = 'the server is a program of its own: start it yourself';
const NO_SPEECH = 'there is no speech input';

export const EXPERIMENTAL = {
  gemma: on('/model lists Gemma 4.', { restart: true, dialog: true, parameter: 'models.offersGemma' }),
  voiceMode: off('Speech input with /voice.', { dialog: true, ignored: NO_SPEECH }),
  voice: {
    kind: 'object',
    description: 'Speech input.',
    ignored: NO_SPEECH,
    properties: {
      activationMode: {
        kind: 'enum',
        values: ['push-to-talk', 'toggle'],
        default: 'push-to-talk',
        description: 'Hold a key while speaking, or press it to begin and to end.',
        dialog: true,
      },
      backend: {
        kind: 'enum',
        values: ['gemini-live', 'whisper'],
        default: 'gemini-live',
        description: 'Speech recognition service.',
        dialog: true,
      },
      whisperModel: {
        kind: 'enum',
        values: [
          'ggml-base.en.bin',
          'ggml-tiny.en.bin',
          'ggml-large-v3-turbo-q5_0.bin',
          'ggml-large-v3-turbo-q8_0.bin',
        ],
        default: 'ggml-base.en.bin',
        description: 'Model file of whisper.',
        dialog: true,
      },
      stopGracePeriodMs: {
        kind: 'number',
        default: 4000,
        minimum: 0,
        description: 'Milliseconds to wait for the last words.',
      },
    },
  },
  adk: {
    kind: 'object',
    description: 'The alternate session protocol.',
    ignored: 'there is one session protocol',
    properties: {
      agentSessionNoninteractiveEnabled: off('In headless runs.', { restart: true }),
      agentSessionInteractiveEnabled: off('In interactive sessions.', { restart: true }),
      agentSessionSubagentEnabled: off('For subagents.', { restart: true }),
    },
  },
  enableAgents: on('Subagents can be used.', {
    restart: true,
    dialog: true,
    parameter: 'enableAgents',
    live: true,
  }),
  worktrees: off('Sessions in separate git worktrees.', { restart: true, dialog: true }),
  extensionManagement: on('Extensions can be installed and updated.', {
    restart: true,
    dialog: true,
  }),
  extensionConfig: on('Extensions can ask for settings.', {
    restart: true,
    dialog: true,
  }),
  extensionRegistry: off('Browse the registry of extensions.', {
    restart: true,
    dialog: true,
  }),
  extensionRegistryURI: {
    kind: 'string',
    default: 'https://geminicli.com/extensions.json',
    restart: true,
    description: 'Address of the registry.',
  },
  extensionReloading: off('Load and unload extensions in a running session.', {
    restart: true,
  }),
  useOSC52Paste: off('Paste by an escape code of the terminal, e.g. over ssh.', {
    dialog: true,
  }),
  useOSC52Copy: off('Copy by an escape code of the terminal, e.g. over ssh.', {
    dialog: true,
  }),
  taskTracker: off('Tools with which the model keeps track of tasks.', {
    restart: true,
    dialog: true,
    parameter: 'taskTracker',
  }),
  modelSteering: off('Hints to the model while tools run.', { dialog: true, parameter: 'modelSteering' }),
  directWebFetch: off('web_fetch gives the page itself, not a summary.', {
    restart: true,
    dialog: true,
    parameter: 'directWebFetch',
    live: true,
  }),
  dynamicModelConfiguration: off('Read the catalogue of models from modelConfigs.', {
    restart: true,
    parameter: 'models.dynamicConfiguration',
  }),
  gemmaModelRouter: {
    kind: 'object',
    description: 'A local Gemma model that chooses the model for a prompt.',
    parameter: 'models.gemmaRouter',
    properties: {
      enabled: off('Use it.', { restart: true, dialog: true }),
      autoStartServer: off('Start its server when needed.', {
        restart: true,
        dialog: true,
        ignored: OWN_SERVER,
      }),
      binaryPath: {
        kind: 'string',
        default: '',
        restart: true,
        description: 'Program of the server. Empty: below ~/.gemini/bin/litert/.',
        ignored: OWN_SERVER,
      },
      classifier: group('The model that chooses.', {
        host: {
          kind: 'string',
          default: 'http://localhost:9379',
          restart: true,
          description: 'Address of the server.',
        },
        model: { kind: 'string', default: 'gemma3-1b-gpu-custom', restart: true, description: 'Its name.' },
      }),
    },
  },
  autoMemory: off('Suggest notes for the memory; you review them first.', {
    restart: true,
    dialog: true,
    parameter: 'autoMemory.enabled',
  }),
  contextManagement: off('Manage the context as a graph.', { restart: true, dialog: true }),
  generalistProfile: off('Context profile for mixed work.', { restart: true }),
  powerUserProfile: off('Context profile for long sessions.', { restart: true }),
  stressTestProfile: off('Context profile with tiny limits, for tests.', { restart: true }),
} as const satisfies SettingsSection;
