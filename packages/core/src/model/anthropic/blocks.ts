/** Converts parts of a message to blocks of the Messages API. */
import type { FunctionResponse, Part } from '../../protocol/messages.js';
import type { Block, MediaBlock, TextBlock, ToolResultBlock } from './wire.js';

const IMAGES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** Text, also of parts without a block type. The API refuses blank text. */
export function textBlocks(text: string | undefined): TextBlock[] {
  return text?.trim() ? [{ type: 'text', text }] : [];
}

/** Everything but calls and their results; `canSee`: the model takes images and documents here. */
export function plainBlocks(part: Part, canSee: boolean): (TextBlock | MediaBlock)[] {
  if (part.text !== undefined) return textBlocks(part.text);
  if (part.inlineData) return mediaBlocks(part.inlineData, canSee);
  if (part.fileData) return fileBlocks(part.fileData, canSee);
  if (part.executableCode) {
    const { language, code } = part.executableCode;
    return textBlocks(`\`\`\`${language.toLowerCase()}\n${code}\n\`\`\``);
  }
  if (part.codeExecutionResult) {
    const { outcome, output } = part.codeExecutionResult;
    return textBlocks(`${outcome}\n${output ?? ''}`);
  }
  return [];
}

export function resultBlock(id: string, result: FunctionResponse, canSee: boolean): ToolResultBlock {
  const { text, isError } = resultText(result.response);
  if (!result.parts?.length) {
    const block: ToolResultBlock = { type: 'tool_result', tool_use_id: id };
    if (text.trim()) block.content = text;
    if (isError) block.is_error = true;
    return block;
  }
  const blocks = [
    ...textBlocks(text),
    ...result.parts.flatMap((part) =>
      // An error result may hold only text.
      plainBlocks(part, canSee && !isError),
    ),
  ];
  return {
    type: 'tool_result',
    tool_use_id: id,
    ...(blocks.length > 0 && { content: blocks }),
    ...(isError && { is_error: true }),
  };
}

/** For models without tools: calls and results as text. */
export function toolsAsText(part: Part, canSee: boolean): Block[] {
  const { functionCall, functionResponse } = part;
  if (functionCall)
    return textBlocks(`[Called ${functionCall.name} with ${JSON.stringify(functionCall.args)}]`);
  if (!functionResponse) return plainBlocks(part, canSee);
  const { text, isError } = resultText(functionResponse.response);
  return [
    ...textBlocks(`[${isError ? 'Error' : 'Result'} of ${functionResponse.name}]\n${text}`),
    ...(functionResponse.parts ?? []).flatMap((item) => plainBlocks(item, canSee)),
  ];
}

function resultText(response: Record<string, unknown>): { text: string; isError: boolean } {
  const { output, error } = response;
  if (error !== undefined) return { text: asText(error) || 'The tool failed.', isError: true };
  const isPlain = output !== undefined && Object.keys(response).length === 1;
  return { text: asText(isPlain ? output : response), isError: false };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function mediaBlocks(
  { mimeType, data }: { mimeType: string; data: string },
  canSee: boolean,
): (TextBlock | MediaBlock)[] {
  if (mimeType.startsWith('text/')) return textBlocks(Buffer.from(data, 'base64').toString('utf8'));
  const type = blockType(mimeType);
  if (!type || !canSee || !data) return textBlocks(leftOut(mimeType));
  return [{ type, source: { type: 'base64', media_type: mimeType, data } }];
}

function fileBlocks(
  { mimeType, fileUri }: { mimeType: string; fileUri: string },
  canSee: boolean,
): (TextBlock | MediaBlock)[] {
  const type = blockType(mimeType);
  if (!type || !canSee || !fileUri.startsWith('https://')) {
    return textBlocks(`${leftOut(mimeType)} Its address: ${fileUri}`);
  }
  return [{ type, source: { type: 'url', url: fileUri } }];
}

function blockType(mimeType: string): MediaBlock['type'] | undefined {
  if (IMAGES.has(mimeType)) return 'image';
  return mimeType === 'application/pdf' ? 'document' : undefined;
}

function leftOut(mimeType: string): string {
  return `[An attachment of type ${mimeType} was left out: this model cannot read it here.]`;
}
