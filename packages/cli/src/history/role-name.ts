/** What tokens were used for, in words: the ledger has names like `utility_compressor`. */

const NAMES: Readonly<Record<string, string>> = {
  main: 'main',
  subagent: 'sub-agents',
  utility_compressor: 'compression',
  utility_conseca: 'safety check',
  utility_edit_corrector: 'edit correction',
  utility_loop_detector: 'loop check',
  utility_next_speaker: 'turn check',
  utility_router: 'routing',
  utility_summarizer: 'summaries',
  utility_tool: 'web tools',
};

export function roleName(role: string): string {
  const known = Object.hasOwn(NAMES, role) ? NAMES[role] : undefined;
  return known ?? role.replace(/^utility_/, '').replaceAll('_', ' ');
}
