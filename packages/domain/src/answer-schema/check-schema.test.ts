import { expect, test } from 'vitest'
import { checkSchema } from './check-schema.ts'
import { type JsonSchema, mapSchema } from './schema-node.ts'

const text = { type: 'string' }
const object = (properties: object, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
})
const problemsOf = (schema: JsonSchema) =>
  checkSchema(schema).problems.map(({ path, message }) => `${path}: ${message}`)

test('a schema of groups, lists, choices and dates is taken by all, and nothing is noted', () => {
  const schema = object(
    {
      severity: { type: 'string', enum: ['high', 'low'], description: 'how bad' },
      items: { type: 'array', items: object({ title: text, done: { type: 'boolean' } }) },
      refund: { type: ['number', 'null'] },
      reply_by: { type: 'string', format: 'date-time' },
    },
    {
      required: ['severity'],
      additionalProperties: false,
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    },
  )
  expect(checkSchema(schema)).toEqual({ problems: [], notes: [] })
})

test.each<[string, JsonSchema, string]>([
  ['a list as the whole', { type: 'array', items: text }, ': The whole answer must have the type object'],
  ['no field', object({}), ': Add at least one field'],
  ['a reference', object({ a: { $ref: '#/$defs/a' } }), 'a: $ref is not supported. Give it one type'],
  ['a choice of schemas', object({ a: { oneOf: [text] } }), 'a: oneOf is not supported. Give it one type'],
  ['two types', object({ a: { type: ['string', 'number'] } }), 'a: Give it one type'],
  [
    'an unknown keyword',
    object({ a: { type: 'string', not: {} } }),
    'a: not is not supported for the type string',
  ],
  [
    'patterns of names',
    object({ a: text }, { patternProperties: {} }),
    ': patternProperties is not supported for the type object',
  ],
  [
    'other fields',
    object({ a: text }, { additionalProperties: true }),
    ': additionalProperties must be false, as providers return no other fields',
  ],
  ['a list of anything', object({ a: { type: 'array' } }), 'a: Set items to say what the list contains'],
  [
    'an inner mistake',
    object({ a: { type: 'array', items: object({ b: { type: 'text' } }) } }),
    'a[].b: Give it one type',
  ],
  [
    'a format of its own',
    object({ a: { type: 'string', format: 'iban' } }),
    'a: format must be one of date, time, date-time, duration, email, hostname, uri, ipv4, ipv6, uuid',
  ],
  ['a broken pattern', object({ a: { type: 'string', pattern: '(' } }), 'a: pattern is not a valid pattern'],
  [
    'a number in a choice of texts',
    object({ a: { type: 'string', enum: ['b', 1] } }),
    'a: enum must list values of the type string',
  ],
  [
    'a required field that is none',
    object({ a: text }, { required: ['b'] }),
    ': required lists b, which is not a field',
  ],
  [
    'a name that objects have',
    object(JSON.parse('{"__proto__":{"type":"string"}}')),
    '__proto__: A field can’t be named “__proto__”',
  ],
  ['no schema', object({ a: 'text' }), 'a: Must be a schema'],
  [
    'a name that is required twice',
    object({ a: text }, { required: ['a', 'a'] }),
    ': required lists a twice',
  ],
  [
    'a range of nothing',
    object({ a: { type: 'number', minimum: 2, maximum: 1 } }),
    'a: minimum 2 is more than maximum 1',
  ],
  [
    'a range without a whole number',
    object({ a: { type: 'integer', minimum: 1.2, maximum: 1.8 } }),
    'a: There is no whole number from 1.2 to 1.8',
  ],
  [
    'a list of more than it may have',
    object({ a: { type: 'array', items: text, minItems: 3, maxItems: 2 } }),
    'a: minItems 3 is more than maxItems 2',
  ],
  [
    'a text longer than it may be',
    object({ a: { type: 'array', items: { type: 'string', minLength: 3, maxLength: 2 } } }),
    'a[]: minLength 3 is more than maxLength 2',
  ],
  [
    'a choice that takes null and does not list it',
    object({ a: { type: ['string', 'null'], enum: ['b'] } }),
    'a: Its type allows null but its enum does not. Add null to enum, or remove it from the type',
  ],
  [
    'a choice that its bounds refuse',
    object({ a: { type: 'integer', enum: [1, 5], maximum: 3 } }),
    'a: enum lists 5, which the other limits exclude',
  ],
  [
    'a choice that is no whole number',
    object({ a: { type: 'integer', enum: [1.5] } }),
    'a: enum lists 1.5, which the other limits exclude',
  ],
  [
    'a choice that is too short',
    object({ a: { type: 'string', enum: ['b'], minLength: 2 } }),
    'a: enum lists "b", which the other limits exclude',
  ],
])('%s is named', (_what, schema, problem) => {
  expect(problemsOf(schema)).toEqual([problem])
})

const nested = (depth: number): JsonSchema =>
  depth === 1 ? object({ a: text }) : object({ a: { type: 'array', items: nested(depth - 1) } })
const wide = (count: number) =>
  object(Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, text])))

test('depth, fields and length are bounded', () => {
  expect(problemsOf(nested(5))).toEqual([])
  expect(problemsOf(nested(6))[0]).toMatch(/: Nested more than 5 levels deep$/)
  expect(problemsOf(nested(5_000))[0]).toMatch(/: Nested more than 5 levels deep$/)
  expect(problemsOf(wide(100))).toEqual([])
  expect(problemsOf(wide(101))).toEqual([': It has 101 fields; at most 100 are allowed'])
  const long = object({ a: { ...text, description: 'x'.repeat(50_000) } })
  expect(problemsOf(long)).toEqual([': The schema must be at most 50,000 characters'])
})

test('what a vendor takes in words only is noted by its name', () => {
  const { problems, notes } = checkSchema(
    object({ a: { type: 'string', pattern: '^a' }, b: { type: 'number', minimum: 1 } }),
  )
  expect(problems).toEqual([])
  expect(notes).toEqual([
    {
      vendor: 'anthropic',
      path: 'a',
      message: 'Anthropic is told about pattern in words only; the answer is checked for it',
    },
    {
      vendor: 'gemini',
      path: 'a',
      message: 'Gemini is told about pattern in words only; the answer is checked for it',
    },
    {
      vendor: 'anthropic',
      path: 'b',
      message: 'Anthropic is told about minimum in words only; the answer is checked for it',
    },
  ])
})

test('a part of a schema is changed from within', () => {
  const seen: unknown[] = []
  mapSchema(nested(2), (part) => {
    seen.push(part.type)
    return part
  })
  expect(seen).toEqual(['string', 'object', 'array', 'object'])
})
