/** The start after the first frame: header, trust, engine, the first prompt; then the work that can wait. */
import { release } from 'node:os';
import {
  type Config,
  chooseSession,
  FatalAuthenticationError,
  messageOf,
  summariseEarlierSession,
} from '@gemini-cli/core';
import { overridesFrom } from '../../../engine/overrides.js';
import { headerLines } from '../../history/header.js';
import { warmUpLexer } from '../../markdown/lexer.js';
import type { Submitter } from '../commands/submit.js';
import type { AppContext } from '../context/app-context.js';
import { readSavedState, saveState } from '../context/saved-state.js';
import type { EngineHost } from '../conversation/engine-host.js';
import { shownHistory } from '../conversation/recorded-session.js';
import type { TypedHistory } from '../conversation/typed-history.js';
import type { DialogView } from '../dialogs/dialog-view.js';
import type { Dialogs } from '../dialogs/dialogs.js';
import type { Exit } from '../exit.js';
import type { PromptInput } from '../input/prompt-input.js';
import type { Appearance } from '../screen/appearance.js';
import type { Screen } from '../screen/screen.js';
import { askForTrust } from './ask-for-trust.js';
import { mayNudge, nudge } from './ide-nudge.js';
import type { IdleWork } from './idle-work.js';
import { headerIdentity, queryNote, startNotices, tipsFor } from './start-notices.js';

export interface StartupParts {
  context: AppContext;
  engine: EngineHost;
  dialogs: Dialogs;
  dialogView: DialogView;
  appearance: Appearance;
  screen: Screen;
  input: PromptInput;
  typed: TypedHistory;
  submitter: Submitter;
  idle: IdleWork;
  exit: Exit;
}

/** A prompt that was typed early is sent first. */
const AFTER_REQUEST_MS = 20;

export class Startup {
  private readonly saved = readSavedState();
  private readonly tips: readonly string[];
  private installUpdate: () => void = () => undefined;

  constructor(private readonly parts: StartupParts) {
    const { settings, folder, store } = parts.context;
    this.tips = tipsFor(settings, folder.cwd, this.saved.tipsShown);
    store.dispatch({ type: 'switched', what: 'isMinimal', to: this.saved.isMinimal });
  }

  /** @throws what ends the program */
  async run(): Promise<void> {
    const { context, engine, dialogs, submitter, appearance } = this.parts;
    const { line, notice } = context;
    // What is written to the scrollback before would keep the wrong colours.
    await appearance.themes.load();
    this.showHeader();
    const { trust } = context.folder;
    if (trust.source === 'none' && !trust.trusted) await askForTrust({ context, dialogs, engine });
    const { folder, settings } = context;
    const session = await chooseSession({
      overrides: overridesFrom(line.flags),
      cwd: folder.cwd,
      environment: folder.environment,
      sessionId: engine.sessionId,
      settings: settings.general,
      notice,
    });
    const first = line.flags['prompt-interactive'] ?? line.query.join(' ');
    const problem = await engine.start(session).then(
      () => undefined,
      (error: unknown) => signInProblem(error, context),
    );
    if (session.resume)
      context.store.dispatch({ type: 'history_loaded', items: await shownHistory(session.resume) });
    submitter.started(first, problem);
    void this.loadCommands();
    if (first === '' && mayNudge(context)) void this.offerEditor();
  }

  /** With the sign-in still to come, the offer waits for the next start. */
  private async offerEditor(): Promise<void> {
    const { context, dialogs, engine, submitter, input } = this.parts;
    if (!engine.config) return;
    const runCommand = (line: string) => void submitter.submit(line);
    const isUntouched = () => {
      const { streaming, dialog, confirmation, history } = context.store.getState();
      const isQuiet = streaming === 'idle' && !dialog && !confirmation;
      return isQuiet && input.composer.text() === '' && !history.some(({ type }) => type === 'user');
    };
    await nudge(engine.config, { context, dialogs, runCommand, isUntouched });
  }

  /** The session is over. */
  stop(): void {
    this.installUpdate();
  }

  private showHeader(): void {
    const { context, appearance, screen } = this.parts;
    const { settings, line, env, folder } = context;
    const { ui } = settings;
    const identity = headerIdentity(settings, context.store.getState().facts.model, env);
    const header = {
      version: __VERSION__,
      isHidden: ui?.hideBanner ?? false,
      tips: this.tips,
      ...(identity && { identity }),
    };
    const situation = {
      cwd: folder.cwd,
      home: folder.environment.home,
      ui,
      env,
      depth: appearance.depth,
      platform: process.platform,
      release: release(),
    };
    for (const text of [...startNotices(situation), ...folder.settings.takeNotices()]) context.notice(text);
    const note = line.flags['prompt-interactive'] === undefined ? queryNote(line.query) : undefined;
    if (note) context.add({ type: 'info', text: note });
    screen.setHead((look) => [...headerLines(header, look), '']);
  }

  /** Without an engine, e.g. before the sign-in, once more when there is one. */
  private async loadCommands(): Promise<void> {
    const { engine, submitter } = this.parts;
    await new Promise((resolve) => setTimeout(resolve, AFTER_REQUEST_MS));
    await submitter.commands.reload();
    if (engine.config) await this.prepare(engine.config);
    else engine.onceStarted(() => void this.loadCommands());
  }

  private async prepare(config: Config): Promise<void> {
    const { input, typed, dialogView, idle, exit } = this.parts;
    await typed.load();
    idle.add(
      () => warmUpLexer(),
      () => input.warmUp(),
      () => dialogView.live.warmUp(),
      () => this.checkForUpdate(),
      () => void this.updateExtensions(config).catch(this.parts.context.noteProblem),
      () => void summariseEarlierSession(config, exit.signal),
    );
  }

  private async updateExtensions(config: Config): Promise<void> {
    const { context, exit } = this.parts;
    const extensions = config.getExtensions();
    if (extensions.length === 0) return;
    const { updateInBackground } = await import('../../../extensions/background-updates.js');
    await updateInBackground({
      extensions,
      places: {
        environment: config.getEnvironment(),
        settings: context.folder.settings,
        isTrusted: config.isTrustedFolder(),
      },
      tell: context.notice,
      told: this.saved.extensionsTold ?? {},
      remember: (extensionsTold) => saveState({ extensionsTold }),
      signal: exit.signal,
    });
  }

  private async checkForUpdate(): Promise<void> {
    const { context, exit } = this.parts;
    if (this.tips.length > 0) saveState({ tipsShown: this.saved.tipsShown + 1 });
    if (this.saved.updateTried === __VERSION__) {
      context.notice(`Updated to version ${__VERSION__}.`);
      saveState({ updateTried: '' });
    }
    const { checkForUpdate } = await import('../../../update/update.js');
    await checkForUpdate({
      settings: context.settings,
      env: context.env,
      version: __VERSION__,
      script: process.argv[1],
      signal: exit.signal,
      tell: context.notice,
      tried: this.saved.updateTried,
      atSessionEnd: (updateTried, install) => {
        this.installUpdate = () => {
          saveState({ updateTried });
          install();
        };
      },
    });
  }
}

/** A missing sign-in is asked for. @throws every other error */
function signInProblem(error: unknown, { settings }: AppContext): { text?: string } {
  if (!(error instanceof FatalAuthenticationError)) throw error;
  return settings.security?.auth?.selectedType === undefined ? {} : { text: messageOf(error) };
}
