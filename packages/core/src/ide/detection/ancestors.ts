/** The processes above this one, nearest first: one of them is the editor whose terminal this is. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { createLog } from '../../platform/log.js';

export interface Ancestor {
  pid: number;
  command: string;
}

interface Entry extends Ancestor {
  parent: number;
}

const MAX_PARENTS = 32;
/** Listing processes may hang on a busy machine; the editor is then found by its file alone. */
const LIST_MS = 3_000;
const MAX_LIST_BYTES = 16 * 1024 * 1024;

const log = createLog('ide');

export async function ancestors(): Promise<Ancestor[]> {
  if (process.platform === 'linux') return walk(process.ppid, readProc);
  try {
    const all = await listProcesses();
    return walk(process.ppid, (pid) => all.get(pid));
  } catch (error) {
    log.debug('The processes could not be listed.', error);
    return [];
  }
}

/** The walk ends at the first process of the system, at one that is gone, and in a circle. */
export function walk(start: number, read: (pid: number) => Entry | undefined): Ancestor[] {
  const found: Ancestor[] = [];
  const seen = new Set<number>();
  for (let pid = start; pid > 1 && found.length < MAX_PARENTS && !seen.has(pid); ) {
    const entry = read(pid);
    if (!entry) break;
    seen.add(pid);
    found.push({ pid, command: entry.command });
    pid = entry.parent;
  }
  return found;
}

function readProc(pid: number): Entry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain brackets and spaces.
    const [, parent = '0'] = stat
      .slice(stat.lastIndexOf(')') + 1)
      .trim()
      .split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, parent: Number(parent), command };
  } catch {
    return undefined;
  }
}

async function listProcesses(): Promise<Map<number, Entry>> {
  const isWindows = process.platform === 'win32';
  const [command, args] = isWindows
    ? [
        'powershell',
        [
          '-NoProfile',
          '-Command',
          'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.CommandLine)" }',
        ],
      ]
    : ['ps', ['-axo', 'pid=,ppid=,command=']];
  const { stdout } = await promisify(execFile)(command as string, args as string[], {
    timeout: LIST_MS,
    maxBuffer: MAX_LIST_BYTES,
    windowsHide: true,
  });
  return parseList(stdout);
}

export function parseList(text: string): Map<number, Entry> {
  const entries = new Map<number, Entry>();
  for (const line of text.split('\n')) {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s*(.*)$/.exec(line) ?? [];
    if (pid) entries.set(Number(pid), { pid: Number(pid), parent: Number(parent), command: command.trim() });
  }
  return entries;
}
