/** Preloaded where processor time is measured: writes this process's at its end, in ms, one line per process. */
'use strict';
const fs = require('node:fs');

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  fs.appendFileSync(process.env.BENCH_CPU_FILE, `${(user + system) / 1000}\n`);
});
