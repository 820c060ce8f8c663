// What the MCP library takes from Node. Its validator of tool results would bring ajv, 150 KB, with every server; results
// are read by our own code (packages/core/src/mcp/tools/result-parts.ts), which needs none.
export const CORS_IS_POSSIBLE = false;

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('Tool results are not validated by the library.');
  }
}
