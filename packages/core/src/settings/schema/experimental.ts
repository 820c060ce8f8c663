/** Settings `experimental.*`. */
import type { SettingsSection } from './definition.js';

const OFF = { kind: 'boolean', default: false, restart: true } as const;
const ON = { kind: 'boolean', default: true, restart: true } as const;

export const EXPERIMENTAL = {
  gemma: { ...ON, description: 'Offer Gemma 4 over the API.', dialog: true, pending: true },
  voiceMode: {
    kind: 'boolean',
    default: false,
    description: 'Speech input with /voice.',
    dialog: true,
    pending: true,
  },
  voice: {
    kind: 'object',
    description: 'Speech input.',
    pending: true,
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
    pending: true,
    properties: {
      agentSessionNoninteractiveEnabled: { ...OFF, description: 'In headless runs.' },
      agentSessionInteractiveEnabled: { ...OFF, description: 'In interactive sessions.' },
      agentSessionSubagentEnabled: { ...OFF, description: 'For subagents.' },
    },
  },
  enableAgents: { ...ON, description: 'Subagents can be used.', dialog: true, pending: true },
  worktrees: { ...OFF, description: 'Sessions in separate git worktrees.', dialog: true },
  extensionManagement: {
    ...ON,
    description: 'Extensions can be installed and updated.',
    dialog: true,
    pending: true,
  },
  extensionConfig: { ...ON, description: 'Extensions can ask for settings.', dialog: true, pending: true },
  extensionRegistry: {
    ...OFF,
    description: 'Browse the registry of extensions.',
    dialog: true,
    pending: true,
  },
  extensionRegistryURI: {
    kind: 'string',
    default: 'https://geminicli.com/extensions.json',
    restart: true,
    description: 'Address of the registry.',
    pending: true,
  },
  extensionReloading: {
    ...OFF,
    description: 'Load and unload extensions in a running session.',
    pending: true,
  },
  useOSC52Paste: {
    kind: 'boolean',
    default: false,
    description: 'Paste by an escape code of the terminal, e.g. over ssh.',
    dialog: true,
    pending: true,
  },
  useOSC52Copy: {
    kind: 'boolean',
    default: false,
    description: 'Copy by an escape code of the terminal, e.g. over ssh.',
    dialog: true,
    pending: true,
  },
  taskTracker: {
    ...OFF,
    description: 'Tools with which the model keeps track of tasks.',
    dialog: true,
    pending: true,
  },
  modelSteering: {
    kind: 'boolean',
    default: false,
    description: 'Hints to the model while tools run.',
    dialog: true,
    parameter: 'modelSteering',
  },
  directWebFetch: {
    ...OFF,
    description: 'web_fetch gives the page itself, not a summary.',
    dialog: true,
    parameter: 'directWebFetch',
    live: true,
  },
  dynamicModelConfiguration: {
    ...OFF,
    description: 'Read the catalogue of models from modelConfigs.',
    parameter: 'models.dynamicConfiguration',
  },
  gemmaModelRouter: {
    kind: 'object',
    description: 'A local Gemma model that chooses the model for a prompt.',
    parameter: 'models.gemmaRouter',
    properties: {
      enabled: { ...OFF, description: 'Use it.', dialog: true },
      autoStartServer: { ...OFF, description: 'Start its server when needed.', dialog: true, pending: true },
      binaryPath: {
        kind: 'string',
        default: '',
        restart: true,
        description: 'Program of the server. Empty: below ~/.gemini/bin/litert/.',
        pending: true,
      },
      classifier: {
        kind: 'object',
        description: 'The model that chooses.',
        properties: {
          host: {
            kind: 'string',
            default: 'http://localhost:9379',
            restart: true,
            description: 'Address of the server.',
          },
          model: { kind: 'string', default: 'gemma3-1b-gpu-custom', restart: true, description: 'Its name.' },
        },
      },
    },
  },
  autoMemory: {
    ...OFF,
    description: 'Suggest notes for the memory; you review them first.',
    dialog: true,
    parameter: 'autoMemory.enabled',
  },
  contextManagement: { ...OFF, description: 'Manage the context as a graph.', dialog: true },
  generalistProfile: { ...OFF, description: 'Context profile for mixed work.' },
  powerUserProfile: { ...OFF, description: 'Context profile for long sessions.' },
  stressTestProfile: { ...OFF, description: 'Context profile with tiny limits, for tests.' },
} as const satisfies SettingsSection;
