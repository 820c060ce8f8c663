/** The main agent: the conversation with the user, with model choice, context files, recording and checkpoints. */
import { openTodosIn } from '../../agent/chat/open-todos.js';
import type { SessionEndReason } from '../../agent/hook-ports.js';
import { ModelJudge } from '../../agent/loops/model-judge.js';
import type { ModelChoice } from '../../agent/model-choice.js';
import { asAgentCall } from '../../agents/run/exposure.js';
import { Closers } from '../../base/closers.js';
import { messageOf } from '../../base/errors.js';
import { Late } from '../../base/late.js';
import type { MemoryContextManager } from '../../memory/context-files.js';
import { describeSession } from '../../prompts/session-context.js';
import type { ChatRecordingService } from '../../sessions/recording/chat-recording-service.js';
import { activatedIn } from '../../skills/activated-text.js';
import { registerBuiltinTools, type ToolHost } from '../../tools/catalog.js';
import { withPlanPath } from '../../tools/plan-mode/plan-path.js';
import { RecallTurnTool } from '../../tools/recall-turn/recall-turn.js';
import { SearchToolsTool } from '../../tools/search-tools/search-tools.js';
import { watchBackgroundCompletion } from '../../tools/shell/background-completion.js';
import { describeFolder } from '../../workspace/folder-structure.js';
import { type Agent, composeAgent } from '../compose-agent.js';
import { composeRemoteAgents } from '../compose-remote-agents.js';
import { observeSession } from '../compose-telemetry.js';
import type { Engine } from '../engine.js';
import type { CompleteParameters } from '../parameters.js';
import { ProgramInstructions, registerProgramTools } from '../program-parts.js';
import { type AgentRunServices, composeAgentRuns } from './compose-agent-runs.js';
import { type AutoMemoryServices, composeAutoMemory } from './compose-auto-memory.js';
import { composeBuiltinAgents } from './compose-builtin-agents.js';
import type { CheckpointServices } from './compose-checkpoints.js';
import { composeDiscovery, type Discovery } from './compose-discovery.js';
import { composeMemory } from './compose-memory.js';
import { composeModelChoice } from './compose-model-choice.js';
import { composePrompts } from './compose-prompts.js';
import { composeRecording } from './compose-recording.js';
import { finalAnswerCheckOf } from './final-answer-check.js';
import { warmUpForCommands } from './warm-up.js';

const TREE_ITEMS = 200;

export interface MainAgent extends Agent {
  choice: ModelChoice;
  memory: MemoryContextManager;
  autoMemory: AutoMemoryServices;
  agentRuns: AgentRunServices['runs'];
  recording: ChatRecordingService | undefined;
  /** See `GEMINI_SYSTEM_MD`. */
  hasOwnPrompt(): boolean;
  /** Loaded on first use. */
  checkpoints: () => Promise<CheckpointServices>;
  /** Switches to another model or alias, from the next call on. @throws what its provider lacks */
  useModel(name: string): Promise<void>;
  /** Applies what changed in a running session. */
  apply(parameters: CompleteParameters): void;
  /** Tells the hooks that the session begins; they may use the services of the engine. */
  begin(): Promise<void>;
  /** Ends the session, then closes what it has opened. */
  end(reason: SessionEndReason): Promise<void>;
}

/**
 * Closes everything if the start fails.
 * @param host what the tools ask for the services they use
 */
export async function composeMainAgent(engine: Engine, host: ToolHost): Promise<MainAgent> {
  const closers = new Closers();
  try {
    return await compose(engine, host, closers);
  } catch (error) {
    // The user sees the first error, not errors while closing.
    await closers.close().catch(() => undefined);
    throw error;
  }
}

