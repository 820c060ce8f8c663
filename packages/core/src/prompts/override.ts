/** `GEMINI_SYSTEM_MD` and `GEMINI_WRITE_SYSTEM_MD`: the system prompt from a file, or into one. */
import { isAbsolute, join, resolve } from 'node:path';
import { FatalConfigError, messageOf } from '../base/errors.js';
import { replaceFile } from '../platform/files/atomic-write.js';
import { FileError } from '../platform/files/file-error.js';
import { isInside, realPathOf } from '../platform/files/real-path.js';
import { readFileBytes } from '../platform/files/safe-read.js';
import { listSkills, listSubAgents, listTools } from './prompt-lists.js';
import type { PromptSituation } from './situation.js';
import { appendContext, composeSections } from './system-prompt.js';

export interface PromptFileOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** Real path of the project's folder; relative paths count from here. */
  projectDir: string;
  homeDir: string;
  /** While false, a prompt file inside the project is not used. */
  isTrusted(): boolean;
  /** One line for the user. */
  notice(text: string): void;
}

/** The system prompt of a session: ours, or the user's file in its place. */
export class SystemPromptSource {
  private readonly readPath: string | undefined;
  private readonly writePath: string | undefined;
  private replacement: string | undefined;
  private hasWritten = false;
  private hasTold = false;

  constructor(private readonly options: PromptFileOptions) {
    this.readPath = this.pathFrom('GEMINI_SYSTEM_MD');
    this.writePath = this.pathFrom('GEMINI_WRITE_SYSTEM_MD');
  }

  /** True while the user's file is used; front ends show it. */
  get isReplaced(): boolean {
    return this.readPath !== undefined && this.isAllowed(this.readPath);
  }

  /**
   * Reads the user's file, so that a missing one ends the program at start-up.
   * @throws FatalConfigError when the file does not exist or cannot be read
   */
  load(): void {
    if (this.readPath !== undefined && this.isReplaced) this.replacement ??= readPrompt(this.readPath);
  }

  /**
   * Files are read and written once per session, at the first call.
   * @throws FatalConfigError when the file does not exist or cannot be read
   */
  compose(situation: PromptSituation): string {
    const base = this.replacementFor(situation) ?? composeSections(situation);
    if (this.writePath !== undefined && !this.hasWritten) this.write(this.writePath, situation);
    return appendContext(base, situation);
  }

  private replacementFor(situation: PromptSituation): string | undefined {
    if (this.readPath === undefined) return undefined;
    if (!this.isAllowed(this.readPath)) {
      this.tellOnce(`System prompt '${this.readPath}' is not used: the folder is not trusted.`);
      return undefined;
    }
    this.load();
    return this.replacement === undefined ? undefined : substitute(this.replacement, situation);
  }

  /** Writes the built-in prompt, so that the user can edit it and use it with `GEMINI_SYSTEM_MD`. */
  private write(path: string, situation: PromptSituation): void {
    this.hasWritten = true;
    // Never overwrites the file that is in use.
    if (this.readPath !== undefined && realPathOf(this.readPath) === realPathOf(path)) return;
    if (!this.isAllowed(path)) {
      this.options.notice(`System prompt not written to '${path}': the folder is not trusted.`);
      return;
    }
    try {
      replaceFile(path, Buffer.from(`${composeSections(situation)}\n`));
    } catch (error) {
      this.options.notice(`System prompt not written to '${path}': ${messageOf(error)}`);
    }
  }

  /** Checks the path as written and its real path, which may differ by a link. */
  private isAllowed(path: string): boolean {
    const { projectDir, isTrusted } = this.options;
    return isTrusted() || !(isInside(path, projectDir) || isInside(realPathOf(path), projectDir));
  }

  private pathFrom(variable: string): string | undefined {
    const { env, projectDir, homeDir } = this.options;
    const value = env[variable]?.trim() ?? '';
    switch (value.toLowerCase()) {
      case '':
      case '0':
      case 'false':
        return undefined;
      case '1':
      case 'true':
        return join(projectDir, '.gemini', 'system.md');
    }
    if (/^~(?:[/\\]|$)/.test(value)) return join(homeDir, value.slice(1));
    return isAbsolute(value) ? resolve(value) : resolve(projectDir, value);
  }

  private tellOnce(text: string): void {
    if (!this.hasTold) this.options.notice(text);
    this.hasTold = true;
  }
}

function readPrompt(path: string): string {
  try {
    return readFileBytes(path)
      .bytes.toString('utf8')
      .replace(/^\uFEFF/, '')
      .trim();
  } catch (error) {
    if (error instanceof FileError && error.problem === 'missing') {
      throw new FatalConfigError(`missing system prompt file '${path}'`, error);
    }
    throw new FatalConfigError(`The system prompt file '${path}' cannot be read: ${messageOf(error)}`, error);
  }
}

/** Names of unknown tools stay as written, so that the user sees the mistake. */
function substitute(text: string, { skills = [], subAgents = [], toolNames = [] }: PromptSituation): string {
  return text.replace(/\$\{(\w+)\}/g, (whole, name: string) => {
    if (name === 'AgentSkills') return listSkills(skills);
    if (name === 'SubAgents') return listSubAgents(subAgents);
    if (name === 'AvailableTools') return listTools(toolNames);
    const tool = name.endsWith('_ToolName') ? name.slice(0, -'_ToolName'.length) : '';
    return toolNames.includes(tool) ? tool : whole;
  });
}
