/** Prepares a docker or podman container for the whole program: image, networks, proxy, environment. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { FatalSandboxError } from '../../../base/errors.js';
import { type RunResult, runProcess } from '../../process/process-runner.js';
import {
  containerName,
  INTERNAL_NETWORK,
  imageName,
  isInternal,
  PROXY_CONTAINER,
  PROXY_NETWORK,
  proxyArguments,
  runArguments,
} from './container.js';
import { containerVariables, splitForEnvFile } from './container-env.js';
import { shadowedVirtualEnvironment } from './container-mounts.js';
import type { SandboxConfig } from './select.js';
import { definedVariables, isSet, type SandboxSession, type WholeProcessSources } from './whole-process.js';

/** Images with this name are made on the machine itself. */
const LOCAL_REGISTRY = 'localhost/';

/** @throws FatalSandboxError with the message of docker */
export async function openContainer(
  config: SandboxConfig,
  sources: WholeProcessSources,
): Promise<SandboxSession> {
  const engine = new ContainerEngine(config.command === 'podman' ? 'podman' : 'docker', sources);
  const { env } = sources;
  const taken = await engine.containerNames();
  const image = isSet(env['BUILD_SANDBOX']) ? await engine.build() : imageName(config, sources);
  if (!isSet(env['BUILD_SANDBOX'])) await engine.ensureImage(image);
  const proxyCommand = env['GEMINI_SANDBOX_PROXY_COMMAND'];
  if (isInternal(config, env)) await engine.ensureNetwork(INTERNAL_NETWORK, ['--internal']);
  if (proxyCommand) await engine.startProxy(image, proxyCommand);

  const venv = shadowedVirtualEnvironment(sources);
  if (venv) mkdirSync(join(sources.cwd, '.gemini/sandbox.venv'), { recursive: true });
  const name = containerName(image, taken);
  const variables = containerVariables(sources, name, proxyCommand ? PROXY_CONTAINER : undefined);
  const { text, inherited } = splitForEnvFile(variables);
  const directory = mkdtempSync(join(sources.temporaryDirectory, 'gemini-sandbox-env-'));
  const envFile = join(directory, 'env');
  const close = async () => {
    rmSync(directory, { recursive: true, force: true });
    if (proxyCommand) await engine.run(['rm', '-f', PROXY_CONTAINER]);
  };
  try {
    writeFileSync(envFile, text, { mode: 0o600, flag: 'wx' });
    const args = runArguments(config, sources, { image, name, envFile, inherited: Object.keys(inherited) });
    return { command: engine.program, args, env: { ...definedVariables(env), ...inherited }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

class ContainerEngine {
  constructor(
    readonly program: 'docker' | 'podman',
    private readonly sources: WholeProcessSources,
  ) {}

  run(args: readonly string[]): Promise<RunResult> {
    return runProcess(this.program, args, { env: this.sources.env, cwd: this.sources.cwd });
  }

  async ensureImage(image: string): Promise<void> {
    if ((await this.run(['image', 'inspect', image])).exitCode === 0) return;
    if (image.startsWith(LOCAL_REGISTRY)) {
      throw new FatalSandboxError(
        `The image ${image} is not on this machine. Build it: npm run build:sandbox in the source folder. ` +
          'Or name another with GEMINI_SANDBOX_IMAGE.',
      );
    }
    this.sources.notify(`Downloading the sandbox image: ${image}`);
    await this.require(['pull', image], `The image ${image} is missing and could not be downloaded`);
  }

  /** From `.gemini/sandbox.Dockerfile` of the project. */
  async build(): Promise<string> {
    const { cwd } = this.sources;
    const file = join(cwd, '.gemini/sandbox.Dockerfile');
    if (!existsSync(file)) throw new FatalSandboxError(`BUILD_SANDBOX is set, but ${file} does not exist.`);
    const project = basename(cwd)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '');
    const image = `gemini-sandbox-${project || 'project'}`;
    this.sources.notify(`Building the sandbox image from ${file}`);
    await this.require(['build', '-f', file, '-t', image, cwd], `The image could not be built from ${file}`);
    return image;
  }

  async ensureNetwork(name: string, options: readonly string[]): Promise<void> {
    if ((await this.run(['network', 'inspect', name])).exitCode === 0) return;
    await this.require(['network', 'create', ...options, name], `The network ${name} could not be created`);
  }

  async startProxy(image: string, command: string): Promise<void> {
    await this.ensureNetwork(PROXY_NETWORK, []);
    await this.run(['rm', '-f', PROXY_CONTAINER]);
    const failure = 'The proxy of GEMINI_SANDBOX_PROXY_COMMAND could not be started';
    await this.require(proxyArguments(image, this.sources, command), failure);
    await this.require(['network', 'connect', INTERNAL_NETWORK, PROXY_CONTAINER], failure);
  }

  async containerNames(): Promise<string[]> {
    const result = await this.require(
      ['ps', '-a', '--format', '{{.Names}}'],
      `${this.program} does not answer`,
      `Start it${this.sources.platform === 'linux' ? ', or install bubblewrap and use --sandbox' : ''}.`,
    );
    return result.stdout.split('\n').map((name) => name.trim());
  }

  private async require(args: readonly string[], failure: string, remedy = ''): Promise<RunResult> {
    const result = await this.run(args);
    if (result.exitCode === 0) return result;
    const said = (result.error?.message ?? result.stderr).trim().split('\n').at(-1);
    const why = said || `${this.program} ended with ${result.exitCode}`;
    throw new FatalSandboxError([`${failure}: ${why}`, remedy].filter(Boolean).join(' '));
  }
}
