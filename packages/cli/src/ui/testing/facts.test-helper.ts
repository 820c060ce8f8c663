/** The facts of an ordinary session. */
import type { SessionFacts } from '../store/state.js';

export const facts: SessionFacts = {
  cwd: '/w',
  sandbox: '',
  model: 'm',
  sessionId: 's',
  contextFiles: 0,
  contextFileName: '',
  skills: 0,
  mcpServers: 0,
  backgroundTasks: 0,
  trusted: true,
};
