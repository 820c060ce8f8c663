import type { Plugin } from 'esbuild';

export const tomlPlugin: Plugin;
export const tomlAsObject: { name: string; enforce: 'pre'; load(id: string): string | null };
export function tomlModule(path: string): string;
