/** THE table of intents, in the order they are tried: the more exact rule comes first. */
import type { IntentFamily } from '../intent.js';
import { createFamily } from './create.js';
import { definitionFamily } from './definition.js';
import { editFamily } from './edit.js';
import { explainFamily } from './explain.js';
import { findFilesFamily } from './find-files.js';
import { helpFamily } from './help.js';
import { listFamily } from './list.js';
import { overviewFamily } from './overview.js';
import { readFamily } from './read.js';
import { runFamily } from './run.js';
import { searchFamily } from './search.js';
import { testsFamily } from './tests.js';
import { topicFamily } from './topic.js';

export const FAMILIES: readonly IntentFamily[] = [
  helpFamily,
  overviewFamily,
  testsFamily,
  runFamily,
  editFamily,
  createFamily,
  readFamily,
  explainFamily,
  listFamily,
  definitionFamily,
  findFilesFamily,
  searchFamily,
  topicFamily,
];
