import type { TokenType } from '@catenary/contracts'
import type { makeReach } from './actors.ts'

type Reach = Awaited<ReturnType<typeof makeReach>>

const messages = [{ role: 'user', content: 'Hi' }]
const model = ({ chainId }: Reach) => `chain-${chainId}`

/** What each call of the compatible doors is sent, by a token of that kind. */
export const GATEWAY_BODIES: Record<string, (reach: Reach, kind: TokenType) => object> = {
  'POST /v1/messages': (reach) => ({ model: model(reach), max_tokens: 100, messages }),
  'POST /v1/messages/count_tokens': (reach) => ({ model: model(reach), messages }),
  'POST /v1/chat/completions': (reach) => ({ model: model(reach), messages }),
  'POST /v1/responses': (reach, kind) =>
    kind === 'read'
      ? { prompt: { id: reach.slug, variables: { word: 'Hi' } } }
      : { model: model(reach), input: 'Hi' },
  'POST /v1/responses/{id}/cancel': () => ({}),
  'DELETE /v1/responses/{id}': () => ({}),
  'POST /v1/route': (reach) => ({ model: model(reach), messages }),
}

/** What an agent can call beside the tool of each chain. */
export const AGENT_CALLS: {
  tools: Record<string, (reach: Reach & { runId: number }) => object>
  methods: Record<string, (reach: Reach) => object>
} = {
  tools: {
    get_prompt: ({ slug }) => ({ name: slug, arguments: { word: 'Hi' } }),
    get_run: ({ runId }) => ({ run_id: runId }),
    search_prompts: () => ({ query: '' }),
  },
  methods: {
    'prompts/list': () => ({}),
    'prompts/get': ({ slug }) => ({ name: slug, arguments: { word: 'Hi' } }),
    'resources/list': () => ({}),
  },
}
