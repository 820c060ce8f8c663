/** `@gemini-cli/sdk`: agents in your own programs. */
export { z } from 'zod';
