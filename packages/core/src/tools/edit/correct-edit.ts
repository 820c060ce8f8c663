/** Asks a model to correct the strings of an edit that does not fit its file (`tools.disableLLMCorrection: false`). */
import { extname } from 'node:path';
import { messageOf } from '../../base/errors.js';
import type { UtilityModel } from '../../model/utility/utility-model.js';
import { createLog } from '../../platform/log.js';
import type { TelemetryHost } from '../../telemetry/record.js';
import { findOmissions } from '../omission.js';
import instruction from './correct-edit.md';
import type { EditToolParams } from './params.js';

const log = createLog('tools');
const LIMIT_MS = 40_000;
const CACHED = 50;
/** A longer file would not leave the model room to think. */
const MAX_CONTENT = 200_000;
/** In these files a near miss is easily a broken file. */
const NEVER_CORRECTED = new Set(['.json', '.ipynb', '.jsonc', '.json5']);

export interface CorrectionHost extends TelemetryHost {
  /** `tools.disableLLMCorrection` is false. Absent: never. */
  isEditCorrectionEnabled?(): boolean;
  getUtilityModel?(): UtilityModel;
  /** The model of the conversation. */
  getModel?(): string;
  /** Hides secrets. */
  maskForModel?(text: string): string;
}

/** The strings to use instead, or why no change is needed. */
export type Correction =
  | { old_string: string; new_string: string; explanation: string }
  | { unneeded: string };

export interface FailedEdit {
  path: string;
  params: EditToolParams;
  /** What was wrong with it. */
  problem: string;
  /** The file as it is, with LF. */
  content: string;
}

const SCHEMA = {
  type: 'object',
  properties: {
    search: { type: 'string' },
    replace: { type: 'string' },
    noChangesRequired: { type: 'boolean' },
    explanation: { type: 'string' },
  },
  required: ['search', 'replace', 'noChangesRequired', 'explanation'],
};

/** Remembers its answers: a model that repeats an edit gets the same correction. */
export class EditCorrector {
  private readonly known = new Map<string, Correction>();

  constructor(private readonly host: CorrectionHost) {}

  /** Undefined: not corrected, the edit fails as it is. */
  async correct(edit: FailedEdit, signal: AbortSignal): Promise<Correction | undefined> {
    const utility = this.host.getUtilityModel?.();
    const isWanted =
      this.host.isEditCorrectionEnabled?.() && !NEVER_CORRECTED.has(extname(edit.path).toLowerCase());
    if (!utility || !isWanted || edit.content.length > MAX_CONTENT) return undefined;
    const question = this.questionOf(edit);
    if (question === undefined) return undefined;
    const known = this.known.get(question);
    if (known) return known;
    try {
      const correction = await this.ask(utility, question, signal);
      if (correction) this.remember(question, correction);
      this.note(correction ? 'success' : 'failure');
      return correction;
    } catch (error) {
      signal.throwIfAborted();
      this.note('failure');
      log.warn(`the edit of ${edit.path} was not corrected: ${messageOf(error)}`);
      return undefined;
    }
  }

  private note(correction: 'success' | 'failure'): void {
    this.host.getTelemetry?.().event('gemini_cli.edit_correction', { correction });
  }

  private async ask(
    utility: UtilityModel,
    question: string,
    signal: AbortSignal,
  ): Promise<Correction | undefined> {
    const answer = await utility.generateJson(
      {
        alias: 'llm-edit-fixer',
        role: 'utility_edit_corrector',
        promptId: 'edit-correction',
        systemInstruction: instruction.trim(),
        messages: [{ role: 'user', origin: 'prompt', parts: [{ text: question }] }],
        mainModel: this.host.getModel?.(),
        schema: SCHEMA,
      },
      AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
    );
    const [search, replace] = [String(answer['search']), String(answer['replace'])];
    const explanation = String(answer['explanation']);
    if (answer['noChangesRequired'] === true) return { unneeded: explanation };
    const isUsable =
      search !== '' && search !== replace && findOmissions(replace).length <= findOmissions(search).length;
    return isUsable ? { old_string: search, new_string: replace, explanation } : undefined;
  }

  /** Undefined: there are secrets in it. A correction of redacted text would write the redaction to the file. */
  private questionOf({ path, params, problem, content }: FailedEdit): string | undefined {
    const { instruction: purpose = '', old_string, new_string } = params;
    const question = [
      section('path', path),
      section('purpose', purpose),
      section('search', old_string),
      section('replace', new_string),
      section('problem', problem),
      section('file', content),
    ].join('\n');
    const masked = this.host.maskForModel?.(question) ?? question;
    return masked === question ? question : undefined;
  }

  private remember(question: string, correction: Correction): void {
    const oldest = this.known.keys().next().value;
    if (this.known.size >= CACHED && oldest !== undefined) this.known.delete(oldest);
    this.known.set(question, correction);
  }
}

function section(name: string, text: string): string {
  return `<${name}>\n${text.replaceAll(`</${name}>`, `&lt;/${name}>`)}\n</${name}>`;
}
