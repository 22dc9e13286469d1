import type { Chain } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import { labelsOf } from '../../../testing/version-labels.ts'

const hello = [{ role: 'user', content: 'Hello' }]
const CHAT = '/v1/chat/completions'
const BODIES: [string, (model: string) => object][] = [
  ['/v1/messages', (model) => ({ model, max_tokens: 50, messages: hello })],
  [CHAT, (model) => ({ model, messages: hello })],
  ['/v1/responses', (model) => ({ model, input: 'Hello' })],
]

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway('embedded')
})
afterAll(() => gateway.close())
beforeEach(() => gateway.fake.reset())

const read = async (id: number) =>
  (await gateway.request({ url: `/api/chains/${id}`, as: gateway.owner })).body as Chain
const change = (chain: Chain, content: string) =>
  gateway.request({
    method: 'PATCH',
    url: `/api/chains/${chain.id}/steps/${chain.steps[0]?.id}`,
    body: { content },
    as: gateway.owner,
  })

/** A chain that says what it is: production, staging, and as it is now, `draft`. */
async function serveLabelled(fields: object = {}) {
  const chain = await gateway.buildChain(['production'], { name: `Weekly digest ${Math.random()}` })
  for (const label of ['production', 'staging']) {
    await change(chain, label)
    const { version } = await read(chain.id)
    await labelsOf(gateway, 'chain').moved(chain.id, { label, version })
  }
  await change(chain, 'draft')
  const { id, slug } = chain
  const { token: value } = await gateway.createToken(id, fields)
  return { chain, id, slug, value }
}

const ask = async (value: string, model: string) =>
  (await gateway.post(CHAT, value, { model, messages: hello })).json()

/** What the model was sent for each of the names, or the status of what was refused. */
async function answersTo(value: string, models: string[]) {
  const answers: Record<string, unknown> = {}
  for (const model of models) {
    gateway.fake.reset()
    const reply = await gateway.post(CHAT, value, { model, messages: hello })
    answers[model] = reply.ok ? gateway.sent().at(-1) : reply.status
  }
  return answers
}

describe('a chain’s token', () => {
  test('Model ids are `chain-7@staging` or the slug’s, in each API; D46’s rules hold.', async () => {
    const { id, slug, value } = await serveLabelled()
    for (const [path, bodyOf] of BODIES) {
      for (const name of [`chain-${id}`, `claude-chain-${id}`, slug]) {
        gateway.fake.reset()
        for (const label of ['production', 'staging', 'latest']) {
          const reply = await gateway.post(path, value, bodyOf(`${name}@${label}`))
          expect(reply.status).toBe(200)
        }
        await gateway.post(path, value, bodyOf(name))
        expect(gateway.sent()).toEqual(['production', 'staging', 'draft', 'draft'])
      }
    }
  })

  test('a former slug keeps its meaning; names of no chain run the chain as it is (D46)', async () => {
    const { id, slug, value } = await serveLabelled()
    const other = await serveLabelled()
    const body = { slug: `${slug}-now` }
    await gateway.request({ method: 'PATCH', url: `/api/chains/${id}`, body, as: gateway.owner })
    expect(
      await answersTo(value, [
        `${slug}@staging`,
        `${slug}-now@staging`,
        'gpt-4o',
        'gpt-4o@staging',
        `${other.slug}@staging`,
        `chain-${other.id}@staging`,
      ]),
    ).toEqual({
      [`${slug}@staging`]: 'staging',
      [`${slug}-now@staging`]: 'staging',
      'gpt-4o': 'draft',
      'gpt-4o@staging': 'draft',
      [`${other.slug}@staging`]: 'draft',
      [`chain-${other.id}@staging`]: 404,
    })
    const asked = async (model: string) => {
      const headers = { authorization: `Bearer ${value}` }
      const { status, body } = await gateway.request({ url: `/v1/models/${model}`, headers })
      return status === 200 ? (body as { id: string }).id : status
    }
    expect(await asked(slug)).toBe(slug)
    expect(await asked(`${slug}@staging`)).toBe(`${slug}@staging`)
    expect(await asked(`${slug}-now`)).toBe(`${slug}-now`)
    expect(await asked(`${slug}@none`)).toBe(404)
    expect(await asked(other.slug)).toBe(404)
  })

  test('A token for a label runs that label under any name, and no other.', async () => {
    const { id, slug, value } = await serveLabelled({ chainLabel: 'production' })
    expect(
      await answersTo(value, [
        'any',
        `chain-${id}`,
        slug,
        `chain-${id}@production`,
        `chain-${id}@staging`,
        `chain-${id}@latest`,
        `${slug}@staging`,
      ]),
    ).toEqual({
      any: 'production',
      [`chain-${id}`]: 'production',
      [slug]: 'production',
      [`chain-${id}@production`]: 'production',
      [`chain-${id}@staging`]: 404,
      [`chain-${id}@latest`]: 404,
      [`${slug}@staging`]: 404,
    })
    expect((await ask(value, 'any')).model).toBe(`chain-${id}@production`)
  })

  test('The next call of a token follows a label that moved.', async () => {
    const { id, slug, value } = await serveLabelled({ chainLabel: 'production' })
    const version = (await read(id)).version
    await ask(value, slug)
    const { labels } = await read(id)
    const from = labels.find(({ label }) => label === 'production')?.version ?? null
    expect(await gateway.lastRun(id)).toMatchObject({ chainVersion: from, chainLabel: 'production' })
    await labelsOf(gateway, 'chain').moved(id, { label: 'production', version, expectedVersion: from })
    await ask(value, slug)
    expect(await gateway.lastRun(id)).toMatchObject({ chainVersion: version, chainLabel: 'production' })
    expect(gateway.sent()).toEqual(['production', 'draft'])
  })

  test('A label that is gone is reported in the API’s reply.', async () => {
    const { id, value } = await serveLabelled()
    for (const label of ['nowhere', '', '3']) {
      const model = `chain-${id}@${label}`
      for (const [path, bodyOf] of BODIES) {
        const reply = await gateway.post(path, value, bodyOf(model))
        expect(reply.status).toBe(404)
        const { error } = (await reply.json()) as { error: { message: string; type: string } }
        expect(error.message).toBe(`There is no label ${label}`)
        expect(error.type).toBe(path === '/v1/messages' ? 'not_found_error' : 'invalid_request_error')
      }
    }
    expect(gateway.sent()).toEqual([])
  })

  test('a label to run is the chain’s own, and stays while a token runs it', async () => {
    const { id } = await serveLabelled({ chainLabel: 'staging' })
    const url = '/api/tokens'
    const body = { name: 'Helpdesk', chainId: id, chainLabel: 'nowhere' }
    const refused = await gateway.request({ method: 'POST', url, body, as: gateway.owner })
    const message = 'This chain has no label “nowhere”'
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: message, details: [{ path: 'chainLabel', message }] },
    ])
    const staging = (await read(id)).labels.find(({ label }) => label === 'staging')?.version
    const remove = () =>
      gateway.request({
        method: 'DELETE',
        url: `/api/chains/${id}/labels/staging?expectedVersion=${staging}`,
        as: gateway.owner,
      })
    expect(await remove()).toMatchObject({ status: 409, body: { details: { code: 'LABEL_IN_USE' } } })
    const [token] = (await gateway.request({ url: `${url}?chainId=${id}`, as: gateway.owner })).body as {
      id: number
    }[]
    const patched = { method: 'PATCH', url: `${url}/${token?.id}`, as: gateway.owner } as const
    expect((await gateway.request({ ...patched, body: { chainLabel: 'nowhere' } })).status).toBe(400)
    expect(await gateway.request({ ...patched, body: { chainLabel: null } })).toMatchObject({
      body: { chainLabel: null },
    })
    expect((await remove()).status).toBe(200)
  })
})

