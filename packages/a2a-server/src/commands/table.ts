/** The table of commands. */
import type { Command } from './command.js';
import { extensions } from './extensions.js';
import { init } from './init.js';
import { memory } from './memory.js';
import { restore } from './restore.js';

export const COMMANDS: readonly Command[] = [extensions, init, memory, restore];
