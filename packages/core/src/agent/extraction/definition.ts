/** The extraction agent as data: name, tools and limits. */
import {
  GLOB,
  GREP_SEARCH,
  LIST_DIRECTORY,
  READ_FILE,
  REPLACE,
  WRITE_FILE,
} from '../../protocol/tool-names.js';
import { READ_SESSION } from './read-session.js';

export const EXTRACTION_AGENT = {
  name: 'memory_extraction',
  displayName: 'Memory Extraction',
  description: 'Looks through earlier sessions and suggests notes and skills. Runs in the background only.',
  /** A preset of `model-configs.ts` and its fallbacks. Never a large model: the user did not ask for this run. */
  modelAlias: 'gemini-3-flash-base',
  standInAlias: 'gemini-2.5-flash-base',
  runConfig: { maxTurns: 30, maxTimeMinutes: 30 },
  toolConfig: {
    tools: [READ_SESSION, READ_FILE, WRITE_FILE, REPLACE, GLOB, GREP_SEARCH, LIST_DIRECTORY],
  },
} as const;
