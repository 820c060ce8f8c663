/** What the steps of a conversion hand on: the plugin as read, the files that it becomes, the report. */
import type { ExtensionSetting } from '../types.js';

export type ReportAction = 'converted' | 'copied' | 'skipped' | 'warned';

export type ComponentKind =
  | 'plugin'
  | 'agent'
  | 'skill'
  | 'command'
  | 'hook'
  | 'mcp-server'
  | 'setting'
  | 'context'
  | 'file';

/** One line of the report. Every loss has one. */
export interface ReportRow {
  action: ReportAction;
  kind: ComponentKind;
  /** A path in the plugin, or the place in a file, such as `.mcp.json: mcpServers.x`. */
  source: string;
  /** A path in the result. */
  target?: string;
  reason?: string;
}

/** A regular file of the plugin. */
export interface PluginFile {
  /** Relative to the plugin, with `/`. */
  path: string;
  absolute: string;
  size: number;
  isExecutable: boolean;
}

/** A link of the plugin that stays inside. */
export interface PluginLink {
  path: string;
  /** What it leads to, relative to the plugin, without links. */
  leadsTo: string;
  isFolder: boolean;
}

export interface SourceText {
  path: string;
  text: string;
}

export interface SourceCommand extends SourceText {
  /** `a/b` is `/a:b`. */
  name: string;
  /** Where the plugin's manifest has one; wins over the header's. */
  description?: string;
  /** The arguments, as the manifest shows them; wins over the header's. */
  hint?: string;
  /** What else the manifest says of the command, which is lost. */
  dropped?: readonly string[];
}

export interface SourceSkill {
  /** The folder of the skill; empty: the plugin itself. */
  folder: string;
  /** Name of the folder, or what the manifest calls it. */
  name: string;
  /** Its SKILL.md; the file may be spelled differently. */
  skillFile: string;
  files: readonly PluginFile[];
  /** Of its Markdown files, by path in the plugin. */
  texts: ReadonlyMap<string, string>;
}

/** JSON of the plugin, and the file or key that it comes from. */
export interface SourceValue {
  source: string;
  value: unknown;
}

/** A script of the plugin that reads variables which Claude Code sets. */
export interface ScriptOfClaude {
  path: string;
  /** CLAUDE_PLUGIN_ROOT. */
  readsRoot: boolean;
  /** CLAUDE_PROJECT_DIR. */
  readsProject: boolean;
  /** `CLAUDE_PLUGIN_OPTION_X`. */
  options: readonly string[];
  /** `transcript_path` of a hook's input. */
  readsTranscript: boolean;
  /** Names that have no value here. */
  notSupplied: readonly string[];
}

/** A plugin as read from disk. Nothing of it was run; paths that leave it are left out. */
export interface ReadPlugin {
  /** As written in its manifest. */
  writtenName: string;
  /** As an extension is called. */
  name: string;
  version?: unknown;
  description?: string;
  agents: readonly SourceText[];
  commands: readonly SourceCommand[];
  skills: readonly SourceSkill[];
  hooks: readonly SourceValue[];
  mcpServers: readonly SourceValue[];
  userConfig?: unknown;
  context?: SourceText;
  /** Files that are not a component by themselves. */
  others: readonly (PluginFile | PluginLink)[];
  /** Scripts that read variables of Claude Code. */
  scriptsOfClaude: readonly ScriptOfClaude[];
  /** Paths of all files. */
  paths: ReadonlySet<string>;
  /** What was left out or looked wrong while reading. */
  rows: readonly ReportRow[];
}

/** A file of the result. */
export type OutputFile =
  | { bytes: Buffer; isExecutable: boolean }
  /** Copied from this absolute path. */
  | { copyOf: string; isExecutable: boolean }
  /** A relative link. */
  | { linkTo: string };

export interface ConvertOptions {
  name?: string;
  excludeSkills?: readonly string[];
  /** False: hooks are left out. */
  hooks?: boolean;
  /** From names of models in the plugin to names here. */
  modelMap?: Readonly<Record<string, string>>;
  /** Agents whose tools have no equivalent get the tools of the session instead of none. */
  inheritTools?: boolean;
  /** Also copies what is usually left out, such as `node_modules`. */
  allFiles?: boolean;
  /** A file of the plugin that becomes GEMINI.md. */
  context?: string;
  /** Also converts what is an extension already. */
  force?: boolean;
}

/** Where the result will be, which decides how its files refer to each other. */
export type ConvertTarget =
  | { kind: 'extension' }
  | { kind: 'home' /** `~/.gemini`, absolute. */; dir: string };

export interface ConvertedPlugin {
  name: string;
  version: string;
  /** By path in the result. For the home folder: `skills/…`, `agents/…`, `commands/…` and `<plugin>/files/…`. */
  files: ReadonlyMap<string, OutputFile>;
  /** Names of the folders in `skills/`. */
  skills: readonly string[];
  mcpServers: Readonly<Record<string, Record<string, unknown>>>;
  settings: readonly ExtensionSetting[];
  rows: readonly ReportRow[];
}
