import { describe, expect, it } from 'vitest';
import { strongPattern, weakPattern } from './definition.js';

const strong = new RegExp(strongPattern('run'));
const weak = new RegExp(weakPattern('run'));

describe('the patterns for definitions', () => {
  it.each([
    'export async function run() {',
    'function* run() {',
    'export class run {',
    'const run = 1;',
    'let mut run = 1;',
    'type run = string;',
    'def run(self):',
    '  def self.run',
    'pub fn run<T>() {',
    'func (s *Server) run() error {',
    'fun String.run(): Int',
    'macro_rules! run {',
    '#define run(x) x',
    'defmodule run do',
  ])('match with a keyword: %s', (line) => {
    expect(strong.test(line)).toBe(true);
  });

  it.each([
    '  async run(): Promise<void> {',
    '  private async run(a: string) {',
    '  #run() {',
    '  run(',
    'int run(int a, char *b)',
    'public static List<String> run(int a) {',
    '  run: async () => {',
    '  run = (a) => a;',
    'run = 5',
  ])('match without a keyword: %s', (line) => {
    expect(strong.test(line)).toBe(false);
    expect(weak.test(line)).toBe(true);
  });

  it.each([
    '  await run();',
    'x.run();',
    'const runner = 1;',
    "import { run } from './a.js';",
    'if (run === 5) {',
  ])('do not match: %s', (line) => {
    expect([strong.test(line), weak.test(line)]).toEqual([false, false]);
  });
});
