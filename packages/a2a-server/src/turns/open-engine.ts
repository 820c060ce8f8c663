/** Opens the engine of one task: folder, environment, trust and approval mode of its own. */
import { delimiter } from 'node:path';
import {
  ApprovalMode,
  Config,
  type ContentGenerator,
  EventStream,
  judgeFolder,
  openProject,
  type Variables,
} from '@gemini-cli/core';
import type { AgentSettings } from '../contract.js';
import { JournaledModel } from './journal/journaled-model.js';
import type { RequestJournal } from './journal/request-journal.js';

export interface EngineRequest {
  workspace: string;
  settings: AgentSettings | undefined;
  /** Variables of the server. */
  env: Variables;
  /** Replaces every provider; for tests. */
  contentGenerator?: ContentGenerator;
  journal: () => RequestJournal | undefined;
}

export interface OpenedEngine {
  config: Config;
  events: EventStream;
  model: JournaledModel;
}

/** Of the server itself; neither the engine nor its tools need them. */
const OWN_PREFIX = 'CODER_AGENT_';
/** For the engine only: a tool never sees them, also where the folder is trusted. */
const CREDENTIALS = [
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_CLOUD_PROJECT',
  'USE_CCPA',
  'GEMINI_CLI_USE_COMPUTE_ADC',
  'GCS_BUCKET_NAME',
];

export async function openEngine(request: EngineRequest): Promise<OpenedEngine> {
  const { workspace, settings, contentGenerator } = request;
  const env = environmentOf(request);
  const events = new EventStream();
  const wantsYolo = settings?.autoExecute === true || env['GEMINI_YOLO_MODE'] === 'true';
  const project = await openProject({ cwd: workspace, env, frontEnd: { interactive: true, events } });
  const { parameters } = project;
  const redaction = parameters.environmentRedaction;
  let model: JournaledModel | undefined;
  project.change({
    // The task itself is the record of the conversation.
    sessions: undefined,
    autoMemory: { enabled: false },
    ...(wantsYolo && project.isTrusted && !parameters.disableYoloMode && { approvalMode: ApprovalMode.YOLO }),
    ...(env['CHECKPOINTING'] === 'true' && { checkpointing: true }),
    fileFiltering: {
      ...parameters.fileFiltering,
      customIgnoreFilePaths: [
        ...parameters.fileFiltering.customIgnoreFilePaths,
        ...ignoreFilesOf(env['CUSTOM_IGNORE_FILE_PATHS']),
      ],
    },
    environmentRedaction: {
      enabled: true,
      allowed: redaction.allowed.filter((name) => !CREDENTIALS.includes(name.toUpperCase())),
      blocked: [...redaction.blocked, ...CREDENTIALS],
    },
    ...(contentGenerator && { contentGenerator }),
    aroundModel: (inner) => {
      model = new JournaledModel(inner);
      return model;
    },
    callJournal: {
      recall: (call) => request.journal()?.recall(call),
      around: async (call, run) => {
        await (request.journal()?.around(call, run) ?? run());
      },
    },
  });
  const config = new Config(project);
  try {
    await config.initialize();
  } catch (error) {
    await config.shutdown().catch(() => undefined);
    throw error;
  }
  if (!model) throw new Error('The engine has no model.');
  return { config, events, model };
}

/** A copy for the task; what a client says about trust does not reach it. */
export function environmentOf({
  env,
  workspace,
}: Pick<EngineRequest, 'env' | 'workspace'>): Record<string, string | undefined> {
  const variables = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith(OWN_PREFIX)));
  // The server's name for a sign-in with Google.
  if (isOn(variables['USE_CCPA'])) variables['GOOGLE_GENAI_USE_GCA'] = 'true';
  if (variables['GEMINI_FOLDER_TRUST'] === 'true' && variables['GEMINI_CLI_TRUST_WORKSPACE'] === undefined) {
    const { folders } = judgeFolder({ cwd: workspace, env: variables });
    variables['GEMINI_CLI_TRUST_WORKSPACE'] = String(folders.decide(workspace) === 'trusted');
  }
  return variables;
}

/** Separated like the paths of `PATH`. */
function ignoreFilesOf(paths: string | undefined): string[] {
  return (paths ?? '').split(delimiter).filter((path) => path.trim() !== '');
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value?.toLowerCase() === 'true';
}
