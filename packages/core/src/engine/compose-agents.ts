/** The agents of a project: their registry, and their files, which are read when they are first needed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentFolder } from '../agents/definition/load-folder.js';
import type { AgentFiles, AgentReload } from '../agents/registry/agent-files.js';
import { AgentRegistry } from '../agents/registry/agent-registry.js';
import { messageOf } from '../base/errors.js';
import type { EventStream } from '../bus/event-stream.js';
import type { Storage } from '../platform/storage/storage.js';
import type { Project } from './project.js';

export interface AgentServices {
  registry: AgentRegistry;
  /** Reads the files, once. Waits for the user's answer about new agents of the project. Never throws. */
  load(): Promise<void>;
  /** Reads the files again. */
  reload(): Promise<AgentReload>;
  /** The trust of the folder or the settings have changed. */
  refresh(): void;
  close(): void;
}

export interface AgentParts {
  project: Project;
  targetDir: string;
  storage: Storage;
  events: EventStream;
  /** Aborting withdraws the question about new agents. */
  signal: AbortSignal;
  isKnownModel: (model: string) => boolean;
}

export function composeAgents(parts: AgentParts): AgentServices {
  const { project, targetDir, storage } = parts;
  const registry = new AgentRegistry({
    rules: () => ({
      enableAgents: project.parameters.enableAgents,
      ...project.parameters.agents,
      ignoresProject: !project.isTrusted,
    }),
    warn: project.notice,
  });
  const userDir = join(storage.getGlobalGeminiDir(), 'agents');
  const projectDir = join(targetDir, '.gemini', 'agents');
  const isUserDir = projectDir === userDir;
  const folders = (): AgentFolder[] => [
    { dir: userDir, kind: 'user' },
    ...(project.isTrusted && !isUserDir
      ? [{ dir: projectDir, kind: 'project' as const, root: targetDir }]
      : []),
    ...(project.parameters.extensionAgents ?? []).map(({ dir, extensionName, variables, memory }) => ({
      dir,
      kind: 'extension' as const,
      extensionName,
      variables,
      root: dir,
      ...(memory && { memory }),
    })),
  ];
  let files: Promise<AgentFiles> | undefined;
  let first: Promise<unknown> | undefined;
  const reload = async () => {
    if (!project.isTrusted && !isUserDir && existsSync(projectDir))
      project.notice('The agents of this folder are not loaded, because the folder is not trusted.');
    files ??= openFiles(parts, { registry, folders });
    return (await files).reload();
  };
  /** For callers that do not wait for the result. */
  const reloadQuietly = () =>
    reload().catch((error: unknown) => project.notice(`Agents could not be loaded: ${messageOf(error)}`));
  const load = async () => {
    if (!project.parameters.enableAgents) return;
    // Without a folder there is nothing to read, and the code that reads is not loaded.
    first ??= [projectDir, ...folders().map(({ dir }) => dir)].some((dir) => existsSync(dir))
      ? reloadQuietly()
      : undefined;
    await first;
  };
  const stop = project.parameters.settings?.onChange(() => {
    const next = project.parameters.deriveForTrust?.(project.isTrusted);
    if (next) project.change({ agents: next.agents, enableAgents: next.enableAgents });
    registry.changed();
  });
  return {
    registry,
    load,
    reload,
    refresh: () => {
      if (first) void reloadQuietly();
      registry.changed();
    },
    close: () => stop?.(),
  };
}

async function openFiles(
  { project, targetDir, storage, events, signal, isKnownModel }: AgentParts,
  { registry, folders }: { registry: AgentRegistry; folders: () => AgentFolder[] },
): Promise<AgentFiles> {
  const [{ AgentFiles: Files }, { Acknowledgments }] = await Promise.all([
    import('../agents/registry/agent-files.js'),
    import('../agents/registry/acknowledgments.js'),
  ]);
  const store = join(storage.getGlobalGeminiDir(), 'acknowledgments', 'agents.json');
  return new Files({
    registry,
    folders,
    acknowledgments: new Acknowledgments(store, targetDir),
    askToEnable: async (agents) => {
      if (!project.parameters.interactive) return undefined;
      const reply = await events.ask({ kind: 'project_agents', agents }, { signal });
      if (reply.status === 'unanswerable') return undefined;
      return reply.status === 'answered' && reply.answer;
    },
    notice: project.notice,
    isKnownModel,
  });
}
