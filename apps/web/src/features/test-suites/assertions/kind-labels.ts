import { ASSERT_SET, type AssertionKind } from '@catenary/contracts'
import type { AssertionDraft } from './assertion-draft.ts'

export const KIND_LABELS: Record<AssertionKind | typeof ASSERT_SET, [is: string, isNot: string]> = {
  icontains: ['contains (ignore case)', 'does not contain (ignore case)'],
  contains: ['contains', 'does not contain'],
  'icontains-any': ['contains any of (ignore case)', 'contains none of (ignore case)'],
  'icontains-all': ['contains all of (ignore case)', 'does not contain all of (ignore case)'],
  'contains-any': ['contains any of', 'contains none of'],
  'contains-all': ['contains all of', 'does not contain all of'],
  'starts-with': ['starts with', 'does not start with'],
  equals: ['is exactly', 'is not'],
  regex: ['matches the pattern', 'does not match the pattern'],
  levenshtein: ['is close to', 'is not close to'],
  'word-count': ['word count is', 'word count is not'],
  'is-json': ['is JSON', 'is not JSON'],
  'contains-json': ['contains JSON', 'does not contain JSON'],
  latency: ['takes at most', 'takes more than'],
  cost: ['costs at most', 'costs more than'],
  'finish-reason': ['finish reason is', 'finish reason is not'],
  'llm-rubric': ['model-graded', 'model-graded, must not hold'],
  factuality: ['agrees with the facts', 'disagrees with the facts'],
  'select-best': ['is the best of all targets', ''],
  [ASSERT_SET]: ['assertion set', ''],
}

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
  ['Format', ['equals', 'regex', 'levenshtein', 'word-count', 'is-json', 'contains-json']],
  ['Metrics', ['latency', 'cost', 'finish-reason']],
  ['Model-graded', ['llm-rubric', 'factuality', 'select-best']],
  ['Sets', [ASSERT_SET]],
]

export const hasOpposite = (kind: AssertionDraft['kind']) => KIND_LABELS[kind][1] !== ''
