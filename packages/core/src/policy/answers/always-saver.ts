/** Saves "always" answers to disk, one after the other, and tells the user when that fails. */
import { join } from 'node:path';
import { messageOf } from '../../base/errors.js';
import type { Environment } from '../../platform/environment.js';
import { realPathOf } from '../../platform/files/real-path.js';
import { globalGeminiDir } from '../../platform/storage/storage.js';
import type { ApprovalMode, UpdatePolicy } from '../../protocol/confirmation.js';
import { ANSWERS_FILE } from '../files/saved-answers.js';
import type { PolicySources } from '../files/sources.js';
import type { PolicyRule } from '../rules/rule.js';
import { alwaysRule } from './always-rules.js';

export interface AlwaysSaverHost {
  environment: Environment;
  sources?: () => PolicySources;
  onNotice?: (message: string) => void;
}

export class AlwaysSaver {
  private saving: Promise<void> = Promise.resolve();

  constructor(private readonly host: AlwaysSaverHost) {}

  save(update: UpdatePolicy, mode: ApprovalMode): void {
    this.saving = this.saving
      .then(() => this.write(update, mode))
      .catch((error: unknown) => {
        this.host.onNotice?.(`The rule holds for this session but was not saved: ${messageOf(error)}`);
      });
  }

  /** Resolves when all answers so far are on disk. */
  flush(): Promise<void> {
    return this.saving;
  }

  private async write(update: UpdatePolicy, mode: ApprovalMode): Promise<void> {
    const { environment, sources } = this.host;
    const { globalDir = globalGeminiDir(environment.variables), projectDir } = sources?.() ?? {};
    const workspace = update.persistScope === 'workspace' ? projectDir : undefined;
    const rule = alwaysRule(update, mode, workspace === undefined ? 'user' : 'workspace');
    if (!rule) return;
    const { cwd } = environment;
    // The user's file is read in every project, so the rule names its project; a project's own file need not.
    const bound = workspace === undefined ? { ...rule, project: realPathOf(projectDir ?? cwd) } : rule;
    refuseLong(bound);
    const { saveAlwaysRule } = await import('./persist.js');
    const { keepAccepted } = await import('../files/integrity-after-save.js');
    const directory = workspace === undefined ? globalDir : join(workspace, '.gemini');
    const write = () => saveAlwaysRule(join(directory, 'policies', ANSWERS_FILE), bound);
    const warning = workspace === undefined ? await write() : await keepAccepted(globalDir, workspace, write);
    if (warning) this.host.onNotice?.(warning);
  }
}

/** The loader refuses longer patterns, so the rule would be lost at the next start. */
function refuseLong({ commandExact = '', path = '' }: PolicyRule): void {
  if (commandExact.length + path.length <= LONGEST_SAVED) return;
  throw new Error('it is too long for a policy file.');
}

const LONGEST_SAVED = 1000;
