/** Runs of sub-agents: what one is made of, and what it shares with the main agent. */
import { FixedModel } from '../../agent/fixed-model.js';
import type { GeminiClient } from '../../agent/gemini-client.js';
import { type AgentDirectory, AgentRuns } from '../../agents/run/agent-runs.js';
import type { RunFacts, RunFolder, RunPorts } from '../../agents/run/ports.js';
import { onBus } from '../../agents/run/tool-view.js';
import type { LocalAgentDefinition, RemoteAgents } from '../../agents/types.js';
import type { MemoryContextManager } from '../../memory/context-files.js';
import { randomHex } from '../../platform/random.js';
import { VERSION } from '../../platform/version.js';
import memoryIntroduction from '../../prompts/sections/memory.md';
import { describeSession } from '../../prompts/session-context.js';
import { isMainAgent } from '../../protocol/agent-events.js';
import { ApprovalMode, MessageBusType } from '../../protocol/confirmation.js';
import { BUILTIN_TOOLS, registerBuiltinTools, type ToolHost } from '../../tools/catalog.js';
import { withPlanPath } from '../../tools/plan-mode/plan-path.js';
import { describeFolder } from '../../workspace/folder-structure.js';
import { type Agent, composeAgent } from '../compose-agent.js';
import type { Engine } from '../engine.js';
import { registerProgramTools } from '../program-parts.js';
import { composeMemory } from './compose-memory.js';
import { composeTranscripts } from './compose-transcripts.js';
import { hostIn } from './host-in-folder.js';

const TREE_ITEMS = 200;
/** While the model thinks, a run's code is loaded; an answer that comes at once does not pay for it. */
const PRELOAD_AFTER_MS = 80;

export interface AgentRunServices {
  runs: AgentRuns;
  close(): void;
}

/** What the main agent shares with its sub-agents. */
export interface AgentRunParts {
  host: ToolHost;
  directory: AgentDirectory;
  main: () => Pick<Agent, 'ref' | 'bus' | 'tools'> & { client: Pick<GeminiClient, 'steering'> };
  mainModel: () => string;
  memory: MemoryContextManager;
  /** The section about skills; empty without any. */
  skills: () => string;
  remote: () => RemoteAgents | undefined;
}

export function composeAgentRuns(engine: Engine, parts: AgentRunParts): AgentRunServices {
  const { project, events, clock, redactor } = engine;
  const { host, main, directory } = parts;
  let promptId = '';
  let timer: NodeJS.Timeout | undefined;
  const stopWatching = events.subscribe(
    (event) => {
      if (!isMainAgent(event.agent)) return;
      if (event.type === 'turn_started') promptId = event.promptId;
      if (event.type === 'model_turn_started' && directory.getAllAgents().length > 0)
        timer ??= setTimeout(preload, PRELOAD_AFTER_MS).unref();
    },
    { content: false },
  );
  const snapshots = engine.snapshots?.forCalls();
  const compose: RunPorts['compose'] = (setup, folder) => {
    const { path } = folder ?? {};
    const memory = memoryOf(engine);
    return composeAgent(engine, {
      ...setup,
      parent: main(),
      contextFor: (paths) => memory.forPaths(paths),
      rewriteArgs: (name, args) => withPlanPath(host, name, args),
      // Undone together with the prompt that led to it. A worktree is apart from the user's files.
      ...(snapshots &&
        path === undefined && {
          snapshots: {
            around: (call, ...rest) => snapshots.around({ ...call, promptId }, ...rest),
          },
        }),
    });
  };
  const runs = new AgentRuns({
    events,
    clock,
    compose,
    directory,
    maxParallel: () => project.parameters.agents.maxParallel,
    registerTools: (tools, bus, named, folder) => {
      const ownHost = folder ? hostIn(host, engine, folder.path) : host;
      registerBuiltinTools(tools, ownHost, bus, project.parameters);
      for (const { name, create, onRequest } of BUILTIN_TOOLS)
        if (onRequest && named.includes(name)) tools.registerTool(create(ownHost, bus));
      const ofProgram = project.parameters.program?.tools?.() ?? [];
      const isBuiltIn = (name: string) => BUILTIN_TOOLS.some((tool) => tool.name === name);
      const isReplaced = (name: string) => ofProgram.some((tool) => tool.name === name);
      for (const tool of main().tools.getAllTools())
        if (!isBuiltIn(tool.name) && !isReplaced(tool.name)) tools.registerTool(onBus(tool, bus));
      registerProgramTools(tools, bus, project.parameters.program);
    },
    modelFor: (definition) => modelFor(engine, definition, parts.mainModel()),
    facts: (definition, model, folder) => factsOf(engine, parts, { definition, model, folder }),
    transcript: composeTranscripts(engine),
    agentNames: () => directory.getAllAgents().map(({ name }) => name),
    mask: (value) => redactor.redactValue(value),
    newId: () => randomHex(4),
    hints: {
      pending: () => main().client.steering.pending,
      subscribe: (listener) => {
        const stops = [
          main().client.steering.onAdded(listener),
          events.subscribe(
            (event) => {
              // Commands only: the report of an agent is for the conversation.
              const { type } = event;
              if (type === 'background_completed' && event.kind === 'inject' && event.pid !== undefined)
                listener(event.text);
            },
            { content: false },
          ),
        ];
        return () => stops.forEach((stop) => void stop());
      },
    },
    openFolder: async (_definition, agentId) =>
      (await import('./run-folder.js')).openRunFolder(engine, agentId),
    openServers: engine.mcp.openForRun,
    publishActivity: (activity) => main().bus.publish({ type: MessageBusType.SUBAGENT_ACTIVITY, activity }),
    remote: parts.remote,
  });
  return {
    runs,
    close: () => {
      clearTimeout(timer);
      stopWatching();
      runs.shutdown();
    },
  };
}

