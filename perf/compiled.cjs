// Runs a CommonJS script with its compiled code cached between runs, as the program does (boot/code-cache.ts).
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const { dirname } = require('node:path');
const { Script } = require('node:vm');

const [, , filename] = process.argv;
process.argv.splice(1, 1);
const cache = `${filename}.cache`;
const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;
const script = new Script(wrap(readFileSync(filename, 'utf8')), { filename, cachedData });
const module_ = { exports: {} };
script.runInThisContext()(module_.exports, createRequire(filename), module_, filename, dirname(filename));
// Stored after the run, so that it includes the functions that were used.
if (!cachedData || script.cachedDataRejected) writeFileSync(cache, script.createCachedData());
