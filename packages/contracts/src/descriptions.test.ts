import { expect, test } from 'vitest'
import * as z from 'zod'
import * as contracts from './index.ts'

interface Schema {
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

const schemas = Object.entries(contracts).filter(([, value]) => value instanceof z.ZodType)

test.each(schemas)('each field of %s has its line on the API page', (_name, value) => {
  const schema = z.toJSONSchema(value as z.ZodType, { io: 'input', unrepresentable: 'any' })
  expect(undescribed(schema as Schema)).toEqual([])
})

function undescribed({ properties = {}, items, anyOf = [] }: Schema): string[] {
  const inner = [...anyOf, ...(items ? [items] : [])].flatMap(undescribed)
  const fields = Object.entries(properties).flatMap(([name, field]) => [
    ...(isDescribed(field) ? [] : [name]),
    ...undescribed(field).map((below) => `${name}.${below}`),
  ])
  return [...inner, ...fields]
}

/** What may be null is described where its other kind is. */
function isDescribed({ description, anyOf = [] }: Schema): boolean {
  return description !== undefined || anyOf.some(isDescribed)
}
