import { expect, test } from 'vitest'
import { describeFound } from './describe-found.ts'
import { ANTHROPIC, CLAUDE, OFFICE } from './testing/model-examples.ts'

const rowsOf = (kind: typeof OFFICE.kind, models: string[], all = [CLAUDE]) =>
  describeFound({ found: { models, known: [] }, provider: { ...OFFICE, kind }, all })
const suggested = (...asked: Parameters<typeof rowsOf>) =>
  rowsOf(...asked).flatMap(({ isSuggested, alias, label, modelId }) =>
    isSuggested ? [[alias, label, modelId]] : [],
  )

test.each([
  [
    'anthropic',
    ['claude-haiku-4-5-20251001', 'claude-opus-5', 'claude-opus-5-5', 'claude-sonnet-4-6', 'claude-sonnet-5'],
    [
      ['opus', 'Claude Opus 5.5', 'claude-opus-5-5'],
      ['sonnet', 'Claude Sonnet 5', 'claude-sonnet-5'],
    ],
  ],
  [
    'openai',
    [
      'dall-e-3',
      'gpt-4o',
      'gpt-5.10-sol',
      'gpt-5.9',
      'gpt-5.9-sol',
      'gpt-5.9-codex',
      'text-embedding-3-large',
    ],
    [
      ['sol', 'GPT-5.10 Sol', 'gpt-5.10-sol'],
      ['gpt-5.9', 'GPT-5.9', 'gpt-5.9'],
    ],
  ],
  [
    'gemini',
    ['gemini-3.8-flash', 'gemini-4-carbon', 'gemini-4-hydrogen', 'gemini-4-hydrogen-image', 'veo-3'],
    [
      ['carbon', 'Gemini 4 Carbon', 'gemini-4-carbon'],
      ['hydrogen', 'Gemini 4 Hydrogen', 'gemini-4-hydrogen'],
    ],
  ],
  [
    'compatible',
    ['meta-llama/Llama-3.3-70B', 'nomic-embed-text', 'qwen3:32b'],
    [
      ['llama-3.3-70b', 'Llama-3.3-70B', 'meta-llama/Llama-3.3-70B'],
      ['qwen3-32b', 'qwen3:32b', 'qwen3:32b'],
    ],
  ],
  ['compatible', ['a', 'b', 'c', 'd', 'e', 'f'], []],
] as const)(
  'Of a vendor’s models the newest of each family are chosen at first, under the family’s name; of a server’s, all of a few. (%s, %j)',
  (kind, models, expected) => {
    expect(suggested(kind, [...models])).toEqual(expected)
  },
)

test('a model that was trained for someone keeps its name as its label', () => {
  const [row] = rowsOf('openai', ['ft:gpt-4o:harbour::A1'])
  expect(row).toMatchObject({ alias: 'ft-gpt-4o-harbour-a1', label: 'ft:gpt-4o:harbour::A1' })
})

test('what is added already stays under its alias, and no other gets an alias that is taken', () => {
  const rows = describeFound({
    found: {
      models: ['claude-haiku-5-5', 'claude-opus-5', 'claude-sonnet-5-5', 'imagen', 'opus'],
      known: [{ modelId: 'opus', contextTokens: 9, price: null, capabilities: CLAUDE.capabilities }],
    },
    provider: ANTHROPIC,
    all: [CLAUDE, { ...CLAUDE, id: 2, providerId: 7, alias: 'haiku', modelId: 'claude-haiku-5-5' }],
  })
  expect(rows.map(({ alias, isAdded, isSuggested }) => [alias, isAdded, isSuggested])).toEqual([
    ['haiku-5-5', false, true],
    ['opus', false, true],
    ['claude', true, false],
    ['opus-2', false, false],
    ['imagen', false, false],
  ])
})