async function compose(engine: Engine, host: ToolHost, closers: Closers): Promise<MainAgent> {
  const { project, models, policy, modes, storage, redactor, events, environment } = engine;
  const { workspaceContext, fileService, targetDir, clock, shell, shellSettings } = engine;
  const { telemetry, recorder, skills } = engine;
  const { parameters } = project;
  const choice = await composeModelChoice(engine);
  const conversation = () => engine.conversation.ifSet?.() ?? [];
  const recording = composeRecording({
    project,
    targetDir,
    storage,
    redactor,
    conversation,
    addDirectory: (path) => workspaceContext.addDirectory(path),
  });
  closers.add(() => recording?.close());
  engine.transcriptPath.set(() => recording?.service.transcriptFile);
  const memory = composeMemory({
    parameters: () => project.parameters,
    environment,
    isTrusted: () => project.isTrusted,
    targetDir,
    storage,
    directories: () => workspaceContext.getDirectories(),
    fileService,
    redact: (text) => redactor.redact(text),
    notice: project.notice,
  });
  const directory = engine.agents.registry;
  const self = new Late<Agent>('The main agent');
  const remote = composeRemoteAgents({ environment, clock, events, redactor, notice: project.notice });
  closers.add(remote.close);
  const ending = new AbortController();
  closers.add(() => ending.abort());
  const loadAgents = async () => {
    await engine.agents.load();
    await remote.load(directory.getAllAgents(), ending.signal);
  };
  const agentRuns = composeAgentRuns(engine, {
    host,
    directory,
    main: () => self.value,
    mainModel: () => choice.model,
    memory,
    skills: () => skills.promptSection(),
    remote: () => remote,
  });
  closers.add(agentRuns.close);
  const subAgents = () => agentRuns.runs.listed();
  const instructions = new ProgramInstructions(parameters.program);
  const prompts = composePrompts({
    project,
    environment,
    policy,
    memory,
    targetDir,
    skills: () => skills.activation.listed(),
    subAgents,
    programInstructions: () => instructions.text,
    serverInstructions: engine.mcp.instructions,
  });
  composeBuiltinAgents(engine, {
    host,
    mainModel: () => choice.model,
    mainPrompt: () => prompts.composeForAgent(choice.model, self.value.tools),
  });
  const checkpoints = new Late<() => Promise<CheckpointServices>>('The checkpoints');
  const discovery = new Late<Discovery>('The discovery of tools');
  const agent = await composeAgent(engine, {
    name: 'main',
    isMain: true,
    model: choice,
    settings: (model, isRetry) => models.configs.forChat(model, { isRetry }).settings,
    systemInstruction: prompts.compose,
    registerTools: (registry, bus, context) => {
      registerBuiltinTools(registry, host, bus, parameters);
      // Not in the catalog: both come and go during a session, and no tool list can exclude them.
      registry.registerTool(new SearchToolsTool(registry, bus));
      registry.registerTool(new RecallTurnTool(context, bus), () => context.hasArchive());
      registerProgramTools(registry, bus, parameters.program);
    },
    opening: async () => {
      const [opened] = await Promise.all([memory.opening(), skills.ready(), loadAgents()]);
      return describeSession({
        date: new Date(clock.now()),
        projectTempDir: storage.getProjectTempDir(),
        directories: workspaceContext.getDirectories(),
        tree: parameters.includeDirectoryTree
          ? describeFolder(targetDir, fileService, { maxItems: TREE_ITEMS })
          : '',
        memory: opened,
      });
    },
    beforePrompt: async () => {
      await Promise.all([memory.refresh(), skills.ready(), loadAgents(), engine.refreshHooks()]);
    },
    ...(parameters.program?.instructions && {
      beforeTurn: async (_turn, signal) => instructions.refresh(signal),
    }),
    promptContext: engine.ide.forPrompt,
    untilToolsReady: async (signal) => {
      await Promise.all([discovery.value.ready(), engine.mcp.ready(signal)]);
    },
    finalAnswerCheck: await finalAnswerCheckOf(parameters, { utility: models.utility, recorder }),
    judge: parameters.disableLoopDetection
      ? undefined
      : new ModelJudge(models.utility, () => choice.model, recorder),
    reminders: () =>
      [...memory.reminders(), openTodosIn(conversation()), ...activatedIn(conversation()).values()].filter(
        (text) => text !== undefined,
      ),
    recording: recording?.service,
    recordedBeforeCompression: recording?.beforeCompression,
    saveHistory: recording && (() => recording.recorder.catchUp()),
    contextFor: (paths) => memory.forPaths(paths),
    rewriteArgs: (name, args) => withPlanPath(host, name, args),
    standIn: (name, args) => asAgentCall(agentRuns.runs, name, args),
    snapshots: engine.snapshots?.forCalls(
      parameters.checkpointing
        ? async ({ toolName: name, args, paths }, snapshotId) => {
            try {
              const { checkpoints: made } = await checkpoints.value();
              made.beforeCall({ name, args, paths, ...(snapshotId && { snapshotId }) });
            } catch (error) {
              project.notice(`No checkpoint was made before ${name}: ${messageOf(error)}`);
            }
          }
        : undefined,
    ),
  });
  closers.add(agent.close);
  self.set(agent);
  const { client, session, tools, bus } = agent;
  discovery.set(composeDiscovery(engine, tools, bus));
  engine.mcp.attach(tools, bus);
  closers.add(() => discovery.value.close());
  engine.taskJudge.agent.set({ tools: () => tools.getAllTools(), model: () => choice.model });
  engine.conversation.set(() => (client.isInitialized() ? client.getChat().getHistory() : []));
  const useModel = async (name: string) => {
    const model = models.resolve(name);
    await models.prepare(model);
    choice.choose(model);
    project.change({ model: name });
    engine.agents.registry.changed();
  };
  checkpoints.set(
    once(async () => {
      const { composeCheckpoints } = await import('./compose-checkpoints.js');
      return composeCheckpoints({
        project,
        environment,
        policy,
        choice,
        useModel,
        client,
        session,
        storage,
        redactor,
        fileService,
        authType: () => models.first.authType,
        mayWrite: (path) => engine.pathAccess(path, 'write'),
        recording,
        recorder,
        ...(engine.snapshots && { openSnapshots: engine.snapshots.open }),
      });
    }),
  );
  await recording?.attach(session, client, agent.context.firstThatFits);
  if (parameters.sessions?.resume) skills.activation.restore(activatedIn(conversation()));
  const autoMemory = composeAutoMemory(engine, { memory, model: () => choice.model });
  closers.add(autoMemory.stop);
  closers.add(
    warmUpForCommands({
      session,
      policyEngine: policy,
      toolRegistry: tools,
      shellExecutionService: shell,
      containment: engine.containment,
      snapshots: engine.snapshots,
      path: environment.variables['PATH'],
    }),
  );
  watchBackgroundCompletion(
    shell,
    () => shellSettings.backgroundCompletionBehavior,
    ({ kind, text, process: { pid } }) => void events.emit({ type: 'background_completed', kind, text, pid }),
  );
  if (telemetry) {
    closers.add(
      await observeSession(telemetry, {
        events,
        environment,
        parameters,
        modes,
        now: clock.now,
        model: choice.model,
      }),
    );
  }
  // The question about new agents of the project comes before the first prompt.
  if (parameters.interactive) void loadAgents();
  return {
    ...agent,
    begin: () =>
      session.begin(parameters.startSource ?? (parameters.sessions?.resume ? 'resume' : 'startup')),
    choice,
    memory,
    autoMemory,
    agentRuns: agentRuns.runs,
    recording: recording?.service,
    hasOwnPrompt: prompts.isReplaced,
    checkpoints: () => checkpoints.value(),
    useModel,
    apply: (next) => {
      registerBuiltinTools(tools, host, bus, next);
      registerProgramTools(tools, bus, next.program);
      discovery.value.refresh();
    },
    end: async (reason) => {
      await session.end(reason);
      await closers.close();
    },
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
