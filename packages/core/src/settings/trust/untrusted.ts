/**
 * The only table of what is allowed in an untrusted folder. All code that loads or runs something checks it; anything
 * not in the table is refused there.
 */
import { ApprovalMode } from '../../protocol/confirmation.js';

const ALLOWED_WHEN_UNTRUSTED = {
  /** `.gemini/settings.json` of the folder counts as `{}`. */
  workspace_settings: false,
  /** `.env` and `.gemini/.env` of the folder and of those above it. */
  project_env: false,
  /** `~/.gemini/.env` and `~/.env` are the user's own. */
  user_env: true,
  /** Hooks of the folder's settings and `hooks.toml`: neither loaded nor, if loaded before, run. */
  hooks: false,
  /** Hooks of user and system settings and of installed extensions. */
  user_hooks: true,
  /** `.gemini/commands` of the folder. */
  commands: false,
  /** Commands of the user and of installed extensions. */
  user_commands: true,
  /** `.gemini/skills` and `.agents/skills` of the folder. */
  skills: false,
  /** Skills of the user, of installed extensions, and our own. */
  user_skills: true,
  /** `.gemini/agents` of the folder. */
  agents: false,
  /** Agents of the user, of installed extensions, and our own. */
  user_agents: true,
  /** `.gemini/policies` and `policies.toml` of the folder; nor are rules saved there. */
  policies: false,
  /** Rules of the user and the administrator; `allow_rules` says what they cannot do. */
  user_policies: true,
  /** Rules beyond the built-in ones that skip a question: `tools.allowed`, `trust` of a server, saved answers. */
  allow_rules: false,
  /** Context files of the folder and its parents, at start and when a tool reads a file. */
  context_files: false,
  /** `~/.gemini/GEMINI.md` and memory the user has accepted. */
  user_context_files: true,
  /** Connections to any MCP server, also the user's own: they would act on untrusted content. */
  mcp_servers: false,
  /** `tools.discoveryCommand` and `tools.callCommand`, also of the user's own settings: they run in the folder. */
  discovered_tools: false,
  /** Extensions found in the folder itself. */
  workspace_extensions: false,
  /** Extensions the user has installed. */
  user_extensions: true,
  /** Installing, updating, removing, linking, enabling and disabling extensions. */
  extension_changes: false,
  /** Approval mode `auto_edit`: every tool that changes something asks. */
  auto_accept: false,
  /** Approval mode `yolo`. */
  yolo: false,
  /** Approval mode `plan`; it is stricter than the default. */
  plan: true,
  /** "Always" among the answers to a confirmation. */
  always_allow: false,
  /** `context.includeDirectories` of the folder's settings. */
  include_directories: false,
  /** `--include-directories` and those of the user's settings. */
  user_include_directories: true,
  /** `git` without a question: its configuration in the folder can name programs to run. */
  git_unasked: false,
  /** `GEMINI_API_KEY` and `GOOGLE_API_KEY` in the environment of shell commands. */
  credentials_for_commands: false,
} as const satisfies Record<string, boolean>;

export type FolderFeature = keyof typeof ALLOWED_WHEN_UNTRUSTED;

export function allowedWhenUntrusted(kind: FolderFeature): boolean {
  return Object.hasOwn(ALLOWED_WHEN_UNTRUSTED, kind) && ALLOWED_WHEN_UNTRUSTED[kind];
}

/** The same, for callers that know whether the folder is trusted. */
export function isAllowed(kind: FolderFeature, folder: { trusted: boolean }): boolean {
  return folder.trusted || allowedWhenUntrusted(kind);
}

/** The approval mode used in an untrusted folder when `mode` is requested. */
export function modeWhenUntrusted(mode: ApprovalMode): ApprovalMode {
  switch (mode) {
    case ApprovalMode.YOLO:
      return allowedWhenUntrusted('yolo') ? mode : ApprovalMode.DEFAULT;
    case ApprovalMode.AUTO_EDIT:
      return allowedWhenUntrusted('auto_accept') ? mode : ApprovalMode.DEFAULT;
    case ApprovalMode.PLAN:
      return allowedWhenUntrusted('plan') ? mode : ApprovalMode.DEFAULT;
    case ApprovalMode.DEFAULT:
      return mode;
  }
}
