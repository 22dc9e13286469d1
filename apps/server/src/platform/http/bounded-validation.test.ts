import { expect, test } from 'vitest'
import * as z from 'zod'
import { boundValidation } from './bounded-validation.ts'

/** How often an item was looked at, and what was said, by a schema that has parsed before. */
function look(schemaOf: (item: z.ZodType) => z.ZodType, value: unknown) {
  let looks = 0
  const item = z.string().refine((text) => {
    looks += 1
    return text !== 'wrong'
  })
  const schema = schemaOf(item)
  boundValidation(schema)
  schema.safeParse(value)
  schema.safeParse(value)
  looks = 0
  const { success, data, error } = schema.safeParse(value)
  return {
    looks,
    success,
    data,
    issues: error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [],
  }
}

const items = (count: number, at: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => at(index))
const entries = (count: number, at: (index: number) => unknown) =>
  Object.fromEntries(items(count, (index) => [`k${index}`, at(index)]) as [string, unknown][])

test.each([
  ['without a check', (item: z.ZodType) => z.array(item)],
  ['with a bound', (item: z.ZodType) => z.array(item).min(1)],
  ['with a check', (item: z.ZodType) => z.array(item).refine(() => true)],
])('of a long list %s that is wrong throughout the first are looked at, and twenty named', (_, schemaOf) => {
  const { looks, issues } = look(
    schemaOf,
    items(10_000, () => 'wrong'),
  )
  expect([looks, issues.length]).toEqual([20, 20])
  expect([issues[0], issues[19]]).toEqual([
    ['0', 'Invalid input'],
    ['19', 'Invalid input'],
  ])
})

test('what is wrong late in a list or a record is named by its place', () => {
  const list = look((item) => z.strictObject({ of: z.array(item) }), {
    of: items(95, (index) => (index === 93 ? 'wrong' : 'a')),
  })
  expect(list.issues).toEqual([['of.93', 'Invalid input']])
  const record = look(
    (item) => z.record(z.string(), item),
    entries(95, (index) => (index > 92 ? 'wrong' : 'a')),
  )
  expect(record.issues.map(([path]) => path)).toEqual(['k93', 'k94'])
})

test.each([
  ['without a check', (item: z.ZodType) => z.record(z.string(), item)],
  ['with a check', (item: z.ZodType) => z.record(z.string(), item).refine(() => true)],
])('of a record %s that is wrong throughout the first are looked at', (_, schemaOf) => {
  const { looks, issues } = look(
    schemaOf,
    entries(10_000, () => 'wrong'),
  )
  expect([looks, issues.length]).toEqual([20, 20])
})

test('a list that is too long has none of its items looked at', () => {
  const { looks, issues } = look(
    (item) => z.array(item).max(50, 'At most 50'),
    items(60, () => 'wrong'),
  )
  expect({ looks, issues }).toEqual({ looks: 0, issues: [['', 'At most 50']] })
})

test('what is right is parsed as ever, with its changes and its order', () => {
  const schema = z.strictObject({
    list: z.array(z.string().trim()).max(200),
    record: z.record(z.string().min(1), z.number().default(7)),
    union: z.union([z.array(z.number()), z.array(z.string())]),
    deep: z.array(z.object({ a: z.array(z.coerce.number()) }).optional()),
  })
  const value = {
    list: items(150, (index) => ` ${index} `),
    record: entries(45, (index) => (index % 2 === 0 ? index : undefined)),
    union: items(60, (index) => `${index}`),
    deep: items(30, (index) => ({ a: items(25, () => `${index}`) })),
  }
  const before = schema.safeParse(value)
  boundValidation(schema)
  const after = schema.safeParse(value)
  expect(before.success).toBe(true)
  expect(after).toEqual(before)
  expect(JSON.stringify(after.data)).toBe(JSON.stringify(before.data))
})

test('a text that is far too long is refused by its own words, and the rest of it is not looked at', () => {
  let seen = 0
  const schema = z
    .string()
    .trim()
    .max(10, 'At most 10')
    .refine((text) => {
      seen = text.length
      return true
    })
  boundValidation(schema)
  expect(schema.safeParse('a'.repeat(1_000_000)).error?.issues.map(({ message }) => message)).toEqual([
    'At most 10',
  ])
  expect(seen).toBe(10_010)
  expect(schema.safeParse(`${' '.repeat(1_000_000)}short `).data).toBe('short')
})

test.each([
  ['at its beginning', (blanks: string) => `${blanks}short`],
  ['at its end', (blanks: string) => `short${blanks}`],
  ['at both ends', (blanks: string) => `${blanks}short${blanks}`],
])('of a text with a million blanks %s few are looked at', (_, textOf) => {
  let seen = 0
  const look = (text: string) => {
    seen = text.length
    return text
  }
  const trimming = z.string().overwrite(look).trim().max(10)
  boundValidation(trimming)
  expect(trimming.safeParse(textOf(' '.repeat(1_000_000))).data).toBe('short')
  expect(seen).toBeLessThan(30_000)
  const asItIs = z.string().max(10, 'At most 10')
  boundValidation(asItIs)
  const { error } = asItIs.safeParse(textOf(' '.repeat(1_000_000)))
  expect(error?.issues.map(({ message }) => message)).toEqual(['At most 10'])
})

test('a text of blanks alone is refused by its own words, and few are looked at', () => {
  let seen = 0
  const schema = z
    .string()
    .overwrite((text) => {
      seen = text.length
      return text.trim()
    })
    .min(1, 'Required')
    .max(10)
  boundValidation(schema)
  const { error } = schema.safeParse(' '.repeat(1_000_000))
  expect(error?.issues.map(({ message }) => message)).toEqual(['Required'])
  expect(seen).toBeLessThan(30_000)
})

test('a text that its schema shortens is right as a whole', () => {
  const schema = z
    .string()
    .overwrite((text) => text.replaceAll('-', ''))
    .max(10)
  boundValidation(schema)
  expect(schema.safeParse(`a${'-'.repeat(100_000)}b`).data).toBe('ab')
  expect(schema.safeParse(`a${'-'.repeat(100_000)}${'b'.repeat(10)}`).success).toBe(false)
})
