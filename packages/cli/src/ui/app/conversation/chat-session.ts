/** The conversation as the rest of the app sees it: requests, the user's shell, statistics, and changing to another session. */
import {
  type AgentEvent,
  type Config,
  chooseSession,
  isMainAgent,
  loadSessions,
  messageOf,
  randomUuid,
} from '@gemini-cli/core';
import type { AppContext } from '../context/app-context.js';
import type { AccountPorts } from './account-questions.js';
import { Conversation } from './conversation.js';
import { EditorWatch } from './editor-watch.js';
import { listenToEngine, type UserQuestions } from './engine-events.js';
import type { EngineHost } from './engine-host.js';
import { watchMode } from './mode-switch.js';
import { shownHistory } from './recorded-session.js';
import { countSkills, gatherFacts } from './session-facts.js';
import { SessionStats } from './session-stats.js';
import { ShellWatch } from './shell-watch.js';
import { UsageFacts } from './usage-facts.js';
import { UserShell } from './user-shell.js';

export class ChatSession {
  readonly conversation: Conversation;
  readonly shell: UserShell;
  readonly stats: SessionStats;
  private readonly shellWatch: ShellWatch;
  private readonly usageFacts: UsageFacts;
  private readonly editorWatch: EditorWatch;
  private stopWatchingMode: () => void = () => undefined;

  constructor(
    private readonly context: AppContext,
    private readonly engine: EngineHost,
    private readonly questions: UserQuestions,
    returnToInput: (text: string) => void,
    account: Pick<AccountPorts, 'changeAuth' | 'quit'> & { openUrl(url: string): Promise<boolean> },
  ) {
    const { store } = context;
    this.conversation = new Conversation(context, engine, questions, returnToInput);
    this.shell = new UserShell(context, engine, this.conversation);
    this.stats = new SessionStats(context, engine);
    this.shellWatch = new ShellWatch(store);
    this.usageFacts = new UsageFacts(store, () => engine.config);
    this.editorWatch = new EditorWatch(context, engine);
    engine.listenWith((events) =>
      listenToEngine(events, {
        store,
        add: (item) => context.add(item),
        report: (text) => void this.conversation.report(text),
        ask: (name, props) => questions.ask(name, props),
        withdraw: (name) => questions.withdraw(name),
        ...account,
        telemetry: () => engine.telemetry,
        openPage: async (url) => {
          if (!(await account.openUrl(url))) context.add({ type: 'info', text: `Open this address: ${url}` });
        },
        restart: () => {
          engine.start().catch((error: unknown) => context.add({ type: 'error', text: messageOf(error) }));
        },
        observe: (event) => this.observe(event),
      }),
    );
    engine.onStarted((config) => this.engineStarted(config));
    store.subscribe(() => this.countBackgroundTasks());
  }

  /** An empty session under a new id, with the same model and sign-in. */
  async startNew(): Promise<void> {
    await this.engine.start({ sessionId: randomUuid(), startSource: 'clear' });
    this.stats.reset();
    this.context.store.dispatch({ type: 'cleared' });
  }

  /** @throws naming what is wrong with the identifier */
  async resume(identifier: string): Promise<void> {
    const { context } = this;
    const { folder, settings, notice } = context;
    const session = await chooseSession({
      overrides: { resume: identifier },
      cwd: folder.cwd,
      environment: folder.environment,
      sessionId: randomUuid(),
      settings: settings.general,
      notice,
    });
    await this.engine.start(session);
    this.stats.reset();
    context.replaceHistory(session.resume ? await shownHistory(session.resume) : []);
  }

  /** Stops the engine and deletes the recorded session if the user wants that. */
  async end({ isDeleted }: { isDeleted: boolean }): Promise<void> {
    const { context, engine } = this;
    const { sessionId, config } = engine;
    await engine.stop();
    if (!isDeleted || !config) return;
    const { SessionSelector, sessionPlaces, deleteSession } = await loadSessions();
    const { settings, folder, now } = context;
    const places = sessionPlaces(
      config.storage,
      settings.general?.sessionStorageDir,
      folder.environment.home,
    );
    try {
      deleteSession(await new SessionSelector({ places, now }).findSession(sessionId), places);
    } catch (error) {
      context.add({ type: 'warning', text: `The session was not deleted: ${messageOf(error)}` });
    }
  }

  private engineStarted(config: Config): void {
    const { store, folder } = this.context;
    this.stopWatchingMode();
    this.stopWatchingMode = watchMode(config, store);
    const facts = {
      model: config.getModel(),
      sessionId: config.getSessionId(),
      trusted: config.isTrustedFolder(),
      // Servers report themselves; without any, nothing would correct the count of the engine before.
      ...(!config.getMcpClientManager() && { mcpServers: 0, mcpBlocked: 0, mcpPrompts: '' }),
    };
    store.dispatch({ type: 'facts_changed', facts });
    store.dispatch({ type: 'ready' });
    config.getShellExecutionService().onBackgroundExit(() => this.countBackgroundTasks());
    const skills = config.getSkillManager();
    skills.onReload(() => store.dispatch({ type: 'facts_changed', facts: { skills: countSkills(skills) } }));
    void gatherFacts(config, folder.cwd, this.context.settings).then((more) =>
      store.dispatch({ type: 'facts_changed', facts: more }),
    );
  }

  private countBackgroundTasks(): void {
    const { store } = this.context;
    const tasks = this.engine.shells?.listBackground() ?? [];
    const agents = this.engine.config?.getAgentCaller().list() ?? [];
    const backgroundTasks =
      tasks.filter(({ status }) => status === 'running').length +
      agents.filter(({ isBackground, status }) => isBackground && status === 'running').length;
    if (backgroundTasks !== store.getState().facts.backgroundTasks)
      store.dispatch({ type: 'facts_changed', facts: { backgroundTasks } });
  }

  private observe(event: AgentEvent): void {
    this.stats.record(event);
    this.editorWatch.observe(event);
    if (!isMainAgent(event.agent)) return;
    this.shellWatch.observe(event);
    this.usageFacts.observe(event);
    if (event.type === 'retry') this.context.noteDetails(event.message);
    if (event.type === 'error') this.context.noteDetails(event.error.message);
    if (event.type === 'warning' && event.code === 'loop_detected') void this.askAboutLoop();
  }

  private async askAboutLoop(): Promise<void> {
    const answer = await this.questions.ask('loop', { situation: { kind: 'loop' } });
    if (answer !== 'disable_loop_detection') return;
    this.engine.config?.getGeminiClient().disableLoopDetection();
    this.context.add({ type: 'info', text: 'Loop detection is off for this session.' });
  }
}
