import { SIZE_ROWS } from './size-rows.js';
import { makePlace } from './subjects.js';

const place = makePlace();
for (const opts of [
  [],
  ['--max-semi-space-size=1'],
  ['--max-semi-space-size=4'],
  ['--max-semi-space-size=1', '--single-threaded-gc'],
]) {
  const c = (f: string) => [process.execPath, ...opts, f];
  const bench = {
    subjects: [
      { name: 'program' as const, command: c('/tmp/mine/dist/gemini.cjs') },
      { name: 'floor' as const, command: c('/work/main/perf/floor.cjs') },
    ],
    place,
    runs: 3,
    log: console.error,
  };
  const t = Date.now();
  for (const r of await SIZE_ROWS.growth!(bench))
    console.log(opts.join(' '), r.program.median, r.note, Date.now() - t);
}
place.remove();
