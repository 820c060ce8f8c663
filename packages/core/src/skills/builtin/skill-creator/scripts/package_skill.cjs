#!/usr/bin/env node
/** Packs a skill into <name>.skill, a zip of its folder: package_skill.cjs <dir> [outdir] */
'use strict';
const { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { deflateRawSync } = require('node:zlib');
const { validateSkill } = require('./validate_skill.cjs');

const SKIPPED = new Set(['node_modules', '.git']);

function main([folder, outDir = '.', ...more]) {
  if (!folder || more.length > 0) return fail('Usage: node package_skill.cjs <dir> [outdir]');
  const { valid, name, message, warning } = validateSkill(folder);
  if (!valid) return fail(message);
  if (warning) return fail(`${warning} Finish the skill before you package it.`);
  const target = join(resolve(outDir), `${name}.skill`);
  try {
    const files = list(resolve(folder)).filter((file) => resolve(folder, file) !== target);
    mkdirSync(resolve(outDir), { recursive: true });
    writeFileSync(target, zip(resolve(folder), files));
    console.log(`Packaged ${files.length} files into ${target}`);
    return 0;
  } catch (error) {
    return fail(`The skill cannot be packaged: ${error.message}`);
  }
}

/** Relative paths with "/". */
function list(folder, prefix = '') {
  const entries = readdirSync(join(folder, prefix), { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (SKIPPED.has(entry.name)) return [];
      if (entry.isDirectory()) return list(folder, path);
      if (!entry.isFile()) throw new Error(`${path} is a link or special file; archives cannot hold it.`);
      return [path];
    });
}

function zip(folder, files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const path of files) {
    const data = readFileSync(join(folder, path));
    const name = Buffer.from(path, 'utf8');
    const packed = deflateRawSync(data);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version needed
    common.writeUInt16LE(0x0800, 2); // names are UTF-8
    common.writeUInt16LE(8, 4); // deflate
    common.writeUInt16LE(0, 6); // time
    common.writeUInt16LE(0x21, 8); // 1 January 1980, so that equal folders give equal archives
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, name, packed);
    const entry = Buffer.alloc(14);
    const isProgram = (statSync(join(folder, path)).mode & 0o100) !== 0;
    entry.writeUInt32LE(((isProgram ? 0o100755 : 0o100644) << 16) >>> 0, 6);
    entry.writeUInt32LE(offset, 10);
    // Made by Unix, so that the mode counts.
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, entry, name);
    offset += 4 + common.length + name.length + packed.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

function crc32(data) {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function fail(message) {
  console.error(message);
  return 1;
}

if (require.main === module) process.exitCode = main(process.argv.slice(2));
