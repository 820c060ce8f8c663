/** Prompts and commands of this project that can be called back with Up. Earlier ones are read after the first frame. */
import { type Config, loadSessions } from '@gemini-cli/core';
import { PromptHistory, type PromptLog } from '../../../input/prompt-history.js';

export class TypedHistory {
  readonly prompts: PromptHistory;
  readonly shellCommands: PromptHistory;

  constructor(config: () => Config | undefined, now: () => number) {
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

/** Nothing is kept while there is no engine: it knows the project and its secrets. */
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
      if (here) await files.append(text, here);
    },
  };
}
