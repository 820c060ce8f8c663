/** Chooses the sandbox for the value `true`: the first that this machine has. */
import { FatalSandboxError } from '../../../base/errors.js';
import type { SandboxCommand, SelectionSources } from './select.js';
import { isSet } from './whole-process.js';

interface Request {
  /** Where the value comes from, for messages. */
  origin: string;
  /** By GEMINI_SANDBOX_IMAGE or the settings. */
  isImageNamed: boolean;
}

/** @throws FatalSandboxError when there is none */
export async function automaticSandbox(sources: SelectionSources, request: Request): Promise<SandboxCommand> {
  const { platform, hasProgram } = sources;
  if (platform === 'darwin' && hasProgram('sandbox-exec')) return 'sandbox-exec';
  const container = (['docker', 'podman'] as const).find(hasProgram);
  if (platform === 'linux') return linuxSandbox(sources, request, container);
  if (container) return container;
  throw new FatalSandboxError(
    `${request.origin} asks for a sandbox, but neither docker nor podman is installed, and nothing is run without it. ` +
      `Install one of them, or remove ${request.origin}.`,
  );
}

/** Bubblewrap comes before our own image: it needs no daemon and no image. */
async function linuxSandbox(
  { env, bubblewrapProblem }: SelectionSources,
  { origin, isImageNamed }: Request,
  container: 'docker' | 'podman' | undefined,
): Promise<SandboxCommand> {
  const ofContainers = ['BUILD_SANDBOX', 'GEMINI_SANDBOX_PROXY_COMMAND'].find((name) => isSet(env[name]));
  if (container && (isImageNamed || ofContainers)) return container;
  if (ofContainers) {
    throw new FatalSandboxError(`${ofContainers} needs docker or podman, and neither is installed.`);
  }
  const problem = await bubblewrapProblem();
  if (!problem) return 'bwrap';
  if (container) return container;
  throw new FatalSandboxError(
    `${origin} asks for a sandbox, and nothing is run without it. ${problem.reason} ${problem.remedy} ` +
      `Or install docker or podman, or remove ${origin}.`,
  );
}
