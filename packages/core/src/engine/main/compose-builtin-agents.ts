/** Registers the built-in agents and gives them what they use of the session. */

import type { BrowserAgentHost, ScreenshotQuestion } from '../../agents/browser/host.js';
import { builtinAgents } from '../../agents/builtin/index.js';
import type { AuthType } from '../../model/auth/auth-type.js';
import { utilityModelFor } from '../../model/utility/utility-choice.js';
import { realPathOf } from '../../platform/files/real-path.js';
import type { ToolHost } from '../../tools/catalog.js';
import { pathOf, pathProblem } from '../../tools/path-param.js';
import { ToolCallError, ToolErrorType } from '../../tools/tool-error.js';
import type { Engine } from '../engine.js';

export interface BuiltinAgentParts {
  host: ToolHost;
  mainModel: () => string;
  mainPrompt: () => string;
}

/** The sign-ins with which any model can be asked about a picture. */
const VISUAL_SIGN_INS: readonly (AuthType | undefined)[] = ['gemini-api-key', 'vertex-ai'];

export function composeBuiltinAgents(
  engine: Engine,
  { host, mainModel, mainPrompt }: BuiltinAgentParts,
): void {
  const { models, project, agents } = engine;
  const definitions = builtinAgents({
    mainModel,
    modelFor: (name) =>
      utilityModelFor(models.resolve(name), mainModel(), project.parameters.providers).model,
    mainPrompt,
    browser: browserHost(engine, host),
  });
  for (const definition of definitions) agents.registry.registerAgent(definition);
}

function browserHost(engine: Engine, host: ToolHost): BrowserAgentHost {
  const { project, environment, storage, models, recorder, clock } = engine;
  return {
    settings: () => project.parameters.browser,
    environment,
    globalDir: storage.getGlobalGeminiDir(),
    sandbox: sandboxOf(environment.variables['SANDBOX']),
    uploadPath: (path) => uploadPath(engine, host, path),
    ...(VISUAL_SIGN_INS.includes(models.first.authType) && {
      look: (question: ScreenshotQuestion, signal: AbortSignal) => look(engine, question, signal),
    }),
    recorder,
    now: clock.now,
  };
}

/** Sandboxes on this system confine the browser with us; in a container there is none. */
function sandboxOf(name: string | undefined): BrowserAgentHost['sandbox'] {
  if (!name) return 'none';
  return name === 'sandbox-exec' || name === 'bwrap' ? 'confined' : 'container';
}

/** As for `read_file`: inside the workspace, and not ignored. */
function uploadPath({ fileService, fileFiltering }: Engine, host: ToolHost, path: string): string {
  const problem = pathProblem(host, 'filePath', path, 'read');
  if (problem) throw new ToolCallError(ToolErrorType.INVALID_TOOL_PARAMS, problem);
  const named = pathOf(host, path);
  const real = realPathOf(named);
  if ([named, real].some((candidate) => fileService.shouldIgnoreFile(candidate, fileFiltering)))
    throw new ToolCallError(
      ToolErrorType.PERMISSION_DENIED,
      `"${path}" is ignored by configured ignore patterns.`,
    );
  return real;
}

async function look({ models }: Engine, question: ScreenshotQuestion, signal: AbortSignal): Promise<string> {
  const { model, systemInstruction, instruction, png } = question;
  const { text } = await models.utility.generateText(
    {
      alias: model,
      role: 'utility_tool',
      promptId: 'analyze_screenshot',
      systemInstruction,
      messages: [
        {
          role: 'user',
          origin: 'prompt',
          parts: [{ inlineData: { mimeType: 'image/png', data: png } }, { text: instruction }],
        },
      ],
    },
    signal,
  );
  return text;
}
