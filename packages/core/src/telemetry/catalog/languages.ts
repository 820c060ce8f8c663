/** Guesses the programming language of a file from its name. */
import { basename, extname } from 'node:path';

export function languageOf(path: string): string | undefined {
  return BY_NAME[basename(path).toLowerCase()] ?? BY_EXTENSION[extname(path).slice(1).toLowerCase()];
}

const BY_NAME: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  dockerfile: 'Dockerfile',
  makefile: 'Makefile',
  'cmakelists.txt': 'CMake',
  rakefile: 'Ruby',
  gemfile: 'Ruby',
});

const EXTENSIONS: Readonly<Record<string, string>> = {
  TypeScript: 'ts tsx mts cts',
  JavaScript: 'js jsx mjs cjs',
  Python: 'py pyi',
  Java: 'java',
  Kotlin: 'kt kts',
  Go: 'go',
  Rust: 'rs',
  C: 'c h',
  'C++': 'cc cpp cxx hh hpp hxx',
  'C#': 'cs',
  'F#': 'fs fsx',
  'Objective-C': 'm mm',
  Swift: 'swift',
  Ruby: 'rb',
  PHP: 'php',
  Perl: 'pl pm',
  Lua: 'lua',
  R: 'r',
  Julia: 'jl',
  Scala: 'scala sc',
  Groovy: 'groovy gradle',
  Clojure: 'clj cljs cljc',
  Elixir: 'ex exs',
  Erlang: 'erl hrl',
  Haskell: 'hs',
  OCaml: 'ml mli',
  Dart: 'dart',
  Zig: 'zig',
  Nim: 'nim',
  Shell: 'sh bash zsh fish',
  PowerShell: 'ps1 psm1',
  Batch: 'bat cmd',
  SQL: 'sql',
  HTML: 'html htm',
  CSS: 'css',
  SCSS: 'scss sass',
  Less: 'less',
  Vue: 'vue',
  Svelte: 'svelte',
  XML: 'xml xsd xsl svg',
  JSON: 'json jsonc json5',
  YAML: 'yaml yml',
  TOML: 'toml',
  Markdown: 'md mdx',
  LaTeX: 'tex',
  'Protocol Buffers': 'proto',
  GraphQL: 'graphql gql',
  Terraform: 'tf tfvars',
  Solidity: 'sol',
  Assembly: 'asm s',
};

const BY_EXTENSION: Readonly<Record<string, string>> = Object.assign(
  Object.create(null),
  ...Object.entries(EXTENSIONS).map(([language, list]) =>
    Object.fromEntries(list.split(' ').map((extension) => [extension, language])),
  ),
);
