/**
 * Reads the Markdown beside a tool: the description, then, under `## Parameters`, a list of what the model is told
 * about each one. A parameter inside another is `outer.inner`, one inside the items of a list `list[].inner`. Under
 * `## Gemini 3` may stand the same in fewer words: description and list for the models of that family.
 */
import type { JsonSchema } from '../protocol/tool-declaration.js';

export interface DescribedTool {
  description: string;
  schema: JsonSchema;
}

/** By the schema of the usual words, which every tool hands on anyway. Read when such a model is used. */
const FOR_GEMINI_3 = new WeakMap<JsonSchema, () => DescribedTool>();

/** @throws Error when the Markdown describes a parameter that the schema lacks; the words for Gemini 3 with their first use */
export function describeTool(markdown: string, schema: JsonSchema): DescribedTool {
  const [usual = '', short] = markdown.split(/^## Gemini 3$/m);
  const [description = '', list = ''] = usual.split(/^## Parameters$/m);
  const described = describe(description, list, schema);
  if (short !== undefined) {
    let read: DescribedTool | undefined;
    FOR_GEMINI_3.set(described.schema, () => {
      read ??= describeShort(short, schema);
      return read;
    });
  }
  return described;
}

function describeShort(markdown: string, schema: JsonSchema): DescribedTool {
  const [description = '', ...list] = markdown.split(/^(?=- `)/m);
  return describe(description, list.join(''), schema);
}

/** The words for this model: fewer for Gemini 3, which needs less guidance. */
export function wordsFor(modelId: string | undefined, usual: DescribedTool): DescribedTool {
  const isGemini3 = modelId !== undefined && /(^|\/)gemini-3/.test(modelId);
  return (isGemini3 && FOR_GEMINI_3.get(usual.schema)?.()) || usual;
}

function describe(description: string, list: string, schema: JsonSchema): DescribedTool {
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