/** Loads what a run needs. A failure does no harm: the run loads it again. */
function preload(): void {
  import('../../agents/run/local-executor.js').catch(() => undefined);
}

/** `inherit`: the main agent's model as it is now. */
async function modelFor(
  { models }: Engine,
  { name, modelConfig }: LocalAgentDefinition,
  mainModel: string,
): Promise<Awaited<ReturnType<RunPorts['modelFor']>>> {
  const wanted = modelConfig.model;
  const model = wanted === undefined || wanted === 'inherit' ? mainModel : models.resolve(wanted);
  const alias = { alias: `${name}-config`, scope: name, config: { ...modelConfig, model } };
  const resolved = models.configs.forAgent(alias);
  if (resolved.model !== mainModel) await models.prepare(resolved.model);
  return {
    model: new FixedModel(resolved.model),
    settings: (_model, isRetry) => (isRetry ? models.configs.forAgent(alias, true) : resolved).settings,
  };
}

async function factsOf(
  engine: Engine,
  { memory, skills }: AgentRunParts,
  { definition, model, folder }: { definition: LocalAgentDefinition; model: string; folder?: RunFolder },
): Promise<RunFacts> {
  const { project, clock, storage, workspaceContext, targetDir, fileService, policy } = engine;
  const { userText, projectText } = await memory.load();
  const date = new Date(clock.now());
  const root = folder?.path ?? targetDir;
  const names = definition.toolConfig?.tools;
  const mayActivate = !names || names.includes('*') || names.includes('activate_skill');
  return {
    environment: describeSession({
      date,
      projectTempDir: storage.getProjectTempDir(),
      directories: folder ? [folder.path] : workspaceContext.getDirectories(),
      tree: project.parameters.includeDirectoryTree
        ? describeFolder(root, fileService, { maxItems: TREE_ITEMS })
        : '',
    }),
    userMemory: userText.trim() && `${memoryIntroduction.trim()}\n\n${userText.trim()}`,
    projectMemory: projectText.trim() && `Instructions of this project:\n${projectText.trim()}`,
    skills: mayActivate ? skills() : '',
    isPlanMode: policy.getApprovalMode() === ApprovalMode.PLAN,
    values: { cliVersion: VERSION, activeModel: model, today: date.toDateString() },
  };
}

/** Context files that a run finds on its way: what the main agent has read, this agent has not. */
function memoryOf({
  project,
  environment,
  targetDir,
  storage,
  workspaceContext,
  fileService,
  redactor,
}: Engine): MemoryContextManager {
  return composeMemory({
    parameters: () => project.parameters,
    environment,
    isTrusted: () => project.isTrusted,
    targetDir,
    storage,
    directories: () => workspaceContext.getDirectories(),
    fileService,
    redact: (text) => redactor.redact(text),
    // The main agent's manager has told the user about them.
    notice: () => undefined,
  });
}
