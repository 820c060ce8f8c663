/** `replace`: replaces text in a file. */
import type { MessageBus } from '../../bus/message-bus.js';
import type { ToolEditConfirmationDetails } from '../../protocol/confirmation.js';
import type { JsonSchema } from '../../protocol/tool-declaration.js';
import { REPLACE } from '../../protocol/tool-names.js';
import type { FileHost, WorkspaceHost } from '../../workspace/host.js';
import { relativeToRoot, shortenPath } from '../../workspace/tool-path.js';
import { describeTool } from '../describe-tool.js';
import type { Approval } from '../file-change.js';
import { FileChangeInvocation } from '../file-change-invocation.js';
import type { InvocationArguments } from '../hosted-invocation.js';
import { findOmissions, omissionProblem } from '../omission.js';
import { acceptSynonyms, pathProblem } from '../path-param.js';
import { ToolErrorType } from '../tool-error.js';
import { BaseDeclarativeTool, Kind, type ToolResult } from '../tools.js';
import type { Correction, CorrectionHost, EditCorrector, FailedEdit } from './correct-edit.js';
import prose from './edit.md';
import { findByName } from './find-by-name.js';
import type { EditToolParams } from './params.js';
import type { EditPlan } from './plan-edit.js';

export type EditHost = Pick<
  WorkspaceHost,
  'getTargetDir' | 'getEnvironment' | 'validatePathAccess' | 'getWorkspaceContext'
> &
  Pick<FileHost, 'getFileSystemService' | 'getFileService'> &
  CorrectionHost;

export type { EditToolParams };

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: {
    file_path: { type: 'string' },
    instruction: { type: 'string' },
    old_string: { type: 'string' },
    new_string: { type: 'string' },
    allow_multiple: { type: 'boolean' },
  },
  required: ['file_path', 'instruction', 'old_string', 'new_string'],
});

const ACCEPTED: JsonSchema = {
  ...schema,
  properties: { ...schema.properties, expected_replacements: { type: 'integer', minimum: 1 } },
  required: ['file_path', 'old_string', 'new_string'],
};

export class EditTool extends BaseDeclarativeTool<EditToolParams, ToolResult> {
  static readonly Name = REPLACE;
  private corrector: EditCorrector | undefined;

  constructor(
    private readonly host: EditHost,
    messageBus: MessageBus,
  ) {
    super(EditTool.Name, 'Edit', description, Kind.Edit, schema, messageBus);
  }

  /** Completes a relative path that lacks its folder, so that policy judges the file that will be changed. */
  protected override normalizeParams(params: EditToolParams): EditToolParams {
    const given = acceptSynonyms(params, { absolute_path: 'file_path', path: 'file_path' });
    const [only, ...others] = findByName(this.host, given);
    return only !== undefined && others.length === 0 ? { ...given, file_path: only } : given;
  }

  protected override validationSchema(): JsonSchema {
    return ACCEPTED;
  }

  protected override validateToolParamValues(params: EditToolParams): string | null {
    const { file_path, old_string, new_string } = params;
    const problem = pathProblem(this.host, 'file_path', file_path, 'write');
    if (problem) return problem;
    const candidates = findByName(this.host, params);
    if (candidates.length > 1) {
      return `File not found: ${file_path}. Several files have that name; give the path of one:\n${candidates.join('\n')}`;
    }
    const present = findOmissions(old_string);
    const placeholder = findOmissions(new_string).find((words) => !present.includes(words));
    return placeholder ? omissionProblem('new_string', placeholder) : null;
  }

  private async correct(failed: FailedEdit, signal: AbortSignal): Promise<Correction | undefined> {
    if (!this.host.isEditCorrectionEnabled?.()) return undefined;
    const { EditCorrector } = await import('./correct-edit.js');
    this.corrector ??= new EditCorrector(this.host);
    return this.corrector.correct(failed, signal);
  }

  protected createInvocation(...call: InvocationArguments<EditToolParams>) {
    return new EditInvocation((failed, signal) => this.correct(failed, signal), this.host, ...call);
  }
}

class EditInvocation extends FileChangeInvocation<EditHost, EditToolParams> {
  /** The strings that a model put in the place of those that did not fit. */
  private corrected: { params: EditToolParams; note: string } | undefined;
  /** A question to the user was prepared: what was not in it must not be done. */
  private isAsked = false;

  constructor(
    private readonly correct: (failed: FailedEdit, signal: AbortSignal) => Promise<Correction | undefined>,
    ...rest: ConstructorParameters<typeof FileChangeInvocation<EditHost, EditToolParams>>
  ) {
    super(...rest);
  }

  getDescription(): string {
    const path = shortenPath(relativeToRoot(this.host, this.path));
    const { old_string, new_string } = this.params;
    return old_string === '' ? `Create ${path}` : `${path}: ${glimpse(old_string)} => ${glimpse(new_string)}`;
  }

  /** Replaces the whole text; in an empty or new file there is nothing to replace. */
  protected paramsFor(content: string, original: string | null): Partial<EditToolParams> {
    return {
      old_string: original ?? '',
      new_string: content,
      allow_multiple: undefined,
      expected_replacements: undefined,
    };
  }

  protected async propose(onConfirm: ToolEditConfirmationDetails['onConfirm'], signal: AbortSignal) {
    const { proposeEdit } = await import('./perform-edit.js');
    const plan = await this.plan(signal);
    this.isAsked = true;
    return (await proposeEdit(this.host, plan, this.params, onConfirm)) ?? false;
  }

  protected async perform(approval: Approval, signal: AbortSignal): Promise<ToolResult> {
    const { performEdit } = await import('./perform-edit.js');
    const plan = await this.plan(signal);
    if ('strategy' in plan && plan.strategy)
      this.host.getTelemetry?.().event('gemini_cli.edit_strategy', { strategy: plan.strategy });
    const edit = { params: this.params, isCorrected: this.corrected !== undefined };
    return performEdit(this.host, this.path, plan, edit, approval);
  }

  /** For the file as it is now. A correction is asked for once, and holds for the question and what follows it. */
  private async plan(signal: AbortSignal): Promise<EditPlan> {
    const { failure, planEdit } = await import('./plan-edit.js');
    const { host, path, params } = this;
    const { corrected } = this;
    const plan = await planEdit(host, path, corrected?.params ?? params);
    if (!('failure' in plan)) return corrected ? { ...plan, note: corrected.note } : plan;
    if (plan.content === undefined || corrected || this.isAsked) return plan;
    const problem = plan.failure.message;
    const correction = await this.correct({ path, params, problem, content: plan.content }, signal);
    if (!correction) return plan;
    if ('unneeded' in correction)
      return failure(
        ToolErrorType.EDIT_NO_CHANGE_LLM_JUDGEMENT,
        `No change needed in ${path}: ${correction.unneeded}`,
      );
    const { explanation, ...strings } = correction;
    const next = {
      params: { ...params, ...strings },
      note: `old_string did not fit and was corrected by a model: ${explanation}`,
    };
    const second = await planEdit(host, path, next.params);
    if ('failure' in second) return plan;
    this.corrected = next;
    return { ...second, note: next.note };
  }
}

/** The first line, for a one-line description. */
function glimpse(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  return first.length > 30 || rest.length > 0 ? `${first.slice(0, 30)}...` : first;
}
