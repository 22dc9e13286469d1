import { expect, test } from 'vitest'
import { fieldsOfSchema, findFieldProblems, type SchemaField, schemaOfFields } from './fields.ts'

const field = (name: string, more: Partial<SchemaField> = {}): SchemaField => ({
  name,
  type: 'text',
  isList: false,
  description: '',
  isRequired: true,
  ...more,
})

const FIELDS = [
  field('severity', { type: 'one-of', values: ['high', 'mid', 'low'] }),
  field('summary', { description: 'at most 20 words' }),
  field('items', { isList: true, description: 'what to do' }),
  field('refund', { type: 'number', isRequired: false }),
  field('reply_by', { type: 'date-time', isRequired: false }),
  field('people', {
    type: 'group',
    isList: true,
    fields: [field('name'), field('address', { type: 'group', fields: [field('zip', { type: 'integer' })] })],
  }),
]

test('A schema is edited as fields where they say all of it.', () => {
  const schema = schemaOfFields(FIELDS)
  expect(schema).toMatchObject({
    type: 'object',
    properties: {
      severity: { type: 'string', enum: ['high', 'mid', 'low'] },
      items: { type: 'array', description: 'what to do', items: { type: 'string' } },
      reply_by: { type: 'string', format: 'date-time' },
    },
    required: ['severity', 'summary', 'items', 'people'],
    additionalProperties: false,
  })
  expect(fieldsOfSchema(schema)).toEqual(FIELDS)
})

test('a pasted schema is fields too where only its order or what is closed differs', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    required: ['b', 'a'],
    properties: { a: { type: 'string' }, b: { type: 'boolean' } },
  }
  expect(fieldsOfSchema(schema)).toEqual([field('a'), field('b', { type: 'yes-no' })])
})

test.each([
  ['a bound', { a: { type: 'number', minimum: 1 } }],
  ['null', { a: { type: ['string', 'null'] } }],
  ['a list of lists', { a: { type: 'array', items: { type: 'array', items: { type: 'string' } } } }],
  [
    'a description of what a list holds',
    { a: { type: 'array', items: { type: 'string', description: 'x' } } },
  ],
  ['a choice of numbers', { a: { type: 'integer', enum: [1, 2] } }],
  ['a name with a space', { 'a b': { type: 'string' } }],
  ['a reference', { a: { $ref: '#' } }],
])('a schema is no fields where they would lose something: %s', (_what, properties) => {
  expect(fieldsOfSchema({ type: 'object', properties })).toBeNull()
})

test('groups deeper than two are edited as JSON', () => {
  const group = (depth: number): SchemaField =>
    field('g', { type: 'group', fields: [depth === 1 ? field('a') : group(depth - 1)] })
  expect(fieldsOfSchema(schemaOfFields([group(2)]))).toEqual([group(2)])
  expect(fieldsOfSchema(schemaOfFields([group(3)]))).toBeNull()
})

test('what keeps fields from being a schema is named at its field', () => {
  const fields = [
    field(''),
    field('a b'),
    field('twice'),
    field('twice'),
    field('pick', { type: 'one-of', values: [] }),
    field('g', { type: 'group', fields: [field('')] }),
  ]
  expect(findFieldProblems(fields).map(({ at, message }) => [at, message])).toEqual([
    [[0], 'Give the field a name'],
    [[1], 'Use letters, digits and underscores, not beginning with a digit, at most 64 characters'],
    [[2], 'Another field is already called twice'],
    [[3], 'Another field is already called twice'],
    [[4], 'List the values it may have'],
    [[5, 0], 'Give the field a name'],
  ])
})
