/** Auto memory: its inbox for the front ends, and, where the user wants it, its run in the background. Loaded on use. */
import type { MemoryInbox } from '../memory/auto/inbox.js';
import type { MemoryContextManager } from '../memory/context-files.js';
import { systemClock } from '../platform/clock.js';
import { createLog } from '../platform/log.js';
import type { Redactor } from '../platform/redact.js';
import type { Storage } from '../platform/storage.js';
import type { AgentEventBody } from '../protocol/agent-events.js';
import { isAllowed } from '../settings/untrusted.js';
import type { ModelServices } from './compose-models.js';
import type { Config } from './config.js';

const log = createLog('auto-memory');

/** The start is over by then, and nobody waits for what begins here. */
const START_AFTER_MS = 3_000;

export interface AutoMemorySurroundings {
  targetDir: string;
  storage: Storage;
  memory: MemoryContextManager;
  models: Pick<ModelServices, 'generator' | 'configs' | 'choice'>;
  redactor: Redactor;
  /** Told what it costs. */
  note: (event: AgentEventBody) => void;
}

export interface AutoMemoryServices {
  inbox(): Promise<MemoryInbox>;
  /** Aborts what is running; resolves when it has let go of everything. */
  stop(): Promise<void>;
}

export function composeAutoMemory(config: Config, surroundings: AutoMemorySurroundings): AutoMemoryServices {
  const { autoMemory } = config.parameters;
  const controller = new AbortController();
  let running: Promise<void> | undefined;
  const start = () => {
    // Transcripts of a folder nobody vouches for are left alone.
    if (!isAllowed('context_files', { trusted: config.isTrustedFolder() })) return;
    running = run(config, surroundings, controller.signal).catch((error: unknown) =>
      log.warn('auto memory did not run', error),
    );
  };
  const timer = autoMemory?.enabled
    ? setTimeout(start, autoMemory.startAfterMs ?? START_AFTER_MS).unref()
    : undefined;
  return {
    inbox: () => createInbox(config, surroundings),
    stop: async () => {
      clearTimeout(timer);
      controller.abort();
      await running;
    },
  };
}

async function run(
  config: Config,
  { targetDir, storage, models, redactor, note }: AutoMemorySurroundings,
  signal: AbortSignal,
): Promise<void> {
  const { extractMemories } = await import('../agent/extraction/service.js');
  const { EXTRACTION_AGENT } = await import('../agent/extraction/definition.js');
  const { sessionPlaces } = await import('../sessions/session-places.js');
  const { utilityModelFor } = await import('../model/utility-choice.js');
  const { parameters } = config;
  const report = await extractMemories(
    {
      places: await placesOf(storage, targetDir),
      sessionPlaces: sessionPlaces(storage, parameters.sessions?.storageDir, config.getEnvironment().home),
      storage,
      environment: config.getEnvironment(),
      currentSessionId: config.getSessionId(),
      clock: systemClock,
      redact: (text) => redactor.redact(text),
      model: () => {
        const { modelAlias, standInAlias } = EXTRACTION_AGENT;
        const modelOf = (alias: string) =>
          utilityModelFor(
            models.configs.resolve({ model: alias }).model,
            models.choice.model,
            parameters.providers,
          ).model;
        const model = modelOf(modelAlias);
        return {
          generator: models.generator,
          model,
          standIns: [modelOf(standInAlias)].filter((name) => name !== model),
          settings: models.configs.resolve({ model: modelAlias }).settings,
          onUsage: (call) => note({ ...call, type: 'usage' }),
        };
      },
      notice: (message) => config.parameters.onNotice?.(message),
    },
    signal,
  );
  log.debug('auto memory', report);
}

async function createInbox(
  config: Config,
  { targetDir, storage, memory }: AutoMemorySurroundings,
): Promise<MemoryInbox> {
  const { MemoryInbox } = await import('../memory/auto/inbox.js');
  return new MemoryInbox({
    places: await placesOf(storage, targetDir),
    reloadMemory: () => memory.reload(),
    isTrusted: () => isAllowed('skills', { trusted: config.isTrustedFolder() }),
  });
}

async function placesOf(storage: Storage, targetDir: string) {
  const { autoMemoryPlaces } = await import('../memory/auto/places.js');
  return autoMemoryPlaces({
    projectTempDir: storage.getProjectTempDir(),
    globalDir: storage.getGlobalGeminiDir(),
    targetDir,
  });
}
