/** Settings `model.*` and `modelConfigs.*`. */
import { group, off, on, type SettingsSection } from './definition.js';

const ERROR_CLASSES = ['rate_limit', 'quota', 'overloaded', 'unavailable', 'context_too_long'] as const;

export const MODEL = {
  name: {
    kind: 'string',
    description: 'Model, alias or provider/model. Unset: chosen for each prompt.',
    dialog: true,
  },
  maxSessionTurns: {
    kind: 'number',
    default: -1,
    description: 'Model requests per session; -1: no limit. Reached: exit code 53.',
    dialog: true,
    parameter: 'maxSessionTurns',
  },
  fallbacks: {
    kind: 'array',
    default: [],
    parameter: 'models.fallbacks',
    items: {
      kind: ['string', 'object'],
      description: 'provider/model, or an object that limits it to some kinds of errors.',
      properties: {
        model: { kind: 'string', vital: true, description: 'provider/model.' },
        on: {
          kind: 'array',
          items: { kind: 'enum', values: ERROR_CLASSES, description: 'Kind of error.' },
          vital: true,
          description: 'Only for these kinds of errors.',
        },
      },
    },
    description: 'Models to use instead, in this order, when the chosen one fails.',
  },
  providers: {
    kind: 'object',
    default: {},
    parameter: 'providers',
    items: group('One provider.', {
      type: {
        kind: 'enum',
        values: ['openai', 'anthropic', 'gemini'],
        vital: true,
        description: 'Protocol it speaks.',
      },
      baseUrl: { kind: 'string', vital: true, description: 'Its base URL.' },
      apiKeyEnv: { kind: 'string', vital: true, description: 'Environment variable that holds its key.' },
      headers: {
        kind: 'object',
        items: { kind: 'string', description: 'Value.' },
        vital: true,
        description: 'Headers of every request.',
      },
      models: { kind: 'array', description: 'Models it offers.' },
      utilityModel: { kind: 'string', description: 'Model for small jobs such as summaries.' },
      contextWindow: { kind: 'number', minimum: 1, description: 'Tokens the model can read.' },
      maxOutputTokens: { kind: 'number', minimum: 1, description: 'Tokens the model can write.' },
      supportsTools: { kind: 'boolean', description: 'It can call tools.' },
      supportsImages: { kind: 'boolean', description: 'It can see images.' },
    }),
    description: 'Further model providers by id. An id of a built-in provider changes that one.',
  },
  routing: group('Choice of the model for a prompt.', {
    classifier: off('Ask a small model which model to use; off: a local rule decides.', {
      dialog: true,
      parameter: 'models.classifier',
    }),
  }),
  budget: group('Limits of a session, checked before each call.', {
    maxCost: { kind: 'number', minimum: 0, description: 'Cost, in the unit of the price table.' },
    maxTokens: { kind: 'number', minimum: 0, description: 'Tokens.' },
    maxTime: { kind: 'number', minimum: 0, description: 'Seconds.' },
    maxToolCalls: { kind: 'number', minimum: 0, description: 'Tool calls.' },
  }),
  prices: {
    kind: 'object',
    default: {},
    open: true,
    description: 'Prices per model that replace those of the built-in table.',
    parameter: 'models.prices',
  },
  summarizeToolOutput: {
    kind: 'object',
    default: {},
    parameter: 'summarizeToolOutput',
    items: group('One tool.', {
      tokenBudget: { kind: 'number', minimum: 1, description: 'Longer output is summarised to this.' },
    }),
    description: 'Tools whose long output is summarised, e.g. {"run_shell_command": {"tokenBudget": 2000}}.',
  },
  compressionThreshold: {
    kind: 'number',
    default: 0.5,
    minimum: 0,
    maximum: 1,
    restart: true,
    description: 'Share of the context window at which the conversation is compressed.',
    dialog: true,
    parameter: 'models.compressionThreshold',
  },
  disableLoopDetection: off('Do not detect a model that repeats itself.', {
    restart: true,
    dialog: true,
    parameter: 'disableLoopDetection',
  }),
  skipNextSpeakerCheck: on('Do not ask the model whether it wants to continue.', {
    dialog: true,
    parameter: 'models.skipNextSpeakerCheck',
  }),
} as const satisfies SettingsSection;

const OPEN_MAP = { kind: 'object', open: true, restart: true } as const;

export const MODEL_CONFIGS = {
  aliases: { kind: 'object', open: true, description: 'Named presets; these replace built-in ones.' },
  customAliases: { kind: 'object', open: true, default: {}, description: 'Your own named presets.' },
  customOverrides: {
    kind: 'array',
    default: [],
    items: { kind: 'object', open: true, description: 'One rule.' },
    description: 'Your own rules that change presets.',
  },
  overrides: {
    kind: 'array',
    default: [],
    items: { kind: 'object', open: true, description: 'One rule.' },
    description: 'Rules that change presets.',
  },
  modelDefinitions: { ...OPEN_MAP, description: 'The catalogue of models.' },
  modelIdResolutions: { ...OPEN_MAP, description: 'Which model a name leads to, and when.' },
  classifierIdResolutions: { ...OPEN_MAP, description: 'Which model an answer of the classifier leads to.' },
  modelChains: { ...OPEN_MAP, description: 'Models that follow one another on failure.' },
} as const satisfies SettingsSection;
