import type { KeptExample } from '@catenary/contracts'
import { expect, test } from 'vitest'
import { countSentence, keptSentence } from './example-sentences.ts'

const changed = (name: string): KeptExample => ({ kind: 'prompt', name, reason: 'changed' })
const used = (name: string): KeptExample => ({ kind: 'variable', name, reason: 'used' })

test.each([
  [[], undefined],
  [[changed('Tone check')], '1 stays: 1 you changed (Tone check).'],
  [
    [changed('Tone check'), used('product')],
    '2 stay: 1 you changed (Tone check), and 1 still in use ($<product>).',
  ],
  [['A', 'B', 'C', 'D'].map(changed), '4 stay: 4 you changed (A, B, C, …).'],
])('What stays of the examples is named with its reason.', (kept, sentence) => {
  expect(keptSentence(kept)).toBe(sentence)
})

test('the number of each is named, one in the singular', () => {
  expect(countSentence({ prompts: 8, chains: 2, variables: 0, suites: 1 })).toBe(
    '8 prompts, 2 chains, 1 suite',
  )
})
