import { expect, test } from 'vitest'
import * as z from 'zod'
import { projectionOf } from './projection.ts'

function serialize(schema: z.ZodType, value: unknown): unknown {
  return JSON.parse(JSON.stringify(projectionOf(schema)(value)))
}

test('what the schema does not name is not written, at any depth', () => {
  const schema = z.array(
    z.object({
      id: z.int(),
      tags: z.array(z.object({ name: z.string() })),
      by: z.object({ name: z.string().optional() }).nullable(),
      values: z.record(z.string(), z.object({ value: z.string() })),
    }),
  )
  const row = {
    id: 1,
    secret: 1,
    tags: [{ name: 'a', secret: 1 }],
    by: { name: 'Ada', secret: 1 },
    values: { a: { value: 'x', secret: 1 } },
  }
  expect(serialize(schema, [row, { ...row, by: null }])).toEqual([
    { id: 1, tags: [{ name: 'a' }], by: { name: 'Ada' }, values: { a: { value: 'x' } } },
    { id: 1, tags: [{ name: 'a' }], by: null, values: { a: { value: 'x' } } },
  ])
})

test('a schema whose fields can not be told is refused when the route is made', () => {
  for (const schema of [z.tuple([z.string()]), z.object({ any: z.any() }), z.json()]) {
    expect(() => projectionOf(schema)).toThrow(
      'A list can be written from objects, told apart by a field, arrays',
    )
  }
})
