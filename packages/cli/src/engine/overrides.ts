/** Turns command-line flags into overrides of the settings. */
import type { ProjectOverrides } from '@gemini-cli/core';
import type { FlagValues } from '../command-line/flags.js';

export function overridesFrom(flags: FlagValues): ProjectOverrides {
  return {
    model: flags.model,
    approvalMode: flags.yolo ? 'yolo' : flags['approval-mode'],
    debug: flags.debug,
    includeDirectories: flags['include-directories'],
    allowedTools: flags['allowed-tools'],
    allowedMcpServerNames: flags['allowed-mcp-server-names'],
    policyPaths: flags.policy,
    adminPolicyPaths: flags['admin-policy'],
    maxCost: flags['max-cost'],
    maxTokens: flags['max-tokens'],
    maxTimeSeconds: flags['max-time'],
    maxToolCalls: flags['max-tool-calls'],
    outputSchema: flags['output-schema'],
    fakeResponses: fakeResponses(flags),
    recordResponses: flags['record-responses'],
    skipTrust: flags['skip-trust'],
    ignoreEnv: flags['ignore-env'],
    extensions: flags.extensions,
    sessionId: flags['session-id'],
    resume: flags.resume,
    sessionFile: flags['session-file'],
  };
}

function fakeResponses(flags: FlagValues): ProjectOverrides['fakeResponses'] {
  const strict = flags['fake-responses'];
  if (strict !== undefined) return { path: strict, strict: true };
  const lax = flags['fake-responses-non-strict'];
  return lax === undefined ? undefined : { path: lax, strict: false };
}
