const CAPABLE = {
  images: true,
  documents: true,
  jsonSchema: true,
  effort: true,
  temperature: true,
  stop: true,
  caching: true,
  stripsThinking: false,
}
const PLAIN = { ...CAPABLE, images: false, documents: false, effort: false, caching: false }

const environment = {
  baseUrl: null,
  isFromEnvironment: true,
  newKeyEnd: null,
  allowsPrivateAddress: false,
  addedBy: null,
  addedAt: null,
}
const addedHere = {
  isFromEnvironment: false,
  keySetting: null,
  newKeyEnd: null,
  addedBy: 'maren',
  addedAt: '2026-11-12T09:30:00.000Z',
}

/** A vendor of the environment, one without a key, one with a key of its own, and a server on the network. */
export const providers = [
  {
    ...environment,
    id: 1,
    name: 'Anthropic',
    kind: 'anthropic',
    keySetting: 'ANTHROPIC_API_KEY',
    keyEnd: '9Kd4',
  },
  {
    ...addedHere,
    id: 5,
    name: 'OpenAI',
    kind: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    keyEnd: 'x2Qe',
    allowsPrivateAddress: false,
  },
  {
    ...environment,
    id: 3,
    name: 'Google Gemini',
    kind: 'gemini',
    keySetting: 'GEMINI_API_KEY',
    keyEnd: null,
  },
  {
    ...addedHere,
    id: 6,
    name: 'Office server',
    kind: 'compatible',
    baseUrl: 'http://10.0.4.20:11434/v1',
    keyEnd: null,
    allowsPrivateAddress: true,
  },
]

const model = {
  configured: true,
  keyVariable: '',
  isFromEnvironment: false,
  capabilities: CAPABLE,
  ownCapabilities: {},
  contextTokens: 400_000,
  price: { input: 1.25, output: 10, cached: null },
  isOwnPrice: false,
  isEnabled: true,
  isForEveryone: true,
  monthlyLimitUsd: null,
  spentUsd: 0,
  isJudge: false,
}

/** Models of those, one switched off, one with a limit, one with names as long as they may be. */
export const models = [
  {
    ...model,
    id: 1,
    position: 0,
    alias: 'claude',
    label: 'Claude',
    providerId: 1,
    provider: 'anthropic',
    modelId: 'claude-sonnet-5-5',
    isFromEnvironment: true,
    contextTokens: 1_000_000,
    price: { input: 3, output: 15, cached: 0.3 },
    isJudge: true,
  },
  {
    ...model,
    id: 11,
    position: 1,
    alias: 'haiku',
    label: 'Haiku',
    providerId: 1,
    provider: 'anthropic',
    modelId: 'claude-haiku-5-5',
    contextTokens: 200_000,
    price: { input: 1, output: 5, cached: 0.1 },
    capabilities: { ...CAPABLE, effort: false },
  },
  {
    ...model,
    id: 12,
    position: 2,
    alias: 'opus',
    label: 'Opus, for the board',
    providerId: 1,
    provider: 'anthropic',
    modelId: 'claude-opus-5-5',
    contextTokens: 1_000_000,
    price: { input: 5, output: 25, cached: 0.5 },
    isForEveryone: false,
    monthlyLimitUsd: 50,
    spentUsd: 50.2,
  },
  {
    ...model,
    id: 13,
    position: 3,
    alias: 'gpt',
    label: 'GPT',
    providerId: 5,
    provider: 'openai',
    modelId: 'gpt-6.1-sol',
  },
  {
    ...model,
    id: 14,
    position: 4,
    alias: 'gpt-4o-of-the-old-project-of-24',
    label: 'GPT-4o of the project of two years ago',
    providerId: 5,
    provider: 'openai',
    modelId: 'ft:gpt-4o-2024-08-06:harbour-and-sons:minutes-of-meetings:A1b2C3d4',
    contextTokens: 128_000,
    price: { input: 2.5, output: 10, cached: null },
    isEnabled: false,
  },
  {
    ...model,
    id: 15,
    position: 5,
    alias: 'llama',
    label: 'Llama',
    providerId: 6,
    provider: 'custom',
    modelId: 'llama-3.3-70b',
    contextTokens: 128_000,
    price: null,
    capabilities: PLAIN,
  },
]

export const modelAccess = {
  everyone: [1, 11, 13, 15],
  people: [{ userId: 2, username: 'grace', modelIds: [11, 15] }],
  groups: [{ groupId: 3, name: 'Support', modelIds: [13] }],
}

export const modelUse = {
  monthUsd: 4.2,
  totalUsd: 31.07,
  prompts: 12,
  steps: 3,
  schedules: 1,
  evaluations: 0,
}

export const foundModels = {
  ok: true,
  models: ['gemma3-27b', 'llama-3.3-70b', 'mistral-small', 'phi-4', 'qwen3-32b', 'qwen3-8b', 'smollm3'],
  known: [],
  error: null,
  address: 'http://10.0.4.20:11434/v1/models',
}

const known = (modelId: string, input: number, output: number, contextTokens: number | null = null) => ({
  ...{ modelId, contextTokens, capabilities: CAPABLE },
  price: { input, output, cached: null },
})

/** What a vendor lists: with what is old, what makes no text, and names that are long. */
export const vendorModels = {
  ok: true,
  models: [
    ...[
      'chatgpt-4o-latest',
      'dall-e-3',
      'ft:gpt-4o-2024-08-06:harbour-and-sons:minutes-of-meetings:A1b2C3d4',
    ],
    ...[
      'gpt-4.1',
      'gpt-4.1-mini',
      'gpt-4o',
      'gpt-4o-audio-preview',
      'gpt-4o-mini',
      'gpt-5.4',
      'gpt-5.4-mini',
    ],
    ...['gpt-5.6-luna', 'gpt-5.6-sol', 'gpt-6-astra', 'gpt-6-luna', 'gpt-6.1-sol', 'gpt-6.1-terra'],
    ...['gpt-image-2', 'omni-moderation-latest', 'text-embedding-3-large', 'whisper-1'],
  ],
  known: [
    ...[known('gpt-4.1', 2, 8, 1_047_576), known('gpt-4.1-mini', 0.4, 1.6, 1_047_576)],
    ...[known('gpt-4o', 2.5, 10, 128_000), known('gpt-4o-mini', 0.15, 0.6, 128_000)],
    ...[known('gpt-5.4', 2.5, 15), known('gpt-5.6-luna', 0.2, 1.2), known('gpt-5.6-sol', 4, 20)],
    ...[known('gpt-6-astra', 10, 50), known('gpt-6-luna', 0.1, 0.5)],
    ...[known('gpt-6.1-sol', 2, 10), known('gpt-6.1-terra', 1, 5)],
  ],
  error: null,
  address: 'https://api.openai.com/v1/models',
}
