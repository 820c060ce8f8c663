/** Types of declared rights: a process of an extension runs with what the extension's manifest declares, nothing else. */
import type { ExtensionCapabilities } from '../../../protocol/extension-capabilities.js';
import type { SandboxCheck, SandboxedCommand, SandboxRequest } from '../types.js';

/** An extension that declares rights. */
export interface DeclaredRights {
  /** Name of the extension. */
  extension: string;
  /** Its folder, which its processes can always read. */
  extensionPath: string;
  capabilities: ExtensionCapabilities;
}

/** Something that a process tried to use although it is not declared. */
export type RefusedUse =
  | { kind: 'read' | 'write'; path: string }
  /** `look`: it searched for the program; shells do not start what they do not find. */
  | { kind: 'run' | 'look'; program: string }
  | { kind: 'connect'; host: string }
  /** The host is declared, but was not reached through the proxy. */
  | { kind: 'direct'; host: string }
  /** A host name was to be resolved without the proxy, so the name is not known. */
  | { kind: 'resolve' }
  /** A declared path is not granted. */
  | { kind: 'path'; path: string; why: string };

export interface RightsRequest extends Omit<SandboxRequest, 'policy'> {
  rights: DeclaredRights;
  /** Programs that the hook or server itself names, beside `command`. */
  programs: readonly string[];
  /** Declared relative paths start here. */
  workspace: string;
  /** Called once for each use, while the process runs or when it has ended. */
  onRefused: (use: RefusedUse) => void;
}

export interface RestrictedCommand extends SandboxedCommand {
  /** Finds refused uses in what the process printed to stderr. */
  readErrors(text: string): void;
}

/** Runs processes with declared rights on one platform. */
export interface RightsSandbox {
  /** Tests, on first use, whether this machine can restrict processes. */
  check(): Promise<SandboxCheck>;
  /** @throws SandboxError when the process cannot be restricted; it must then not be run */
  restrict(request: RightsRequest): Promise<RestrictedCommand>;
}
