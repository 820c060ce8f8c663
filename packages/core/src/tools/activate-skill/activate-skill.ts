/** `activate_skill`: gives the model the instructions of a skill and lets it read the skill's folder. */
import { messageOf } from '../../base/errors.js';
import { escapeRegex } from '../../base/escape-regex.js';
import { visibleText } from '../../base/visible-text.js';
import type { MessageBus } from '../../bus/message-bus.js';
import type { PolicyUpdateOptions, ToolInfoConfirmationDetails } from '../../protocol/confirmation.js';
import type { FunctionDeclaration } from '../../protocol/tool-declaration.js';
import { ACTIVATE_SKILL } from '../../protocol/tool-names.js';
import type { SkillActivation } from '../../skills/activation.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { ToolErrorType } from '../tool-error.js';
import { BaseDeclarativeTool, Kind, type ToolResult, toolFailure } from '../tools.js';
import prose from './activate-skill.md';

export interface ActivateSkillParams {
  name: string;
}

export interface SkillHost {
  getSkillActivation(): SkillActivation;
}

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: { name: { type: 'string', minLength: 1 } },
  required: ['name'],
  additionalProperties: false,
});

/** False: there is nothing to activate, and the tool is not declared. */
export function hasSkills(host: SkillHost): boolean {
  return host.getSkillActivation().listed().length > 0;
}

export class ActivateSkillTool extends BaseDeclarativeTool<ActivateSkillParams, ToolResult> {
  static readonly Name = ACTIVATE_SKILL;
  override readonly keepsWholeOutput = true;

  constructor(
    private readonly host: SkillHost,
    messageBus: MessageBus,
  ) {
    super(ActivateSkillTool.Name, 'Activate Skill', description, Kind.Other, schema, messageBus);
  }

  /** The names are those of the moment, so that a reload needs no new tool. */
  override getSchema(modelId?: string): FunctionDeclaration {
    const declaration = super.getSchema(modelId);
    const names = this.host
      .getSkillActivation()
      .listed()
      .map(({ name }) => name);
    if (names.length === 0) return declaration;
    const { parametersJsonSchema: parameters } = declaration;
    const { minLength: _, ...name } = parameters.properties?.['name'] ?? {};
    return {
      ...declaration,
      parametersJsonSchema: {
        ...parameters,
        properties: { ...parameters.properties, name: { ...name, enum: names } },
      },
    };
  }

  protected createInvocation(...call: InvocationArguments<ActivateSkillParams>) {
    return new ActivateSkillInvocation(this.host, ...call);
  }
}

class ActivateSkillInvocation extends HostedInvocation<SkillHost, ActivateSkillParams> {
  getDescription(): string {
    return this.skill()?.name ?? this.params.name;
  }

  protected override async getConfirmationDetails(): Promise<ToolInfoConfirmationDetails> {
    const skill = this.skill();
    const prompt = skill
      ? [
          skill.description,
          '',
          'Its instructions are added to the conversation, and its files become readable:',
          this.host.getSkillActivation().resourcesOf(skill),
        ].join('\n')
      : `There is no enabled skill "${this.params.name}".`;
    return {
      type: 'info',
      title: skill?.name ?? this.params.name,
      prompt: visibleText(prompt),
      onConfirm: (outcome) => this.publishPolicyUpdate(outcome),
    };
  }

  /** "Always" means this skill. */
  protected override getPolicyUpdateOptions(): PolicyUpdateOptions {
    return { argsPattern: `\\x00"name":${escapeRegex(JSON.stringify(this.params.name))}\\x00` };
  }

  protected async run(): Promise<ToolResult> {
    const activation = this.host.getSkillActivation();
    const skill = this.skill();
    if (!skill) {
      const names = activation.listed().map(({ name }) => name);
      const available =
        names.length > 0 ? `Available skills: ${names.join(', ')}.` : 'No skill is available.';
      const message = `Skill "${this.params.name}" not found. ${available}`;
      return toolFailure(message, ToolErrorType.INVALID_TOOL_PARAMS);
    }
    try {
      const text = activation.activate(skill);
      await activation.announce(skill);
      return { llmContent: text, returnDisplay: `Skill "${skill.name}" activated.` };
    } catch (error) {
      return toolFailure(
        `Skill "${skill.name}" cannot be read: ${messageOf(error)}`,
        ToolErrorType.EXECUTION_FAILED,
      );
    }
  }

  private skill() {
    return this.host.getSkillActivation().find(this.params.name);
  }
}
