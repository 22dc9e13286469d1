import { listEndpoints } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { excessOf, type Row, startMeasuring } from '../../testing/worst-bodies/measure-bodies.ts'

// Two bodies that are bad for each operation; worst-bodies.slow.test.ts sends all that can be made.
const ANYTHING = [
  'a long key over prototypes',
  'as many {} as may be',
  'as many keys as may be',
  'a long text',
]
/** Operations that guests may call with a body, which is small. */
const GUESTS = listEndpoints().flatMap(([key, { who, body }]) =>
  who === 'guest' && body !== undefined ? [key.slice(key.indexOf(' ') + 1)] : [],
)
/** Operations that read their bodies themselves, as vendors and the protocol do. */
const READERS = listEndpoints().flatMap(([key, { hidden, body }]) =>
  hidden && body === undefined && key.startsWith('POST ') ? [key.slice('POST '.length)] : [],
)
/** Where bodies are tried that are bad for any operation: before each of the others the same stands. */
const TRIED = [...GUESTS, ...READERS, '/api/prompts', '/api/import']

let measuring: Awaited<ReturnType<typeof startMeasuring>>
let rows: Row[]
beforeAll(async () => {
  measuring = await startMeasuring((bodies, of) =>
    of === 'anything'
      ? bodies.filter(({ name }) => ANYTHING.includes(name))
      : ['of wrong items', 'record of', 'text of', ''].flatMap((kind) =>
          bodies.filter(({ name }) => name.includes(kind)).slice(0, 1),
        ),
  )
  rows = await measuring.measureAll(({ path, anything, own }, who) => {
    if (who === 'guest' && !GUESTS.includes(path)) return anything.slice(0, 1)
    return [...(TRIED.includes(path) ? anything : []), ...own.slice(0, 2)]
  })
}, 300_000)
afterAll(() => measuring.close())

test('nobody’s worst body keeps the others waiting, for any operation', () => {
  expect(
    rows.flatMap((row) => (excessOf(row) === undefined ? [] : [{ ...row, excess: excessOf(row) }])),
  ).toEqual([])
})

test('a stranger’s body is neither parsed nor checked where a stranger may not call', () => {
  const strangers = rows.filter(
    ({ who, operation }) => who === 'guest' && !GUESTS.some((path) => operation.endsWith(path)),
  )
  expect(strangers.length).toBeGreaterThan(80)
  expect(strangers.filter(({ status }) => status !== 401)).toEqual([])
})

test('none of them is a fault of the server', () => {
  expect(rows.filter(({ status }) => status === 0 || status >= 500)).toEqual([])
})
