/** Programs that run others: what their name alone does not say. */
import { basename } from 'node:path';

const RUNNERS = new Set(
  `bash sh zsh dash ksh fish env sudo doas su xargs python python2 python3 node deno bun tsx perl ruby php lua awk
  gawk eval exec source . ssh docker podman kubectl npx watch timeout nohup setsid nice find parallel make pwsh
  powershell osascript rm dd chmod chown curl wget`.split(/\s+/),
);

/** An "always" for one of them is for the command as it was shown, without any further words. */
export function runsOthers(program: string): boolean {
  return RUNNERS.has(basename(program));
}
