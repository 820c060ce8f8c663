/** Surroundings of a screen in which nothing special is the case. */
import type { Surroundings } from '../store/state.js';

export const facts: Surroundings = {
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
