/** What the system prompt depends on. The prompt does not mention optional facts that are unknown. */
import type { ApprovalMode } from '../protocol/confirmation.js';

export interface ListedAgent {
  name: string;
  description: string;
}

export interface ListedSkill {
  name: string;
  description: string;
  /** Absolute path of its SKILL.md. */
  location: string;
}

export interface PromptSituation {
  interactive: boolean;
  approvalMode: ApprovalMode;
  /** Concrete model id; unknown counts as a large one. */
  model?: string;
  /** Tools declared or listed to the model; unknown counts as the usual file tools and the shell. */
  toolNames?: readonly string[];
  subAgents?: readonly ListedAgent[];
  skills?: readonly ListedSkill[];
  /** False when no hook can run; then the rule about their context is left out. */
  hooks?: boolean;
  /** Where plans may be written in plan mode. */
  plansDirectory?: string;
  /** `none`, or the sandbox that commands run in: `docker`, `sandbox-exec`, … */
  sandbox?: string;
  isGitRepository?: boolean;
  /** `tools.shell.enableShellOutputEfficiency`; enabled unless false. */
  shellOutputEfficiency?: boolean;
  /** Instructions of the SDK's caller, placed before the memory. */
  instructions?: string;
  /** Text of the user's own context files. */
  memory?: string;
  /** The model's current topic, while narration is enabled. */
  activeTopic?: string;
  /** For the switches `GEMINI_PROMPT_<KEY>`. */
  env?: Readonly<Record<string, string | undefined>>;
}
