import { expect, test } from 'vitest'
import { fieldPaths } from './field-paths.ts'

test('every place of a schema is named with what it holds, of a list its first item', () => {
  const schema = {
    type: 'object',
    properties: {
      refund: { type: ['number', 'null'] },
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: { title: { type: 'string' }, tags: { type: 'array', items: {} } },
        },
      },
      customer: { type: 'object', properties: { is_new: { type: 'boolean' } } },
    },
  }
  expect(fieldPaths(schema)).toEqual([
    { path: 'refund', type: 'number' },
    { path: 'items', type: 'list of groups' },
    { path: 'items[0].title', type: 'text' },
    { path: 'items[0].tags', type: 'list of value' },
    { path: 'customer', type: 'group' },
    { path: 'customer.is_new', type: 'yes or no' },
  ])
})

test('of a schema nested without end no more is read than is offered', () => {
  let part: Record<string, unknown> = { type: 'string' }
  for (let depth = 0; depth < 1_000; depth += 1) part = { type: 'object', properties: { a: part } }
  expect(fieldPaths(part)).toHaveLength(200)
})
