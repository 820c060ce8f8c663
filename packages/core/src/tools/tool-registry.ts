/** The tools of a session: which exist, in what order, and what the model is told about them. */

import { nearestNames } from '../base/nearest.js';
import { createLog } from '../platform/log.js';
import type { JsonSchema } from '../protocol/tool-declaration.js';
import { canonicalToolName } from '../protocol/tool-names.js';
import type { AnyDeclarativeTool, FunctionDeclaration } from './tools.js';

const log = createLog('tools');

/** Argument every tool accepts: run only after all calls before it in the same turn. */
export const WAIT_FOR_PREVIOUS = 'wait_for_previous';

export interface DeclarationFilter {
  /** True when no call of the tool could run now. */
  isAlwaysDenied(toolName: string): boolean;
}

/** Whether a tool is declared to this model; tools without an entry always are. */
export type DeclaredFor = (modelId: string) => boolean;

export class ToolRegistry {
  private readonly tools = new Map<string, AnyDeclarativeTool>();
  private readonly declaredFor = new Map<string, DeclaredFor>();

  constructor(private readonly filter: DeclarationFilter) {}

  /** Same name twice: the last wins. */
  registerTool(tool: AnyDeclarativeTool, declaredFor?: DeclaredFor): void {
    if (this.tools.has(tool.name)) log.warn('tool registered twice', { name: tool.name });
    this.tools.set(tool.name, tool);
    if (declaredFor) this.declaredFor.set(tool.name, declaredFor);
    else this.declaredFor.delete(tool.name);
  }

  unregisterTool(name: string): void {
    this.tools.delete(name);
    this.declaredFor.delete(name);
  }

  getTool(name: string): AnyDeclarativeTool | undefined {
    return this.tools.get(canonicalToolName(name));
  }

  getAllTools(): AnyDeclarativeTool[] {
    return [...this.tools.values()];
  }

  getAllToolNames(): string[] {
    return [...this.tools.keys()];
  }

  /** What the model may call now. */
  getFunctionDeclarations(modelId = ''): FunctionDeclaration[] {
    const declarations: FunctionDeclaration[] = [];
    for (const tool of this.tools.values()) {
      if (this.filter.isAlwaysDenied(tool.name)) continue;
      if (this.declaredFor.get(tool.name)?.(modelId) === false) continue;
      declarations.push(withWaitForPrevious(tool.getSchema(modelId)));
    }
    return declarations;
  }

  /** A sentence for the model that asked for a tool that does not exist. */
  describeMissing(name: string): string {
    const near = nearestNames(name, this.getAllToolNames(), 3);
    const hint = near.length > 0 ? ` Did you mean ${near.map((item) => `"${item}"`).join(', ')}?` : '';
    return `Tool "${name}" not found in registry.${hint} Use one of the declared tools.`;
  }
}

function withWaitForPrevious(declaration: FunctionDeclaration): FunctionDeclaration {
  const schema = declaration.parametersJsonSchema;
  if (schema.additionalProperties === false) return declaration;
  const properties: Record<string, JsonSchema> = {
    ...schema.properties,
    [WAIT_FOR_PREVIOUS]: { type: 'boolean', description: 'Run after all earlier calls of this turn.' },
  };
  return { ...declaration, parametersJsonSchema: { ...schema, properties } };
}
