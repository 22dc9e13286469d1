/** The names of OpenTelemetry's conventions for generative AI that are used here, as of version 1.41, and ours beside them. */
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  requestTemperature: 'gen_ai.request.temperature',
  requestMaxTokens: 'gen_ai.request.max_tokens',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
} as const

/** Not in the conventions: Langfuse and others take the cost, in US dollars, by this name. */
export const COST_USD = 'gen_ai.usage.cost'

export const ERROR_TYPE = 'error.type'
export const SERVICE = { name: 'service.name', version: 'service.version' } as const

export const CATENARY = {
  runId: 'catenary.run.id',
  runKind: 'catenary.run.kind',
  runTrigger: 'catenary.run.trigger',
  runStatus: 'catenary.run.status',
  runSteps: 'catenary.run.steps',
  chainId: 'catenary.chain.id',
  chainVersion: 'catenary.chain.version',
  promptId: 'catenary.prompt.id',
  promptVersion: 'catenary.prompt.version',
  stepPosition: 'catenary.step.position',
  stepRetries: 'catenary.step.retries',
  stepLimitWaitMs: 'catenary.step.limit_wait_ms',
  stepFirstTextMs: 'catenary.step.first_text_ms',
} as const

/** Of a call that answers a conversation. */
export const CHAT = 'chat'

/** Vendors as the conventions name them; others go by our own name. */
const PROVIDERS: Record<string, string> = { google: 'gcp.gemini' }
export const providerName = (provider: string): string => PROVIDERS[provider] ?? provider
