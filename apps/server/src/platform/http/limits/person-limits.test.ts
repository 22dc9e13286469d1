import { setImmediate as turn } from 'node:timers/promises'
import type { User } from '@catenary/contracts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../../errors.ts'
import { createOwnWindows } from '../../../limits/windows.ts'
import { createBareHttp } from '../../../testing/bare-http.ts'
import type { HttpApp } from '../routes.ts'
import { limitPeople } from './person-limits.ts'

const person = (id: number): User => ({ id, username: `u${id}`, email: `u${id}@example.org`, role: 'user' })
const ADA = person(1)
const BOB = person(2)

let http: HttpApp
let waiting: (() => void)[]
beforeEach(async () => {
  waiting = []
  const admit = async ({ headers }: { headers: { authorization?: string } }) => {
    if (headers.authorization === 'Bearer ada') return ADA
    if (headers.authorization === 'Bearer bob') return BOB
    throw new AppError('unauthenticated', 'No token')
  }
  const doors = {
    ...{ 'agents token': admit, 'chain token': admit, 'folder token': admit, 'hook token': admit },
    ...{ 'read token': admit, 'skills token': admit },
  }
  const callers = {
    '/api/kept': { POST: 'user' },
    '/api/pushed': { POST: 'folder token' },
    '/read': { POST: 'agents token' },
    '/run': { POST: 'chain token' },
  } as const
  http = await createBareHttp({
    findUser: async (headers) => (headers.get('cookie') === 'ada' ? ADA : null),
    admission: { callers, doors },
  })
  limitPeople(http, {
    boundsOf: async () => ({ streams: 5, writes: 25, reads: 250 }),
    pulse: { silentMs: () => 0 },
    runsPerMinute: 10,
    windows: createOwnWindows,
    share: (most) => ({ most, processes: 1 }),
  })
  const wait = () => new Promise<string>((resolve) => waiting.push(() => resolve('done')))
  http.post('/api/kept', async () => 'kept')
  http.post('/api/pushed', { config: { writes: 'file', crossSiteCheck: false } }, async () => 'pushed')
  http.post('/read', { config: { readLimit: 'whole', writes: 'unlimited', crossSiteCheck: false } }, wait)
  http.post('/run', { config: { readLimit: 'begin', writes: 'unlimited', crossSiteCheck: false } }, wait)
})
afterEach(async () => {
  for (const end of waiting) end()
  await http.close()
})

const call = (url: string, who: 'ada' | 'bob') =>
  http.inject({ method: 'POST', url, headers: { authorization: `Bearer ${who}` } })

async function settle(): Promise<void> {
  for (let count = 0; count < 50; count += 1) await turn()
}

test('what a token changes counts among its creator’s changes, and the other way round', async () => {
  // A pushed folder counts for twenty of Ada's 25 a minute.
  expect((await call('/api/pushed', 'ada')).statusCode).toBe(200)
  const keep = () =>
    http.inject({
      method: 'POST',
      url: '/api/kept',
      headers: { cookie: 'ada', 'sec-fetch-site': 'same-origin' },
    })
  for (let count = 0; count < 5; count += 1) expect((await keep()).statusCode).toBe(200)
  expect((await keep()).statusCode).toBe(429)
  const refused = await call('/api/pushed', 'ada')
  expect([refused.statusCode, refused.json().error]).toEqual([
    429,
    expect.stringContaining('You can make 25 changes a minute'),
  ])
  expect((await call('/api/pushed', 'bob')).statusCode).toBe(200)
})

test('what a token reads counts among its creator’s reads: two at once where others read', async () => {
  const others = call('/read', 'bob')
  await settle()
  const mine = Array.from({ length: 10 }, () => call('/read', 'ada'))
  await settle()
  expect(waiting).toHaveLength(1 + 2)
  while (waiting.length < 11) {
    for (const end of waiting) end()
    await settle()
  }
  for (const end of waiting) end()
  expect((await Promise.all([others, ...mine])).map(({ statusCode }) => statusCode)).toEqual(
    Array(11).fill(200),
  )
})

test('fifty runs of a token begin at once, beside others’', async () => {
  const others = call('/read', 'bob')
  const mine = Array.from({ length: 50 }, () => call('/run', 'ada'))
  await settle()
  expect(waiting).toHaveLength(51)
  for (const end of waiting) end()
  expect((await Promise.all([others, ...mine])).every(({ statusCode }) => statusCode === 200)).toBe(true)
})
