#!/usr/bin/env node
/** Checks the folder of a skill: validate_skill.cjs <dir>. As a module: validateSkill(path). */
'use strict';
const { readdirSync, readFileSync, statSync } = require('node:fs');
const { join, resolve } = require('node:path');

const MAX_DESCRIPTION = 1024;
const MAX_FILE = 512 * 1024;
const SKIPPED = new Set(['node_modules', '.git']);

/** @returns {{valid: boolean, message: string, warning?: string, name?: string}} */
function validateSkill(path) {
  const folder = resolve(path);
  let text;
  try {
    const file = join(folder, 'SKILL.md');
    if (statSync(file).size > MAX_FILE) return invalid(`SKILL.md is larger than ${MAX_FILE / 1024} KB.`);
    text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    return invalid(error.code === 'ENOENT' ? `There is no SKILL.md in ${folder}.` : error.message);
  }
  const [, header] = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  if (header === undefined)
    return invalid('SKILL.md does not begin with a header between two lines of "---".');
  const name = field(header, 'name');
  if (!name) return invalid('The header has no name.');
  if (!/^[a-z0-9-]+$/.test(name.value) || name.value.length > 64)
    return invalid(`The name "${name.value}" must have 1 to 64 characters of a-z, 0-9 and "-".`);
  const description = field(header, 'description');
  if (!description) return invalid('The header has no description.');
  if (description.isLong) return invalid('The description must be one line.');
  if (description.value.length > MAX_DESCRIPTION)
    return invalid(`The description has more than ${MAX_DESCRIPTION} characters.`);
  const unfinished = filesWithTodo(folder);
  return {
    valid: true,
    name: name.value,
    message: `The skill "${name.value}" is valid.`,
    ...(unfinished.length > 0 && { warning: `TODO: is left in ${unfinished.join(', ')}.` }),
  };
}

function invalid(message) {
  return { valid: false, message };
}

/** A value at the top level, without quotes. */
function field(header, key) {
  const lines = header.split(/\r?\n/);
  const at = lines.findIndex((line) => line.startsWith(`${key}:`));
  if (at < 0) return undefined;
  const written = lines[at].slice(key.length + 1).trim();
  const isLong = /^[|>][-+\d]*$/.test(written) || /^[ \t]+\S/.test(lines[at + 1] ?? '');
  const value = written.replace(/^(["'])(.*)\1$/, '$2').trim();
  return value === '' && !isLong ? undefined : { value, isLong };
}

function filesWithTodo(folder, prefix = '') {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesWithTodo(folder, path);
    if (!entry.isFile() || statSync(join(folder, path)).size > MAX_FILE) return [];
    return readFileSync(join(folder, path), 'latin1').includes('TODO:') ? [path] : [];
  });
}

function main([folder, ...more]) {
  if (!folder || more.length > 0) {
    console.error('Usage: node validate_skill.cjs <dir>');
    return 1;
  }
  const { valid, message, warning } = validateSkill(folder);
  if (valid) console.log(message);
  else console.error(message);
  if (warning) console.error(`Warning: ${warning}`);
  return valid ? 0 : 1;
}

module.exports = { validateSkill };

if (require.main === module) process.exitCode = main(process.argv.slice(2));
