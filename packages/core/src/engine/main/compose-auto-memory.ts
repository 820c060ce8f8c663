/** Auto memory: its inbox for the front ends and, if enabled, its run in the background. Loaded on use. */
import type { ExtractionModel } from '../../agent/extraction/request.js';
import type { MemoryInbox } from '../../memory/auto/inbox.js';
import type { MemoryContextManager } from '../../memory/context-files.js';
import { createLog } from '../../platform/log.js';
import type { Storage } from '../../platform/storage/storage.js';
import { isAllowed } from '../../settings/trust/untrusted.js';
import type { Engine } from '../engine.js';

const log = createLog('auto-memory');

/** Late enough not to slow down the start. */
const START_AFTER_MS = 3_000;

export interface AutoMemoryParts {
  memory: Pick<MemoryContextManager, 'reload'>;
  /** The model of the conversation; the agent's own has the same provider. */
  model: () => string;
}

export interface AutoMemoryServices {
  inbox(): Promise<MemoryInbox>;
  /** Aborts a running extraction; resolves when it has released everything. */
  stop(): Promise<void>;
}

export function composeAutoMemory(engine: Engine, parts: AutoMemoryParts): AutoMemoryServices {
  const { project, storage, targetDir } = engine;
  const { autoMemory } = project.parameters;
  const controller = new AbortController();
  let running: Promise<void> | undefined;
  const start = () => {
    // Transcripts of an untrusted folder are not read.
    if (!isAllowed('context_files', { trusted: project.isTrusted })) return;
    running = run(engine, parts, controller.signal).catch((error: unknown) =>
      log.warn('auto memory did not run', error),
    );
  };
  const timer = autoMemory?.enabled
    ? setTimeout(start, autoMemory.startAfterMs ?? START_AFTER_MS).unref()
    : undefined;
  return {
    inbox: async () => {
      const { MemoryInbox } = await import('../../memory/auto/inbox.js');
      return new MemoryInbox({
        places: await placesOf(storage, targetDir),
        reloadMemory: () => parts.memory.reload(),
        reloadSkills: () => engine.skills.reload(),
        isTrusted: () => isAllowed('skills', { trusted: project.isTrusted }),
      });
    },
    stop: async () => {
      clearTimeout(timer);
      controller.abort();
      await running;
    },
  };
}

async function run(engine: Engine, { model }: AutoMemoryParts, signal: AbortSignal): Promise<void> {
  const { project, storage, targetDir, environment, clock, redactor } = engine;
  const { extractMemories } = await import('../../agent/extraction/service.js');
  const { runExtractionAgent } = await import('./extraction/extraction-agent.js');
  const { sessionPlaces } = await import('../../sessions/finding/session-places.js');
  const modelOf = await extractionModel(engine);
  const report = await extractMemories(
    {
      places: await placesOf(storage, targetDir),
      sessionPlaces: sessionPlaces(storage, project.parameters.sessions?.storageDir, environment.home),
      storage,
      environment,
      currentSessionId: project.sessionId,
      clock,
      redact: (text) => redactor.redact(text),
      model: () => modelOf(model()),
      runAgent: (request, until) => runExtractionAgent(engine, request, until),
      notice: project.notice,
    },
    signal,
  );
  log.debug('auto memory', report);
}

/** @returns the agent's model for the model of the conversation; throws where none is available */
async function extractionModel({ models, project }: Engine): Promise<(model: string) => ExtractionModel> {
  const { EXTRACTION_AGENT } = await import('../../agent/extraction/definition.js');
  const { utilityModelFor } = await import('../../model/utility/utility-choice.js');
  const { modelAlias, standInAlias } = EXTRACTION_AGENT;
  return (mainModel) => {
    const modelOf = (alias: string) => {
      const preset = models.configs.resolve({ model: alias }).model;
      return utilityModelFor(preset, mainModel, project.parameters.providers).model;
    };
    return {
      model: modelOf(modelAlias),
      standIns: [modelOf(standInAlias)],
      settings: models.configs.resolve({ model: modelAlias }).settings,
    };
  };
}

async function placesOf(storage: Storage, targetDir: string) {
  const { autoMemoryPlaces } = await import('../../memory/auto/places.js');
  return autoMemoryPlaces({
    projectTempDir: storage.getProjectTempDir(),
    globalDir: storage.getGlobalGeminiDir(),
    targetDir,
  });
}
