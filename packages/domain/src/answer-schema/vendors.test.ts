import { expect, test } from 'vitest'
import { forVendor, schemaToCheck } from './vendors.ts'

const SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    title: { type: 'string', maxLength: 20, description: 'short' },
    pick: { type: 'string', enum: ['a', 'b'] },
    items: {
      type: 'array',
      maxItems: 3,
      items: { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n'] },
    },
  },
  required: ['title'],
}

test('OpenAI has each field required, and null for what may be left out', () => {
  expect(forVendor(SCHEMA, 'openai')).toEqual({
    type: 'object',
    properties: {
      title: { type: 'string', description: 'short\n\n{maxLength: 20}' },
      pick: { type: ['string', 'null'], enum: ['a', 'b', null] },
      items: {
        type: ['array', 'null'],
        maxItems: 3,
        items: {
          type: 'object',
          properties: { n: { type: 'integer', minimum: 1 } },
          required: ['n'],
          additionalProperties: false,
        },
      },
    },
    required: ['title', 'pick', 'items'],
    additionalProperties: false,
  })
})

test('An answer by a schema goes to each vendor in its own form; what one takes in words only is named.', () => {
  expect(forVendor(SCHEMA, 'anthropic')).toMatchObject({
    properties: {
      title: { type: 'string', description: 'short\n\n{maxLength: 20}' },
      items: { description: '{maxItems: 3}', items: { properties: { n: { description: '{minimum: 1}' } } } },
    },
    required: ['title'],
    additionalProperties: false,
  })
  expect(forVendor(SCHEMA, 'gemini')).toMatchObject({
    properties: { items: { maxItems: 3, items: { properties: { n: { minimum: 1 } } } } },
    required: ['title'],
  })
})

test('an answer is checked by the whole schema; null is taken where a field may be left out', () => {
  expect(schemaToCheck(SCHEMA)).toMatchObject({
    properties: {
      title: { type: 'string', maxLength: 20 },
      pick: { type: ['string', 'null'] },
      items: { type: ['array', 'null'], maxItems: 3 },
    },
    required: ['title'],
    additionalProperties: false,
  })
})
