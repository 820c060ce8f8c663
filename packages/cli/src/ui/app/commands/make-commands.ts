/** The slash commands of this session: where they come from, and what they may do. */
import type { DialogName } from '../../../commands/dialog-name.js';
import { BuiltinCommandLoader } from '../../../commands/loaders/builtin.js';
import { commandFolders } from '../../../commands/loaders/command-folders.js';
import { FileCommandLoader } from '../../../commands/loaders/file.js';
import type { AppPort, ICommandLoader } from '../../../commands/types.js';
import type { App } from '../app.js';
import { CommandRunner, type CommandRunnerOptions } from './command-runner.js';

export type ScreenActions = Pick<CommandRunnerOptions, 'clear' | 'loadHistory' | 'toggleVim' | 'quit'>;

export function makeCommands(app: App, port: AppPort, actions: ScreenActions): CommandRunner {
  return new CommandRunner({
    ...actions,
    port,
    store: app.store,
    conversation: app.conversation,
    config: () => app.engine.config,
    settings: () => app.engine.folder.settings,
    loaders: async () => loaders(app),
    stats: () => app.stats(),
    openDialog: (name, props, onClose) => app.openDialog(name as DialogName, props, onClose),
    setClientHistory: async (history) => {
      const client = app.engine.config?.getGeminiClient();
      await client?.initialize();
      client?.getChat().setHistory([...history]);
    },
  });
}

function loaders(app: App): ICommandLoader[] {
  const folders = () =>
    commandFolders({
      projectRoot: app.engine.folder.cwd,
      env: app.env,
      isTrusted: app.store.getState().facts.trusted,
    });
  return [new BuiltinCommandLoader(), new FileCommandLoader(folders, app.notice)];
}
