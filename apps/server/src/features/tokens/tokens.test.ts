import type { BestToken, ChainToken, CreatedBestToken, CreatedChainToken } from '@catenary/contracts'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activity, apiTokens } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { hashOf, isTokenValue } from './token-value.ts'

describe.each(routeDatabaseKinds)('tokens, on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, as?: TestUser, body?: unknown) =>
    library.request({ method, url, as, body })
  const makeToken = async (chainId: number, fields: object = {}, as = library.owner) => {
    const reply = await send('POST', '/api/tokens', as, { name: 'Production', chainId, ...fields })
    expect(reply.status, reply.text).toBe(201)
    return reply.body as CreatedChainToken
  }
  const makeBest = async (fields: object = {}, as = library.owner) => {
    const reply = await send('POST', '/api/best-tokens', as, { name: 'Front desk', ...fields })
    expect(reply.status, reply.text).toBe(201)
    return reply.body as CreatedBestToken
  }
  const share = (chainId: number, role: string) =>
    library.request({
      method: 'PUT',
      url: `/api/chains/${chainId}/shares`,
      as: library.owner,
      body: [{ username: 'Oskar', role }],
    })

  test('GET, POST and DELETE /api/tokens handle a chain’s tokens, each shown with its first 8 characters. Only the reply that creates one has its value.', async () => {
    const chain = await library.createChain(library.owner)
    const created = await makeToken(chain.id, { expiresAt: '2030-01-01T00:00:00.000Z', requestsPerMinute: 7 })
    expect(created.token).toMatch(/^ctc_[0-9A-Za-z]{46}$/)
    expect(isTokenValue(created.token)).toBe(true)
    const list = (await send('GET', `/api/tokens?chainId=${chain.id}`, library.owner)).body
    expect(list).toEqual([{ ...created, token: created.token.slice(0, 8) }])
    expect(created).toEqual({
      ...{ id: created.id, name: 'Production', token: created.token, tokenType: 'chain', chainId: chain.id },
      chainLabel: null,
      ...{ createdBy: 'Olga', createdAt: expect.any(String), previousUntil: null },
      ...{ expiresAt: '2030-01-01T00:00:00.000Z', requestsPerMinute: 7 },
      ...{ callsAtOnce: null, monthlyBudgetUsd: null, answersHelperJobs: true, showsProgress: false },
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
  })

  test('A token is stored as a hash and sealed, bound to id, owner and kind; TOKEN_REVEAL=off keeps no sealed copy.', async () => {
    const chain = await library.createChain(library.owner)
    const { id, token } = await makeToken(chain.id)
    const [row] = await library.db.select().from(apiTokens).where(eq(apiTokens.id, id))
    expect(row?.sha256).toBe(hashOf(token))
    expect(JSON.stringify(row)).not.toContain(token.slice(8))
  })

  test('GET /api/tokens/{id}/value gives it to its creator’s browser session again; it is limited, recorded, and no-store (D37).', async () => {
    const chain = await library.createChain(library.owner, { sharedLevel: 'shared' })
    await share(chain.id, 'editor')
    const { id, token } = await makeToken(chain.id)
    const url = `/api/tokens/${id}/value`
    const revealed = await send('GET', url, library.owner)
    expect(revealed).toMatchObject({ status: 200, body: { token }, headers: { 'cache-control': 'no-store' } })
    expect((await send('GET', url, library.other)).status).toBe(403)
    expect((await send('GET', url, library.admin)).status).toBe(404)
    expect((await send('GET', url)).status).toBe(401)
    const foreign = { cookie: library.owner.headers.cookie, 'sec-fetch-site': 'cross-site' }
    expect((await library.request({ url, headers: foreign })).status).toBe(403)
    const noted = await library.db
      .select({ kind: activity.kind })
      .from(activity)
      .where(
        and(
          eq(activity.objectType, 'token'),
          eq(activity.objectId, id),
          eq(activity.personId, library.owner.user.id),
        ),
      )
      .orderBy(activity.id)
    expect(noted).toEqual([{ kind: 'token.created' }, { kind: 'token.revealed' }])
  })

  test('a sealed value does not open under another token', async () => {
    const chain = await library.createChain(library.owner)
    const [one, two] = [await makeToken(chain.id), await makeToken(chain.id)]
    const [stored] = await library.db.select().from(apiTokens).where(eq(apiTokens.id, one.id))
    await library.db
      .update(apiTokens)
      .set({ encryptedValue: stored?.encryptedValue ?? null })
      .where(eq(apiTokens.id, two.id))
    const reply = await send('GET', `/api/tokens/${two.id}/value`, library.owner)
    const error = 'Could not retrieve the token for copying. The token may need to be regenerated.'
    expect([reply.status, reply.body]).toEqual([410, { error }])
    const revealed = and(eq(activity.objectId, two.id), eq(activity.kind, 'token.revealed'))
    expect(await library.db.$count(activity, revealed)).toBe(0)
  })

  test('values are copied 30 times a minute at most', async () => {
    const reader = await library.registerUser()
    const chain = await library.createChain(reader)
    const { id } = await makeToken(chain.id, {}, reader)
    const statuses = []
    for (let count = 0; count < 31; count += 1) {
      statuses.push((await send('GET', `/api/tokens/${id}/value`, reader)).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429])
  })

  test('Creating and deleting a token needs canEdit of the chain.', async () => {
    const chain = await library.createChain(library.owner, { sharedLevel: 'shared' })
    await share(chain.id, 'viewer')
    const { id } = await makeToken(chain.id)
    const list = () => send('GET', `/api/tokens?chainId=${chain.id}`, library.other)
    expect((await list()).status).toBe(403)
    expect((await send('POST', '/api/tokens', library.other, { name: 'x', chainId: chain.id })).status).toBe(
      403,
    )
    expect((await send('DELETE', `/api/tokens/${id}`, library.other)).status).toBe(404)
    await share(chain.id, 'editor')
    const flags = { canReveal: false, canEdit: false, canDelete: true }
    // Its calls run with its creator's private values (D68).
    const figures = { calls: null, inputTokens: null, costUsd: null, lastUsed: null, lastError: null }
    expect(((await list()).body as ChainToken[])[0]).toMatchObject({
      ...{ id, createdBy: 'Olga' },
      ...flags,
      ...figures,
    })
    expect((await send('PATCH', `/api/tokens/${id}`, library.other, { name: 'mine' })).status).toBe(403)
    expect((await send('POST', `/api/tokens/${id}/rotate`, library.other, {})).status).toBe(403)
    expect((await send('DELETE', `/api/tokens/${id}`, library.other)).status).toBe(204)
    expect((await send('GET', `/api/tokens?chainId=${chain.id}`, library.owner)).body).toEqual([])
  })

  test('A name must not be blank: ‘Please provide a name for your API token.’', async () => {
    const chain = await library.createChain(library.owner)
    const refused = async (body: object) => (await send('POST', '/api/tokens', library.owner, body)).body
    expect(await refused({ name: '  ', chainId: chain.id })).toMatchObject({
      error: 'Please provide a name for your API token.',
    })
    for (const fields of [
      { requestsPerMinute: 0 },
      { monthlyBudgetUsd: -1 },
      { callsAtOnce: 1.5 },
      { createdBy: 1 },
      { sha256: 'x' },
    ]) {
      expect(
        (await send('POST', '/api/tokens', library.owner, { name: 'x', chainId: chain.id, ...fields }))
          .status,
      ).toBe(400)
    }
  })

  test('all but its value is edited by its creator, and null lifts a limit', async () => {
    const chain = await library.createChain(library.owner)
    const { id, token } = await makeToken(chain.id, { requestsPerMinute: 5, monthlyBudgetUsd: 2.5 })
    const fields = { name: 'Renamed', requestsPerMinute: null, showsProgress: true, answersHelperJobs: false }
    const edited = await send('PATCH', `/api/tokens/${id}`, library.owner, fields)
    expect(edited.body).toMatchObject({ ...fields, monthlyBudgetUsd: 2.5, token: token.slice(0, 8) })
    expect((await send('GET', `/api/tokens/${id}/value`, library.owner)).body).toEqual({ token })
  })

  describe('of Best Chain', () => {
    test('GET and POST /api/best-tokens, PATCH and DELETE /api/api-tokens/{id} handle Best Chain tokens, never the value; no chains included means all.', async () => {
      const created = await makeBest()
      expect(created.token).toMatch(/^ctb_/)
      expect(created).toMatchObject({
        ...{ tokenType: 'best', includesAllChains: true, includedChainIds: [], includedChains: [] },
        ...{ threshold: null, lastSelection: null },
      })
      const list = (await send('GET', '/api/best-tokens', library.owner)).body as BestToken[]
      expect(list.find(({ id }) => id === created.id)).toEqual({
        ...created,
        token: created.token.slice(0, 8),
      })
      expect((await send('GET', '/api/best-tokens', library.other)).body).toEqual([])
      expect((await send('GET', '/api/best-tokens')).status).toBe(401)
    })

    test('Emptying a selection never widens a token (D38).', async () => {
      const chain = await library.createChain(library.owner, { name: 'Only' })
      const { id } = await makeBest({ includedChainIds: [chain.id] })
      const patch = async (body: object) =>
        (await send('PATCH', `/api/api-tokens/${id}`, library.owner, body)).body as BestToken
      expect(await patch({ name: 'Desk' })).toMatchObject({
        includesAllChains: false,
        includedChains: [{ id: chain.id, name: 'Only' }],
      })
      await send('DELETE', `/api/chains/${chain.id}`, library.owner)
      const emptied = { includesAllChains: false, includedChainIds: [] }
      expect(await patch({ name: 'Desk', includedChainIds: [] })).toMatchObject(emptied)
      expect(await patch({ includesAllChains: true })).toMatchObject({ includesAllChains: true })
      const other = await library.createChain(library.owner)
      expect(await patch({ includedChainIds: [other.id] })).toMatchObject({ includesAllChains: false })
      expect(await patch({ includedChainIds: [] })).toMatchObject({ includesAllChains: true })
    })

    test('Only chains that a person sees can be chosen for a token.', async () => {
      const hidden = await library.createChain(library.other)
      const chain = await library.createChain(library.owner)
      const choose = (body: object) => send('POST', '/api/best-tokens', library.owner, { name: 'x', ...body })
      expect((await choose({ includedChainIds: [hidden.id] })).status).toBe(404)
      const { id } = await makeBest()
      const both = { includesAllChains: true, includedChainIds: [chain.id] }
      expect((await send('PATCH', `/api/api-tokens/${id}`, library.owner, both)).status).toBe(400)
    })

    test('the calls of one kind do not reach the other', async () => {
      const chain = await library.createChain(library.owner)
      const [own, best] = [await makeToken(chain.id), await makeBest()]
      expect((await send('PATCH', `/api/api-tokens/${own.id}`, library.owner, { name: 'x' })).status).toBe(
        404,
      )
      expect((await send('DELETE', `/api/api-tokens/${own.id}`, library.owner)).status).toBe(404)
      expect((await send('PATCH', `/api/tokens/${best.id}`, library.owner, { name: 'x' })).status).toBe(404)
      for (const method of ['PATCH', 'DELETE'] as const) {
        const body = method === 'PATCH' ? { name: 'x' } : undefined
        expect((await send(method, `/api/api-tokens/${best.id}`, library.other, body)).status).toBe(404)
        expect((await send(method, `/api/api-tokens/${best.id}`, library.admin, body)).status).toBe(404)
      }
      expect((await send('GET', `/api/tokens/${best.id}/value`, library.owner)).body).toEqual({
        token: best.token,
      })
      expect((await send('DELETE', `/api/api-tokens/${best.id}`, library.owner)).status).toBe(204)
    })
  })

  test('Tokens end with their chain (D54).', async () => {
    const chain = await library.createChain(library.owner)
    const { id } = await makeToken(chain.id)
    await send('DELETE', `/api/chains/${chain.id}`, library.owner)
    expect((await send('GET', `/api/tokens/${id}/value`, library.owner)).status).toBe(404)
  })
})

test('with TOKEN_REVEAL=off no value is kept, not even for a repeated key, and copying answers 410', async () => {
  const library = await startLibrary('embedded', { settings: { tokenReveal: false } })
  const chain = await library.createChain(library.owner)
  const create = () =>
    library.request({
      method: 'POST',
      url: '/api/tokens',
      as: library.owner,
      body: { name: 'x', chainId: chain.id },
      headers: { 'idempotency-key': 'one' },
    })
  const [first, second] = [await create(), await create()]
  const { id, token, canReveal } = first.body as CreatedChainToken
  expect(canReveal).toBe(false)
  expect((second.body as CreatedChainToken).token).not.toBe(token)
  const copied = await library.request({ url: `/api/tokens/${id}/value`, as: library.owner })
  expect(copied).toMatchObject({
    status: 410,
    body: { error: 'Could not retrieve the token for copying. The token may need to be regenerated.' },
  })
  await library.close()
})
