/** Shared by the search tests: a project in a temporary folder, and the tool with either engine. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import { expect } from 'vitest';
import type { AnyDeclarativeTool, ToolInvocation, ToolResult } from '../tools.js';
import { type GrepParams, GrepTool } from './grep.js';

/** Tests also send what is not declared, or wrong. */
export type Args = Record<string, unknown>;

export class SearchFixture {
  private readonly dir = tempDir();
  /** The folder around the project. */
  readonly outer = this.dir.path;
  readonly root = join(this.outer, 'project');

  constructor() {
    mkdirSync(this.root);
  }

  cleanup(): void {
    this.dir.cleanup();
  }

  write(path: string, text: string | Buffer = 'hit'): void {
    const target = join(this.root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }

  gitInit(path = this.root): void {
    execFileSync('git', ['init', '-q', path]);
  }

  tool(useRipgrep: boolean, extraDirectories: string[] = []): GrepTool {
    return new GrepTool(
      { ...makeHost(this.root, extraDirectories), getUseRipgrep: () => useRipgrep },
      makeBus(),
    );
  }

  build(
    useRipgrep: boolean,
    args: Args,
    extraDirectories?: string[],
  ): ToolInvocation<GrepParams, ToolResult> {
    // As in the registry, parameters are not typed and the tool itself checks them.
    const tool: AnyDeclarativeTool = this.tool(useRipgrep, extraDirectories);
    return tool.build(args);
  }

  run(useRipgrep: boolean, args: Args, extraDirectories?: string[]): Promise<ToolResult> {
    const { signal } = new AbortController();
    return this.build(useRipgrep, args, extraDirectories).execute({ abortSignal: signal });
  }

  /** Runs both engines, which must agree in everything, and returns the text for the model. */
  async both(args: Args, extraDirectories?: string[]): Promise<string> {
    const byRipgrep = await this.run(true, args, extraDirectories);
    const byWalker = await this.run(false, args, extraDirectories);
    expect(byWalker).toEqual(byRipgrep);
    return String(byRipgrep.llmContent);
  }

  async names(args: Args, extraDirectories?: string[]): Promise<string[]> {
    const text = await this.both({ ...args, names_only: true }, extraDirectories);
    return text.startsWith('No matches') ? [] : text.split('\n').slice(1);
  }
}
