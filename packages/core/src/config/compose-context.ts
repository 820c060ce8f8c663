/** What is sent of a conversation, and what is said again after a summary. */
import { openTodosIn } from '../agent/open-todos.js';
import type { ContextManagerOptions, ContextService } from '../context/context-service.js';
import { createContextManager } from '../context/create-context-manager.js';
import { firstThatFits } from '../context/fit-resumed.js';
import { TokenEstimator } from '../context/token-estimate.js';
import { DEFAULT_MASKING } from '../context/tool-output-mask.js';
import type { MemoryContextManager } from '../memory/context-files.js';
import type { Redactor } from '../platform/redact.js';
import type { Storage } from '../platform/storage.js';
import type { Message } from '../protocol/messages.js';
import type { ModelServices } from './compose-models.js';
import type { Config } from './config.js';

const DEFAULT_COMPRESSION_THRESHOLD = 0.5;

export interface ContextSurroundings {
  config: Config;
  models: ModelServices;
  storage: Storage;
  redactor: Redactor;
  memory: MemoryContextManager;
  history: () => readonly Message[];
  isRecorded: () => boolean;
}

export interface ContextServices {
  manager: ContextService;
  estimateText: (text: string) => number;
  /** Index of the first message of a resumed conversation that is still sent. */
  firstThatFits: (messages: readonly Message[]) => number;
}

export async function composeContext(surroundings: ContextSurroundings): Promise<ContextServices> {
  const { config, models, storage, redactor, memory, history, isRecorded } = surroundings;
  const { context = {}, models: settings = {} } = config.parameters;
  const estimator = new TokenEstimator();
  const options: ContextManagerOptions = {
    utility: models.utility,
    estimator,
    contextWindow: (model) => models.catalog.contextWindow(model),
    settings: {
      compressionThreshold: settings.compressionThreshold ?? DEFAULT_COMPRESSION_THRESHOLD,
      masking: { ...DEFAULT_MASKING, ...context.outputMasking },
    },
    outputDirectory: () => storage.getToolOutputDir(config.getSessionId()),
    redactForDisk: (text) => redactor.redact(text),
    isRecorded,
    reminders: async () =>
      [...memory.reminders(), openTodosIn(history())].filter((text) => text !== undefined),
    countTokens: async (messages, model, signal) => {
      const request = { model, messages, role: 'main', promptId: '' };
      return (await models.generator.countTokens(request, signal)).totalTokens;
    },
  };
  const manager = await createContextManager(options, context.profile, context.limits);
  const { compressionThreshold, masking } = options.settings;
  return {
    manager,
    estimateText: (text) => estimator.text(text),
    firstThatFits: (messages) => {
      const limit = compressionThreshold * options.contextWindow(models.choice.model);
      return firstThatFits(messages, { estimator, limit, masking });
    },
  };
}
