import type { ProviderKind } from '@catenary/contracts'
import { expect, it } from 'vitest'
import { readProviderAddress } from './provider-address.ts'

const CALL: Record<ProviderKind, string> = {
  anthropic: '/messages',
  openai: '/responses',
  gemini: '/models/m:streamGenerateContent?alt=sse',
  compatible: '/chat/completions',
}

/** What a person writes, and what is asked. */
const CHAT: [string, string][] = [
  ['http://localhost:11434', 'http://localhost:11434/v1/chat/completions'],
  ['http://localhost:11434/', 'http://localhost:11434/v1/chat/completions'],
  ['http://localhost:11434/v1/', 'http://localhost:11434/v1/chat/completions'],
  ['https://h.example/v1/chat/completions', 'https://h.example/v1/chat/completions'],
  ['https://h.example/v1/chat/completions/', 'https://h.example/v1/chat/completions'],
  ['https://h.example/v1/models', 'https://h.example/v1/chat/completions'],
  // Gemini's and Vertex’, DeepInfra's, GitHub's, Cloudflare's, OpenRouter's and Databricks' addresses.
  ['https://g.example/v1beta/openai', 'https://g.example/v1beta/openai/chat/completions'],
  ['https://g.example/v1beta/openai/', 'https://g.example/v1beta/openai/chat/completions'],
  [
    'https://v.example/v1/projects/p/locations/l/endpoints/openapi',
    'https://v.example/v1/projects/p/locations/l/endpoints/openapi/chat/completions',
  ],
  ['https://d.example/v1/openai', 'https://d.example/v1/openai/chat/completions'],
  ['https://m.example/inference', 'https://m.example/inference/chat/completions'],
  ['https://c.example/v1/a/g/compat', 'https://c.example/v1/a/g/compat/chat/completions'],
  ['https://o.example/api/v1', 'https://o.example/api/v1/chat/completions'],
  ['https://b.example/serving-endpoints', 'https://b.example/serving-endpoints/chat/completions'],
  // Azure's deployments want a version in the query.
  [
    'https://a.example/openai/deployments/d?api-version=2024-10-21',
    'https://a.example/openai/deployments/d/chat/completions?api-version=2024-10-21',
  ],
  [
    'https://a.example/openai/deployments/d/chat/completions?api-version=2024-10-21',
    'https://a.example/openai/deployments/d/chat/completions?api-version=2024-10-21',
  ],
  ['https://a.example?api-version=1', 'https://a.example/v1/chat/completions?api-version=1'],
]
it.each(CHAT)(
  'Of OpenAI’s API a bare origin gets `/v1`, any other path is used as written, a pasted `…/chat/completions` is cut, a query is kept (D72). (%s, %s)',
  (baseUrl, asked) => {
    for (const kind of ['compatible', 'openai'] as const) {
      const { origin, pathOf } = readProviderAddress({ kind, baseUrl })
      expect(origin + pathOf('/chat/completions')).toBe(asked)
    }
  },
)

it.each<[ProviderKind, string, string]>([
  ['openai', 'https://api.openai.com', 'https://api.openai.com/v1/responses'],
  ['openai', 'https://api.openai.com/v1/responses', 'https://api.openai.com/v1/responses'],
  ['anthropic', 'https://api.anthropic.com', 'https://api.anthropic.com/v1/messages'],
  ['anthropic', 'https://x.example/anthropic', 'https://x.example/anthropic/v1/messages'],
  [
    'anthropic',
    'https://x.example/anthropic/v1/messages?beta=1',
    'https://x.example/anthropic/v1/messages?beta=1',
  ],
  ['gemini', 'https://g.example', 'https://g.example/v1beta/models/m:streamGenerateContent?alt=sse'],
  ['gemini', 'https://g.example/v1', 'https://g.example/v1/models/m:streamGenerateContent?alt=sse'],
  [
    'gemini',
    'https://g.example/v1beta/models/m:generateContent?x=1',
    'https://g.example/v1beta/models/m:streamGenerateContent?alt=sse&x=1',
  ],
])('%s at %s is asked at %s', (kind, baseUrl, asked) => {
  const { origin, pathOf } = readProviderAddress({ kind, baseUrl })
  expect(origin + pathOf(CALL[kind])).toBe(asked)
})
