/** Preloaded for the memory row: writes this process's peak at its end, in KB, one line per process. */
'use strict';
const fs = require('node:fs');

process.on('exit', () => {
  // Not resourceUsage(): its maximum includes the parent's pages from before exec.
  const [, peak] = /^VmHWM:\s+(\d+) kB/m.exec(fs.readFileSync('/proc/self/status', 'utf8'));
  fs.appendFileSync(process.env.BENCH_PEAK_FILE, `${peak}\n`);
});
