import { expect, test } from 'vitest'
import * as z from 'zod'
import { projectingSerializer } from './projection.ts'

function serialize(schema: unknown, value: unknown): unknown {
  const write = projectingSerializer({ schema, method: 'GET', url: '/' })
  return JSON.parse(write(value))
}

test('what the schema does not name is not written, at any depth', () => {
  const schema = z.array(
    z.object({
      id: z.int(),
      tags: z.array(z.object({ name: z.string() })),
      by: z.object({ name: z.string().optional() }).nullable(),
    }),
  )
  const row = { id: 1, secret: 1, tags: [{ name: 'a', secret: 1 }], by: { name: 'Ada', secret: 1 } }
  expect(serialize(schema, [row, { ...row, by: null }])).toEqual([
    { id: 1, tags: [{ name: 'a' }], by: { name: 'Ada' } },
    { id: 1, tags: [{ name: 'a' }], by: null },
  ])
})

test('a schema whose fields can not be told is refused when the route is made', () => {
  for (const schema of [z.record(z.string(), z.string()), z.object({ any: z.any() }), z.json()]) {
    expect(() => projectingSerializer({ schema, method: 'GET', url: '/' })).toThrow('objects, arrays')
  }
})
