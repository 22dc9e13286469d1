import { ASSERT_SET, type AssertionKind } from '@catenary/contracts'
import type { AssertionDraft } from './assertion-draft.ts'

/** What a kind is called, and its opposite. */
export const KIND_WORDS: Record<AssertionKind | typeof ASSERT_SET, [is: string, isNot: string]> = {
  icontains: ['contains, in any case', 'does not contain, in any case'],
  contains: ['contains', 'does not contain'],
  'icontains-any': ['contains any of, in any case', 'contains none of, in any case'],
  'icontains-all': ['contains all of, in any case', 'does not contain all of, in any case'],
  'contains-any': ['contains any of', 'contains none of'],
  'contains-all': ['contains all of', 'does not contain all of'],
  'starts-with': ['starts with', 'does not start with'],
  equals: ['is exactly', 'is not'],
  regex: ['matches the pattern', 'does not match the pattern'],
  levenshtein: ['is nearly', 'is far from'],
  'word-count': ['has so many words', 'has not so many words'],
  'is-json': ['is JSON', 'is no JSON'],
  'contains-json': ['contains JSON', 'contains no JSON'],
  latency: ['takes at most', 'takes more than'],
  cost: ['costs at most', 'costs more than'],
  'finish-reason': ['stops by', 'does not stop by'],
  'llm-rubric': ['a model finds true', 'a model does not find true'],
  factuality: ['agrees with the facts', 'disagrees with the facts'],
  'select-best': ['is the best of all targets', ''],
  [ASSERT_SET]: ['several that count as one', ''],
}

/** Kinds as the list of them is ordered, under headings. */
export const KIND_GROUPS: [heading: string, kinds: AssertionDraft['kind'][]][] = [
  [
    'Words',
    [
      'icontains',
      'contains',
      'icontains-any',
      'icontains-all',
      'contains-any',
      'contains-all',
      'starts-with',
    ],
  ],
  ['Form', ['equals', 'regex', 'levenshtein', 'word-count', 'is-json', 'contains-json']],
  ['Figures', ['latency', 'cost', 'finish-reason']],
  ['By a model', ['llm-rubric', 'factuality', 'select-best']],
  ['Together', [ASSERT_SET]],
]

export const hasOpposite = (kind: AssertionDraft['kind']) => KIND_WORDS[kind][1] !== ''
