import { expect, test } from 'vitest'
import { findSchemaAt, readPath, scanPath, writePath } from './paths.ts'

const PATH_STEPS_MAX = 20

test('a path is read and written', () => {
  expect(readPath('items[0].title')).toEqual(['items', 0, 'title'])
  expect(readPath('[2].a')).toEqual([2, 'a'])
  expect(writePath(['items', 0, 'title'])).toBe('items[0].title')
  for (const wrong of ['', 'a..b', 'a[]', 'a[x]', 'a b', 'a.', 'a[0']) expect(readPath(wrong)).toBeUndefined()
})

test('in a text it ends where it is no path any more', () => {
  expect(scanPath('x.a[1]. Then', 1)).toEqual({ steps: ['a', 1], end: 6 })
  expect(scanPath('.a'.repeat(100), 0).steps).toHaveLength(PATH_STEPS_MAX)
})

test('a schema tells where a path leads nowhere', () => {
  const schema = {
    type: 'object',
    properties: {
      items: { type: 'array', items: { type: 'object', properties: { title: { type: 'string' } } } },
    },
  }
  expect(findSchemaAt(schema, ['items', 0, 'title'])).toEqual({ part: { type: 'string' } })
  expect(findSchemaAt(schema, ['items', 0, 'titel'])).toEqual({ missing: 'titel', parent: ['items', 0] })
  expect(findSchemaAt(schema, ['items', '0', 'title'])).toEqual({ part: { type: 'string' } })
  expect(findSchemaAt(schema, ['items', 'title'])).toEqual({ missing: 'title', parent: ['items'] })
})
