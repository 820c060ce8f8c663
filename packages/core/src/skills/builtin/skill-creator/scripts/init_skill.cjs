#!/usr/bin/env node
/** Makes the folder of a new skill: init_skill.cjs <name> --path <dir> */
'use strict';
const { chmodSync, existsSync, mkdirSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const USAGE = 'Usage: node init_skill.cjs <name> --path <dir>';

function main(args) {
  const { name, path, problem } = read(args);
  if (problem) return fail(problem);
  const folder = join(resolve(path), name);
  if (existsSync(folder)) return fail(`${folder} exists already. Choose another name or folder.`);
  try {
    write(folder, name);
  } catch (error) {
    return fail(`The skill cannot be written: ${error.message}`);
  }
  console.log(`Created the skill "${name}" in ${folder}`);
  console.log('Next: fill in SKILL.md where it says TODO, and delete the examples you do not need.');
  return 0;
}

function read(args) {
  const words = [];
  let path;
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '--path') path = args[++at];
    else if (args[at].startsWith('--path=')) path = args[at].slice('--path='.length);
    else if (args[at].startsWith('-')) return { problem: `Unknown option ${args[at]}. ${USAGE}` };
    else words.push(args[at]);
  }
  const [name] = words;
  if (words.length !== 1 || !path) return { problem: USAGE };
  if (/[/\\]/.test(name) || name === '.' || name === '..')
    return { problem: `The name "${name}" must not contain a path.` };
  if (!/^[a-z0-9-]{1,64}$/.test(name))
    return { problem: `The name "${name}" must have 1 to 64 characters of a-z, 0-9 and "-".` };
  return { name, path };
}

function write(folder, name) {
  for (const part of ['scripts', 'references', 'assets']) mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, 'SKILL.md'), skillFile(name));
  const script = join(folder, 'scripts', 'example_script.cjs');
  writeFileSync(script, exampleScript(name));
  chmodSync(script, 0o755);
  writeFileSync(join(folder, 'references', 'example_reference.md'), EXAMPLE_REFERENCE);
  writeFileSync(join(folder, 'assets', 'example_asset.txt'), EXAMPLE_ASSET);
}

function skillFile(name) {
  const title = name.split('-').filter(Boolean).join(' ');
  return `---
name: ${name}
description: "TODO: what this skill does, and when to use it. Use it when the user asks for ..."
---

# ${title.charAt(0).toUpperCase()}${title.slice(1)}

TODO: what to do first, in one or two sentences.

## Steps

1. TODO: the first step.
2. TODO: the next step.

## Files of this skill

- \`scripts/example_script.cjs\`: TODO: what it does and when to run it, or delete it.
- \`references/example_reference.md\`: TODO: when to read it, or delete it.
- \`assets/example_asset.txt\`: TODO: what it is for, or delete it.
`;
}

function exampleScript(name) {
  return `#!/usr/bin/env node
/** TODO: replace this example of the skill ${name} by a program, or delete it. */
'use strict';

console.log('The example script of ${name} was run with: ' + process.argv.slice(2).join(' '));
`;
}

const EXAMPLE_REFERENCE = `# Example reference

TODO: replace this by facts that are needed only sometimes (a schema, an interface, long rules), or delete it.
`;

const EXAMPLE_ASSET = `TODO: replace this by a file that goes into the result (a template, a picture), or delete it.
`;

function fail(message) {
  console.error(message);
  return 1;
}

if (require.main === module) process.exitCode = main(process.argv.slice(2));
