// Seed 004 §3.2, the order of initialization. Around it: a function, so that a test can run it.
import { Config, type ConfigParameters, type ToolRegistry } from '@gemini-cli/core';

export async function startEngine(params: ConfigParameters): Promise<{ config: Config; tools: ToolRegistry }> {
  const config = new Config(params);
  await config.initialize(); // REQUIRED before using any services
  const tools = config.getToolRegistry();
  return { config, tools };
}
