import type { ManagedModel, ModelProvider } from '@catenary/contracts'

const CAN = {
  images: true,
  documents: false,
  jsonSchema: true,
  effort: false,
  temperature: true,
  stop: true,
  caching: false,
  stripsThinking: false,
}
/** A vendor of the environment. */
export const ANTHROPIC: ModelProvider = {
  id: 1,
  name: 'Anthropic',
  kind: 'anthropic',
  baseUrl: 'https://api.anthropic.com',
  isFromEnvironment: true,
  keySetting: 'ANTHROPIC_API_KEY',
  keyEnd: '9Kd4',
  newKeyEnd: null,
  allowsPrivateAddress: false,
  addedBy: null,
  addedAt: null,
}
/** One that an admin added. */
export const OFFICE: ModelProvider = {
  ...ANTHROPIC,
  id: 5,
  name: 'Office server',
  kind: 'compatible',
  baseUrl: 'https://models.example.org/v1',
  isFromEnvironment: false,
  keySetting: null,
  keyEnd: 'x2Qe',
  addedBy: 'maren',
  addedAt: '2026-11-12T09:30:00.000Z',
}
/** The first vendor’s model. */
export const CLAUDE: ManagedModel = {
  id: 1,
  alias: 'claude',
  label: 'Claude',
  configured: true,
  keyVariable: 'ANTHROPIC_API_KEY',
  provider: 'anthropic',
  modelId: 'claude-sonnet-5-5',
  isFromEnvironment: true,
  providerId: 1,
  capabilities: CAN,
  ownCapabilities: {},
  contextTokens: 1_000_000,
  price: { input: 3, output: 15, cached: null },
  isOwnPrice: false,
  position: 0,
  isEnabled: true,
  isForEveryone: true,
  monthlyLimitUsd: null,
  spentUsd: 0,
  isJudge: false,
}
/** Of the provider that was added. */
export const LLAMA: ManagedModel = {
  ...CLAUDE,
  id: 11,
  alias: 'llama',
  label: 'Llama',
  provider: 'custom',
  modelId: 'llama-3.3-70b',
  isFromEnvironment: false,
  providerId: 5,
  price: null,
  position: 1,
}
