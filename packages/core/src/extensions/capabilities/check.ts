/** Finds declared rights that will not be granted, or give more than an author is likely to mean. Pure. */
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { visibleName } from '../../base/visible-text.js';
import type { ExtensionCapabilities, ExtensionProblem } from '../types.js';

type Note = (key: string, message: string) => void;

/** Warnings only: such an extension loads, its processes just get less, or are more powerful than needed. */
export function checkCapabilities(capabilities: ExtensionCapabilities | undefined): ExtensionProblem[] {
  const problems: ExtensionProblem[] = [];
  if (!capabilities) return problems;
  const note: Note = (key, message) => problems.push({ level: 'warning', key, message });
  const { files, network, executables } = capabilities;
  files.read.forEach((path, at) => {
    checkPath(path, `capabilities.files.read[${at}]`, note);
  });
  files.write.forEach((path, at) => {
    checkPath(path, `capabilities.files.write[${at}]`, note);
  });
  network.forEach((host, at) => {
    checkHost(host, `capabilities.network[${at}]`, note);
  });
  executables.forEach((program, at) => {
    checkProgram(program, `capabilities.executables[${at}]`, note);
  });
  return problems;
}

function checkPath(path: string, key: string, note: Note): void {
  const name = visibleName(path);
  if (/^[\\/]+$/.test(path.trim())) note(key, 'is the whole file system and is not granted.');
  else if (/^~[\\/]*$/.test(path.trim()))
    note(key, 'is the whole home folder; name the folder that is needed.');
  else if (/[*?]/.test(path))
    note(key, `"${name}" is taken as a path, not as a pattern; name the folder itself.`);
  else if (!isAbsolute(path) && path.split(/[\\/]/).includes('..'))
    note(key, `"${name}" leads out of the project; write it as an absolute path or with ~.`);
}

function checkHost(written: string, key: string, note: Note): void {
  const name = visibleName(written);
  const host = written.trim().replace(/:\d+$/, '');
  // A variable is replaced when the extension is loaded.
  if (host.startsWith('$')) return;
  if (/^[a-z][a-z+.-]*:\/\/|\//i.test(written))
    note(key, `"${name}" is not a host name; write it as "api.example.com" or "api.example.com:8443".`);
  else if (/^\*\.[^.]+$/.test(host))
    note(key, `"${name}" stands for a whole top-level domain; name the hosts.`);
  else if (host.replace(/^\*\./, '').includes('*'))
    note(key, `"${name}" matches no host: only "*." at the beginning stands for subdomains.`);
  else if (
    !isIP(host.replace(/^\[|\]$/g, '')) &&
    !/^(?:\*\.)?[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.?$/u.test(host)
  )
    note(key, `"${name}" is not a host name.`);
}

/** Programs that change namespaces or the user: the sandbox forbids both. */
const SANDBOX_PROGRAMS = /^(?:bwrap|unshare|nsenter|sudo|su|doas|pkexec)$/;

function checkProgram(program: string, key: string, note: Note): void {
  const name = visibleName(program);
  if (/\s/.test(program.trim()) && !program.includes('/'))
    note(key, `"${name}" is a command line; name the program alone.`);
  else if (/[*?]/.test(program)) note(key, `"${name}" is not a pattern; name each program.`);
  else if (SANDBOX_PROGRAMS.test(program.replace(/^.*\//, '')))
    note(key, `"${name}" gains no rights inside the sandbox.`);
}
