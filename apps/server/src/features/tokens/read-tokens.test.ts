import type { CreatedReadToken, ReadToken } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

describe.each(routeDatabaseKinds)('read tokens, on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, as?: TestUser, body?: unknown) =>
    library.request({ method, url, as, body })
  const make = async (promptIds: number[], fields: object = {}, as = library.owner) => {
    const reply = await send('POST', '/api/read-tokens', as, { name: 'Billing', promptIds, ...fields })
    expect(reply.status, reply.text).toBe(201)
    return reply.body as CreatedReadToken
  }

  test('GET and POST /api/read-tokens, PATCH and DELETE /api/read-tokens/{id} handle read tokens: name, prompts, mayRun (off at first) and limits.', async () => {
    const { id, title } = await library.createPrompt(library.owner)
    const created = await make([id], { requestsPerMinute: 7 })
    expect(created.token).toMatch(/^ctr_[0-9A-Za-z]{46}$/)
    expect(created).toEqual({
      ...{ id: created.id, name: 'Billing', token: created.token, tokenType: 'read' },
      ...{ mayRun: false, prompts: [{ id, title }] },
      ...{ createdBy: 'Olga', createdAt: expect.any(String), previousUntil: null },
      ...{ expiresAt: null, requestsPerMinute: 7, callsAtOnce: null, monthlyBudgetUsd: null },
      ...{ lastUsed: null, calls: 0, savedCalls: 0, inputTokens: 0, outputTokens: 0 },
      ...{ costUsd: 0, monthCostUsd: 0, lastError: null },
      ...{
        canReveal: true,
        canEdit: true,
        canDelete: true,
        fills: [],
        asksToFill: [],
        sends: [],
        asksToSend: [],
      },
    })
    const [listed] = (await send('GET', '/api/read-tokens', library.owner)).body as ReadToken[]
    expect(listed).toEqual({ ...created, token: created.token.slice(0, 8) })
    expect((await send('GET', `/api/tokens/${created.id}/value`, library.owner)).body).toEqual({
      token: created.token,
    })
  })

  test('all but its value is changed, and a new value is its kind’s', async () => {
    const [one, two] = [await library.createPrompt(library.owner), await library.createPrompt(library.owner)]
    const { id, token } = await make([one.id])
    const fields = { name: 'Renamed', mayRun: true, promptIds: [two.id], monthlyBudgetUsd: 2.5 }
    const { promptIds: _, ...shown } = fields
    const edited = await send('PATCH', `/api/read-tokens/${id}`, library.owner, fields)
    expect(edited.body).toMatchObject({ ...shown, prompts: [{ id: two.id }], token: token.slice(0, 8) })
    const rotated = await send('POST', `/api/tokens/${id}/rotate`, library.owner, { overlapMinutes: 5 })
    expect(rotated.body).toMatchObject({ tokenType: 'read', mayRun: true, previousUntil: expect.any(String) })
    expect((rotated.body as CreatedReadToken).token).not.toBe(token)
  })

  test('only prompts that one sees can be chosen, and at least one', async () => {
    const hidden = await library.createPrompt(library.other)
    const seen = await library.createPrompt(library.other, { isPublic: true })
    const { id } = await make([seen.id])
    const create = (promptIds: number[]) =>
      send('POST', '/api/read-tokens', library.owner, { name: 'x', promptIds })
    expect((await create([seen.id, hidden.id])).status).toBe(404)
    expect((await create([])).body).toMatchObject({ error: 'Please select at least one prompt.' })
    const patch = (promptIds: number[]) =>
      send('PATCH', `/api/read-tokens/${id}`, library.owner, { promptIds })
    expect([(await patch([hidden.id])).status, (await patch([])).status]).toEqual([404, 400])
    expect((await create([seen.id])).status).toBe(201)
  })

  test('a prompt that is deleted, or no longer seen, is no longer in it', async () => {
    const prompt = await library.createPrompt(library.other, { isPublic: true })
    const own = await library.createPrompt(library.owner)
    const { id } = await make([prompt.id, own.id])
    const shown = async () => {
      const tokens = (await send('GET', '/api/read-tokens', library.owner)).body as ReadToken[]
      return tokens.find((token) => token.id === id)?.prompts.map((each) => each.id)
    }
    await send('PATCH', `/api/prompts/${prompt.id}/share`, library.other, { sharedLevel: 'private' })
    expect(await shown()).toEqual([own.id])
    await send('DELETE', `/api/prompts/${own.id}`, library.owner)
    expect(await shown()).toEqual([])
  })

  test.each([
    ['a guest', () => undefined, 401],
    ['somebody else', () => library.other, 404],
    ['an admin', () => library.admin, 404],
  ])('%s does nothing with another’s', async (_who, asWhom, refusal) => {
    const { id: promptId } = await library.createPrompt(library.owner)
    const { id } = await make([promptId])
    const as = asWhom()
    const statuses = [
      (await send('PATCH', `/api/read-tokens/${id}`, as, { name: 'mine' })).status,
      (await send('DELETE', `/api/read-tokens/${id}`, as)).status,
      (await send('POST', `/api/tokens/${id}/rotate`, as, {})).status,
      (await send('GET', `/api/tokens/${id}/value`, as)).status,
    ]
    expect(statuses).toEqual([refusal, refusal, refusal, refusal])
    expect((await send('DELETE', `/api/read-tokens/${id}`, library.owner)).status).toBe(204)
  })

  test('the calls of the other kinds do not reach it', async () => {
    const { id: promptId } = await library.createPrompt(library.owner)
    const { id } = await make([promptId])
    for (const path of ['tokens', 'api-tokens']) {
      expect((await send('PATCH', `/api/${path}/${id}`, library.owner, { name: 'x' })).status).toBe(404)
    }
    expect((await send('DELETE', `/api/api-tokens/${id}`, library.owner)).status).toBe(404)
    expect((await send('GET', '/api/best-tokens', library.owner)).body).toEqual([])
  })
})
