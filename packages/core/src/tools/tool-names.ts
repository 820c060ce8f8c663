export * from '../protocol/tool-names.js';
