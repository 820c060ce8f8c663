/** The agent card, in the forms of both protocol versions. */
import { AgentCard } from '@a2a-js/sdk';

export interface CardOptions {
  /** The server's own address, with a slash at the end. */
  url: string;
  version: string;
  pushNotifications: boolean;
}

/** Of the `development-tool` draft; clients compare it. */
export const DEVELOPMENT_TOOL =
  'https://github.com/google-gemini/gemini-cli/blob/main/docs/a2a/developer-profile/v0/spec.md';

const NAME = 'Gemini SDLC Agent';
const DESCRIPTION =
  'An agent that writes and changes code, runs commands, and answers questions about a workspace.';

const SKILL = {
  id: 'code_generation',
  name: 'Code Generation',
  description: 'Generates, changes and explains code in a workspace, on the instructions of the user.',
  tags: ['code', 'development', 'programming'],
  examples: ['Write a function that parses a date.', 'Fix the failing test in src/parser.'],
  inputModes: ['text'],
  outputModes: ['text'],
};

const EXTENSION = {
  uri: DEVELOPMENT_TOOL,
  description: 'Tool calls with approval, thoughts and commands of a development agent.',
  required: false,
};

const BINDINGS = ['JSONRPC', 'HTTP+JSON'];

/** As the library's handlers want it. */
export function coreCard({ url, version, pushNotifications }: CardOptions): AgentCard {
  const interfaces = ['1.0', '0.3'].flatMap((protocolVersion) =>
    BINDINGS.map((protocolBinding) => ({ url, protocolBinding, protocolVersion, tenant: '' })),
  );
  return {
    name: NAME,
    description: DESCRIPTION,
    supportedInterfaces: interfaces,
    provider: undefined,
    version,
    capabilities: {
      streaming: true,
      pushNotifications,
      extensions: [{ ...EXTENSION, params: undefined }],
      extendedAgentCard: false,
    },
    securitySchemes: {
      bearerAuth: httpScheme('bearer', 'A token'),
      basicAuth: httpScheme('basic', 'A user with a password'),
    },
    securityRequirements: [
      { schemes: { bearerAuth: { list: [] } } },
      { schemes: { basicAuth: { list: [] } } },
    ],
    defaultInputModes: ['text'],
    defaultOutputModes: ['text'],
    skills: [{ ...SKILL, securityRequirements: [] }],
    signatures: [],
  };
}

export function cardJson(options: CardOptions): unknown {
  return AgentCard.toJSON(coreCard(options));
}

export function legacyCardJson({ url, version, pushNotifications }: CardOptions): object {
  return {
    name: NAME,
    description: DESCRIPTION,
    url,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: BINDINGS.map((transport) => ({ url, transport })),
    protocolVersion: '0.3.0',
    version,
    capabilities: {
      streaming: true,
      pushNotifications,
      stateTransitionHistory: true,
      extensions: [EXTENSION],
    },
    securitySchemes: {
      bearerAuth: { type: 'http', scheme: 'bearer' },
      basicAuth: { type: 'http', scheme: 'basic' },
    },
    security: [{ bearerAuth: [] }, { basicAuth: [] }],
    defaultInputModes: ['text'],
    defaultOutputModes: ['text'],
    skills: [SKILL],
    supportsAuthenticatedExtendedCard: false,
  };
}

function httpScheme(scheme: string, description: string) {
  return {
    scheme: { $case: 'httpAuthSecurityScheme' as const, value: { scheme, description, bearerFormat: '' } },
  };
}
