/** Prompts and shell commands of this project, recalled with Up. Earlier ones are read after the first frame. */
import { type Config, loadSessions } from '@gemini-cli/core';
import { isCommandLine } from '../../../commands/parse-command.js';
import { PromptHistory, type PromptLog } from '../../../input/prompt-history.js';
import type { EngineHost } from './engine-host.js';

export class TypedHistory {
  readonly prompts: PromptHistory;
  readonly shellCommands: PromptHistory;

  constructor(engine: EngineHost, now: () => number) {
    const config = () => engine.config;
    this.prompts = new PromptHistory(
      logOf(config, {
        read: async ({ storage }) => (await loadSessions()).readPrompts(storage.getProjectTempDir()),
        append: async (text, { storage, sessionId, redact }) => {
          const { addPrompt } = await loadSessions();
          await addPrompt(storage.getProjectTempDir(), { sessionId, text, timeMs: now() }, redact);
        },
      }),
    );
    this.shellCommands = new PromptHistory(
      logOf(config, {
        read: async ({ storage }) => (await loadSessions()).readShellCommands(storage.getProjectTempDir()),
        append: async (text, { storage, redact }) => {
          const { addShellCommand } = await loadSessions();
          await addShellCommand(storage.getProjectTempDir(), text, redact);
        },
      }),
    );
  }

  async load(): Promise<void> {
    await Promise.all([this.prompts.load(), this.shellCommands.load()]);
  }
}

interface Place {
  storage: Config['storage'];
  sessionId: string;
  redact: (text: string) => string;
}

/** Nothing is recorded without an engine, which knows the project and its secrets. */
function logOf(
  config: () => Config | undefined,
  files: {
    read(place: Place): Promise<readonly string[]>;
    append(text: string, place: Place): Promise<void>;
  },
): PromptLog {
  const place = (): Place | undefined => {
    const current = config();
    return (
      current && {
        storage: current.storage,
        sessionId: current.getSessionId(),
        redact: (text) => current.getRedactor().redact(text),
      }
    );
  };
  return {
    read: async () => {
      const here = place();
      return here ? files.read(here) : [];
    },
    append: async (text) => {
      const here = place();
      if (!here) return;
      if (isCommandLine(text)) await whenDrawn();
      await files.append(text, here);
    },
  };
}

/** Writing a file takes as long as drawing a dialog, which a command may open. Prompts are written at once. */
async function whenDrawn(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}
