import type { FinishReason } from '@catenary/contracts'
import { pick, type Random, upTo } from './random.ts'

export const WORDS = [
  ...[
    'refund',
    'Refund',
    'order',
    'Order 1042',
    'sorry',
    'we',
    'will',
    'ship',
    'STRASSE',
    'straße',
    'naïve',
    'İstanbul',
  ],
  ...[
    '42',
    '3.14',
    'yes, please',
    '"quoted"',
    'a\\b',
    '$<name>',
    'Ada',
    '✓',
    '👩‍💻',
    '\u0000',
    '(x)',
    'x*',
    '[ok]',
  ],
]
const GAPS = [' ', ' ', ' ', '\n', '\t', '  ', '\u00a0', ', ', '. ']

export function prose(random: Random, most = 25): string {
  const count = upTo(random, most)
  return Array.from({ length: count }, () => pick(random, WORDS) + pick(random, GAPS)).join('')
}

const JSON_VALUES = [
  ...[
    '{"name":"Ada","age":36}',
    '{"name":"Ada"}',
    '{"name":5,"age":"x"}',
    '[]',
    '[1,2,3]',
    '"text"',
    '42',
    'true',
    'null',
  ],
  ...[
    '{"when":"2026-11-22","mail":"a@b.example"}',
    '{"when":"soon","mail":"nobody"}',
    '{}',
    '{"a":{"b":[{"c":1}]}}',
  ],
]
const LOOSE = [
  ...[
    "{name: 'Ada', age: 36}",
    '{name: Ada}',
    '{"name":"Ada",}',
    '{"name":"Ada" // who\n}',
    '{"name":"Ada","age":',
    '{',
    '}{',
  ],
  ...[
    '{"a":1}{"name":"Ada","age":36}',
    '{"link":"https://a.example/b"}',
    '{a: yes, b: [1, 2}',
    '{{"name":"Ada"}}',
    '{ }',
  ],
  ...["{'it''s': 1}", '{"n":"Ada","n":"Eva"}', '{"name":"A}da"}', '{a}', '{"a":1e3,"age":36,"name":"x"}'],
]

export function answerText(random: Random): string {
  const form = random()
  if (form < 0.3) return prose(random)
  if (form < 0.5) return pick(random, JSON_VALUES)
  if (form < 0.8) return `${prose(random, 4)}${pick(random, [...JSON_VALUES, ...LOOSE])}${prose(random, 4)}`
  return form < 0.9 ? pick(random, LOOSE) : pick(random, WORDS)
}

export const SCHEMAS = [
  { type: 'object', required: ['name'], properties: { name: { type: 'string' }, age: { type: 'integer' } } },
  {
    type: 'object',
    properties: { when: { type: 'string', format: 'date' }, mail: { type: 'string', format: 'email' } },
  },
  { type: 'object', required: ['a'] },
  {
    type: 'object',
    required: ['name', 'age'],
    additionalProperties: false,
    properties: { name: {}, age: {} },
  },
  { type: 'array', items: { type: 'integer' } },
  { type: 'object', properties: { name: { type: 'string', minLength: 3, pattern: '^A' } } },
]
export const YAML_SCHEMA = 'type: object\nrequired: [name]\nproperties:\n  name:\n    type: string\n'
export const PATTERNS = [
  ...[
    'refund',
    '^Order',
    '\\d+',
    '(?i)x',
    '[',
    '^\\s*$',
    'Ada|sorry',
    '\\bwe\\b',
    '.*',
    'x*',
    '^.{0,20}$',
    '[A-Z]{2,}',
  ],
  ...['\\p{L}', '(?<year>\\d{4})', '^(a+)+b$', '$<name>'],
]
export const REASONS: readonly (FinishReason | null)[] = ['stop', 'length', 'content_filter', 'tool', null]

export const RUBRIC_REPLIES = [
  ...[
    '{"pass":true,"score":1,"reason":"fine"}',
    '{"pass":false,"score":0,"reason":"rude"}',
    '{"pass":true,"score":0.4}',
  ],
  ...[
    '{"pass":"yes","score":"0.8"}',
    '{"pass":"no"}',
    '{"score":0.7,"reason":"so so"}',
    'Sure:\n```json\n{"pass": true, "score": 0.9, "reason": "ok"}\n```',
  ],
  ...[
    '{pass: true, score: 1',
    'I would say yes',
    '[]',
    '{"reason":"only"}',
    '{"pass":true,"score":"high"}',
    '{"pass":null,"score":0.2}',
  ],
]
export const FACT_REPLIES = [
  ...[
    '{"category":"A","reason":"part of it"}',
    '{"category":"b"}',
    '{"category":"C","reason":" "}',
    '{"category":"D","reason":"no"}',
  ],
  ...[
    '{"category":"E"}',
    '{"category":"F"}',
    '(A) It is a part of it',
    '(d) They disagree',
    'neither',
    '{"reason":"none"}',
    '(C)',
  ],
]
