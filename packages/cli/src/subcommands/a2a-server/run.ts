/** `gemini a2a-server`: the A2A server, in this process until it is stopped. */
import { runServer } from '@gemini-cli/a2a-server';
import { currentDirectory } from '../current-directory.js';
import type { Subcommand } from '../subcommand.js';

const run: Subcommand = (args, io) => runServer(args, io, io.env, currentDirectory());

export default run;
