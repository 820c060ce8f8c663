import { describe, expect, it } from 'vitest';
import { outlineOf } from './outline.js';

function outline(path: string, ...lines: string[]) {
  const { opening, imports, items, itemsAre } = outlineOf(path, lines);
  return { opening, imports, items: items.map(({ line, label }) => `${line} ${label}`), itemsAre };
}

describe('the outline of a file', () => {
  it('of TypeScript has the comment, imports over several lines and exports', () => {
    expect(
      outline(
        'a.ts',
        '#!/usr/bin/env node',
        '/**',
        ' * Reads',
        ' * things.',
        ' */',
        "import { a } from './a.js';",
        'import {',
        '  b,',
        "} from 'node:fs';",
        'export async function run() {}',
        'const hidden = 1;',
        'export interface Thing {}',
      ),
    ).toEqual({
      opening: 'Reads\nthings.',
      imports: ['./a.js', 'node:fs'],
      items: ['10 export async function run', '12 export interface Thing'],
      itemsAre: 'exports',
    });
  });

  it('of a script that exports nothing has its functions', () => {
    expect(outline('a.js', '// Builds.', 'const fs = require("fs");', 'function main() {}')).toEqual({
      opening: 'Builds.',
      imports: ['fs'],
      items: ['2 const fs', '3 function main'],
      itemsAre: 'definitions (nothing is exported)',
    });
  });

  it('of Python has its docstring, classes and functions', () => {
    expect(
      outline('a.py', '"""Doc."""', 'from os import path', 'class A:', '    def b(self):', 'def c():'),
    ).toEqual({
      opening: 'Doc.',
      imports: ['os'],
      items: ['3 class A', '4 def b', '5 def c'],
      itemsAre: 'definitions',
    });
  });

  it('of Rust and Go has their items', () => {
    expect(outline('a.rs', '//! Crate.', 'use std::fs;', 'pub fn run() {}', 'fn hidden() {}')).toEqual({
      opening: 'Crate.',
      imports: ['std::fs'],
      items: ['3 pub fn run'],
      itemsAre: 'public items',
    });
    expect(outline('a.go', 'package a', 'import (', '\t"fmt"', ')', 'func (s *S) Get() {}').items).toEqual([
      '5 func (s *S) Get',
    ]);
  });

  it('of Markdown omits code blocks', () => {
    expect(outline('a.md', '# A', '```sh', '# no heading', '```', '## B')).toEqual({
      opening: undefined,
      imports: [],
      items: ['1 # A', '5 ## B'],
      itemsAre: 'headings',
    });
  });

  it('of JSON has its keys, and that of an unknown kind is empty', () => {
    expect(outline('a.json', '{', '  "name": "x",', '  "deep": {', '    "y": 1', '  }').items).toEqual([
      '2 "name"',
      '3 "deep"',
    ]);
    expect(outline('a.xyz', 'words')).toEqual({
      opening: undefined,
      imports: [],
      items: [],
      itemsAre: 'items',
    });
  });
});