describe('a Best Chain token', () => {
  test('runs the chain and label that a name has; a stranger’s public slug takes no name', async () => {
    const { id, slug } = await serveLabelled()
    const { token } = await gateway.createBestToken()
    const theirs = await gateway.buildChain(['stranger'], { as: gateway.other, sharedLevel: 'public' })
    const url = `/api/chains/${theirs.id}`
    await gateway.request({ method: 'PATCH', url, body: { slug: 'gpt-4o' }, as: gateway.other })
    const chosen = await gateway.createBestToken({ includedChainIds: [theirs.id] })
    expect(
      await answersTo(token, [slug, `${slug}@staging`, `chain-${id}@production`, `chain-${id}@nowhere`]),
    ).toEqual({
      [slug]: 'draft',
      [`${slug}@staging`]: 'staging',
      [`chain-${id}@production`]: 'production',
      [`chain-${id}@nowhere`]: 404,
    })
    const named = await ask(chosen.token, 'gpt-4o')
    expect(named).toMatchObject({ best_chain: { selected_chain_id: theirs.id, confidence: null } })
    const picked = (await ask(token, 'gpt-4o')) as { best_chain: { confidence: number | null } }
    expect(picked.best_chain.confidence).not.toBeNull()
  })
})

describe('GET /v1/models', () => {
  const namesOf = async (value: string) => {
    const { data } = (await (await gateway.get('/v1/models', value)).json()) as { data: { id: string }[] }
    return data.map((model) => model.id)
  }

  test('`/v1/models` lists labelled models.', async () => {
    const { id, slug, value } = await serveLabelled()
    const names = [`chain-${id}`, `claude-chain-${id}`, slug]
    const labelled = (label: string) => names.map((name) => `${name}@${label}`)
    expect(await namesOf(value)).toEqual([...names, ...labelled('production'), ...labelled('staging')])
    const { token } = await gateway.createToken(id, { chainLabel: 'staging' })
    expect(await namesOf(token)).toEqual([...names, ...labelled('staging')])
    const one = await gateway.get(`/v1/models/${slug}@staging`, value)
    expect(await one.json()).toMatchObject({ id: `${slug}@staging` })
  })

  test('a Best Chain token lists each chain by number and slug', async () => {
    const { id, slug } = await serveLabelled()
    const { token } = await gateway.createBestToken({ includedChainIds: [id] })
    expect(await namesOf(token)).toEqual([`chain-${id}`, `claude-chain-${id}`, slug])
  })

  test('A list or an export that has two people’s records of one slug names the other’s with its id beside it.', async () => {
    const name = 'Told apart'
    const theirs = await gateway.buildChain(['theirs'], { as: gateway.other, name, sharedLevel: 'public' })
    const own = await gateway.buildChain(['own'], { name })
    expect([own.slug, theirs.slug]).toEqual(['told-apart', 'told-apart'])
    const { token } = await gateway.createBestToken({ includedChainIds: [theirs.id, own.id] })
    const names = (await namesOf(token)).filter((model) => model.startsWith('told'))
    expect(names).toEqual([`told-apart-${theirs.id}`, 'told-apart'])
    expect(await answersTo(token, names)).toEqual({
      'told-apart': 'own',
      [`told-apart-${theirs.id}`]: 'theirs',
    })
  })
})
