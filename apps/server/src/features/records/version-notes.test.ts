import type { PromptVersion } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

describe.each(routeDatabaseKinds)('what is said of versions, and what a move would meet, on %s', (kind) => {
  let library: Library
  let addresses: string[]
  beforeAll(async () => {
    library = await startLibrary(kind)
    const prompt = await library.createPrompt(library.owner, { note: 'begun' })
    const chain = await library.createChain(library.owner)
    addresses = [`/api/prompts/${prompt.id}`, `/api/chains/${chain.id}`]
  })
  afterAll(() => library.close())

  const send = (method: 'GET' | 'PUT' | 'PATCH', url: string, body?: unknown, as = library.owner) =>
    library.request({ method, url, body, as })

  test('a note is replaced, and can be removed; the rest of the version stays', async () => {
    for (const address of addresses) {
      const url = `${address}/versions/1`
      const before = (await send('GET', url)).body as PromptVersion
      expect((await send('PATCH', url, { note: '  three facts ' })).status).toBe(204)
      expect((await send('GET', url)).body).toEqual({ ...before, note: 'three facts' })
      expect((await send('PATCH', url, { note: '' })).status).toBe(204)
      expect((await send('GET', url)).body).toEqual({ ...before, note: '' })
    }
  })

  test.each([
    ['of two lines', 400, 1, { note: 'one\ntwo' }],
    ['that is none', 400, 1, {}],
    ['with a text', 400, 1, { note: 'one', content: 'other' }],
    ['of a version that there is not', 404, 9, { note: 'one' }],
  ])('a note %s is refused with %i', async (_what, status, number, body) => {
    for (const address of addresses) {
      expect((await send('PATCH', `${address}/versions/${number}`, body)).status).toBe(status)
    }
  })

  test('a move meets no gate, unless its label is protected and needs a suite', async () => {
    const open = { needsSuite: false, passed: true, suites: [], canOverride: false }
    const rule = { whoMayMove: 'owners', needsSuite: true }
    const protect = '/api/admin/protected-labels/production'
    expect((await send('PUT', protect, rule, library.admin)).status).toBe(200)
    for (const address of addresses) {
      expect((await send('GET', `${address}/labels/staging/gate?version=1`)).body).toEqual(open)
      const closed = { needsSuite: true, passed: false, suites: [], canOverride: true }
      expect((await send('GET', `${address}/labels/production/gate?version=1`)).body).toEqual(closed)
      expect((await send('GET', `${address}/labels/production/gate?version=9`)).status).toBe(400)
    }
  })
})
