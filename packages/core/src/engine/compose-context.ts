/** The context manager of an agent: what is sent of its conversation, and what is repeated after a summary. */
import type { ContextManagerOptions, ContextService } from '../context/context-service.js';
import { createContextManager } from '../context/create-context-manager.js';
import { firstThatFits } from '../context/fit-resumed.js';
import { TokenEstimator } from '../context/size/token-estimate.js';
import type { ContextTrace } from '../context/trace/context-trace.js';
import type { Clock } from '../platform/clock.js';
import type { Redactor } from '../platform/redaction/redact.js';
import type { Storage } from '../platform/storage/storage.js';
import type { Message } from '../protocol/messages.js';
import type { TelemetryRecorder } from '../telemetry/record.js';
import type { ModelServices } from './compose-models.js';
import type { CompleteParameters } from './parameters.js';

export interface ContextParts {
  models: Pick<ModelServices, 'utility' | 'catalog' | 'generator'>;
  model: () => string;
  settings: Pick<CompleteParameters, 'context' | 'models'>;
  storage: Storage;
  redactor: Redactor;
  clock: Pick<Clock, 'now'>;
  sessionId: () => string;
  reminders: () => string[];
  isRecorded: () => boolean;
  /** Called when a compression really happens. */
  beforeCompress: ContextManagerOptions['beforeCompress'];
  recorder: TelemetryRecorder;
}

export interface ContextServices {
  manager: ContextService;
  estimateText: (text: string) => number;
  /** Index of the first message of a resumed conversation that is still sent. */
  firstThatFits: (messages: readonly Message[]) => number;
}

export async function composeContext(parts: ContextParts): Promise<ContextServices> {
  const { models, model, storage, redactor, sessionId, reminders, isRecorded, beforeCompress } = parts;
  const { context, models: settings } = parts.settings;
  const estimator = new TokenEstimator();
  const trace = await contextTrace(parts);
  const options: ContextManagerOptions = {
    utility: models.utility,
    estimator,
    contextWindow: (name) => models.catalog.contextWindow(name),
    settings: {
      compressionThreshold: settings.compressionThreshold,
      masking: context.limits.tools.outputMasking,
    },
    outputDirectory: () => storage.getToolOutputDir(sessionId()),
    redactForDisk: (text) => redactor.redact(text),
    isRecorded,
    trace,
    reminders: async () => reminders(),
    ...(beforeCompress && { beforeCompress }),
    onMasked: (report) =>
      parts.recorder.event('gemini_cli.tool_output_masking', {
        tokens_before: report.tokensBefore,
        tokens_after: report.tokensAfter,
        masked_count: report.maskedCount,
        total_prunable_tokens: report.totalPrunableTokens,
      }),
    countTokens: async (messages, name, signal) => {
      const request = { model: name, messages, role: 'main', promptId: '' };
      return (await models.generator.countTokens(request, signal)).totalTokens;
    },
  };
  const manager = await createContextManager(options, context.profile, context.limits);
  const { compressionThreshold, masking } = options.settings;
  return {
    manager,
    estimateText: (text) => estimator.text(text),
    firstThatFits: (messages) => {
      const limit = compressionThreshold * options.contextWindow(model());
      return firstThatFits(messages, { estimator, limit, masking });
    },
  };
}

/** Loaded only where it is asked for. */
async function contextTrace({ settings, redactor, clock }: ContextParts): Promise<ContextTrace | undefined> {
  const { traceDirectory } = settings.context;
  if (traceDirectory === undefined) return undefined;
  const [{ ContextTrace }, { openTraceFolder }] = await Promise.all([
    import('../context/trace/context-trace.js'),
    import('../platform/storage/trace-folder.js'),
  ]);
  return new ContextTrace({
    folder: openTraceFolder(traceDirectory),
    redact: (text) => redactor.redact(text),
    now: clock.now,
    processId: process.pid,
  });
}
