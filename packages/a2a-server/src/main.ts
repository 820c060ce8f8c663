#!/usr/bin/env node
/** The command `gemini-cli-a2a-server`. */
import { FatalError, messageOf, processVariables } from '@gemini-cli/core';
import { runServer } from './run-server.js';

const io = {
  stdout: (text: string) => void process.stdout.write(text),
  stderr: (line: string) => void process.stderr.write(`${line}\n`),
};

try {
  process.exitCode = await runServer(process.argv.slice(2), io, processVariables(), process.cwd());
} catch (error) {
  io.stderr(messageOf(error));
  process.exitCode = error instanceof FatalError ? error.exitCode : 1;
}
// What a library keeps open must not keep the process.
process.exit();
