/** `/quit [--delete]`: ends the program, and deletes the session if asked to. */
import { type Action, failure } from './define.js';

export const quit: Action = ({ session }, args) => {
  const deletes = args === '--delete';
  if (args !== '' && !deletes) return failure(`/quit takes only --delete, not "${args}".`);
  const { stats } = session;
  const hasContent = Object.keys(stats.metrics.models).length > 0;
  return {
    type: 'quit',
    messages: [
      {
        type: 'quit',
        ...(hasContent && { stats }),
        ...(hasContent && !deletes && { resume: stats.sessionId }),
      },
    ],
    ...(deletes && { deleteSession: true }),
  };
};
