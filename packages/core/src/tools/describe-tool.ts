/**
 * Reads the Markdown beside a tool: the description, then, under `## Parameters`, a list of what the model is told
 * about each one. A parameter inside another is `outer.inner`, one inside the items of a list `list[].inner`.
 */
import type { JsonSchema } from '../protocol/tool-declaration.js';

export interface DescribedTool {
  description: string;
  schema: JsonSchema;
}

/** @throws Error when the Markdown describes a parameter that the schema lacks */
export function describeTool(markdown: string, schema: JsonSchema): DescribedTool {
  const [description = '', list = ''] = markdown.split(/^## Parameters$/m);
  const texts = new Map<string, string>();
  for (const [, path = '', text = ''] of list.matchAll(/^- `(.+?)`: (.+)$/gm)) texts.set(path, text);
  const described = withDescriptions(schema, '', texts);
  for (const path of texts.keys()) throw new Error(`There is no parameter "${path}" to describe.`);
  return { description: description.trim(), schema: described };
}

/** Takes the texts that it uses out of the map. */
function withDescriptions(schema: JsonSchema, path: string, texts: Map<string, string>): JsonSchema {
  const described: JsonSchema = { ...schema };
  const { properties, items } = schema;
  if (properties) {
    described.properties = {};
    for (const [name, inner] of Object.entries(properties))
      described.properties[name] = withDescriptions(inner, path ? `${path}.${name}` : name, texts);
  }
  if (items) described.items = withDescriptions(items, `${path}[]`, texts);
  const description = texts.get(path);
  if (description !== undefined) described.description = description;
  texts.delete(path);
  return described;
}
