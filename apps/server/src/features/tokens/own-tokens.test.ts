import { readdirSync, readFileSync } from 'node:fs'
import type { Chain, CreatedOwnToken, OwnToken, OwnTokenDetails, Prompt } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Mcp, startMcp } from '../../testing/mcp.ts'

const TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

describe.each(routeDatabaseKinds)('tokens by their scopes, on %s', (kind) => {
  let server: Mcp
  let chain: Chain
  let others: Chain
  let prompt: Prompt
  let second: Prompt
  beforeAll(async () => {
    server = await startMcp(kind)
    chain = await server.buildChain(['{{input}}'])
    others = await server.buildChain(['{{input}}'])
    prompt = await server.createPrompt(server.owner, { title: 'Greeting', content: 'Hello $<city>' })
    second = await server.createPrompt(server.owner, { title: 'Parting' })
    await server.createVariable(server.owner, { name: 'city', content: 'Graz' })
  })
  afterAll(() => server.close())

  const send = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    body?: unknown,
    as = server.owner,
  ) => server.request({ method, url, body, as })
  const make = async (scopes: string[], fields: object = {}) => {
    const reply = await send('POST', '/api/own-tokens', { name: 'Mine', scopes, ...fields })
    expect(reply.status, reply.text).toBe(201)
    return reply.body as CreatedOwnToken
  }
  const detailsOf = async (id: number) => (await send('GET', `/api/own-tokens/${id}`)).body as OwnTokenDetails
  const messages = (token: string, model: string) =>
    server.post('/v1/chat/completions', token, { model, messages: [{ role: 'user', content: 'Hi' }] })

  /** What each kind's own call makes, and the scopes that it comes to. */
  const kinds = () => [
    { url: '/api/tokens', body: { chainId: chain.id }, scopes: [`chain:${chain.id}`, 'run'], mark: 'ctc_' },
    { url: '/api/best-tokens', body: {}, scopes: ['chains', 'run'], mark: 'ctb_' },
    {
      url: '/api/best-tokens',
      body: { includedChainIds: [chain.id, others.id] },
      scopes: [`chain:${chain.id}`, `chain:${others.id}`, 'run'],
      mark: 'ctb_',
    },
    {
      url: '/api/read-tokens',
      body: { promptIds: [prompt.id] },
      scopes: [`prompt:${prompt.id}`, 'read', 'resolve'],
      mark: 'ctr_',
    },
    {
      url: '/api/read-tokens',
      body: { promptIds: [prompt.id], mayRun: true },
      scopes: [`prompt:${prompt.id}`, 'read', 'resolve', 'run'],
      mark: 'ctr_',
    },
    {
      url: '/api/mcp-tokens',
      body: { promptIds: [prompt.id], allChains: true },
      scopes: [`prompt:${prompt.id}`, 'chains', 'agent'],
      mark: 'ctm_',
    },
    {
      url: '/api/folder-tokens',
      body: { mayWrite: true, mayEvaluate: true },
      scopes: ['folder.read', 'folder.write', 'evaluate'],
      mark: 'ctf_',
    },
  ]

  test('A token is its scopes: each kind’s call makes some, and POST /api/own-tokens with these makes that kind.', async () => {
    for (const { url, body, scopes, mark } of kinds()) {
      const made = await send('POST', url, { name: 'Kind', ...body })
      const { id, token, tokenType } = made.body as CreatedOwnToken
      expect(await detailsOf(id), url).toMatchObject({ tokenType, scopes })
      expect(token.startsWith(mark)).toBe(true)
      const same = await make([...scopes.toReversed(), ...scopes])
      expect(same).toMatchObject({ tokenType, scopes })
      expect(same.token.startsWith(mark)).toBe(true)
    }
  })

  test('Other mixtures of scopes begin with ctk_ and stand in /api/own-tokens alone.', async () => {
    const scopes = [`prompt:${prompt.id}`, `chain:${chain.id}`, 'read', 'run', 'agent']
    const { id, token, tokenType } = await make(scopes)
    expect([tokenType, token]).toEqual(['scoped', expect.stringMatching(/^ctk_[0-9A-Za-z]{46}$/)])
    const own = (await send('GET', '/api/own-tokens?tokenType=scoped')).body as OwnToken[]
    expect(own).toContainEqual(
      expect.objectContaining({ id, tokenType, prompts: 1, chains: 1, chainId: null }),
    )
    for (const url of ['/api/best-tokens', '/api/read-tokens', '/api/mcp-tokens', '/api/folder-tokens']) {
      expect((await send('GET', url)).text).not.toContain(token.slice(0, 8))
    }
    for (const url of ['/api/api-tokens', '/api/read-tokens', '/api/mcp-tokens', '/api/folder-tokens']) {
      const statuses = [
        (await send('PATCH', `${url}/${id}`, {})).status,
        (await send('DELETE', `${url}/${id}`)).status,
      ]
      expect([url, ...statuses]).toEqual([url, 404, 404])
    }
    expect((await send('GET', `/api/tokens/${id}/value`)).body).toEqual({ token })
    const rotated = (await send('POST', `/api/tokens/${id}/rotate`)).body as CreatedOwnToken
    expect(rotated).toMatchObject({ id, tokenType: 'scoped', token: expect.stringMatching(/^ctk_/) })
    expect((await messages(rotated.token, `chain-${chain.id}`)).status).toBe(200)
  })

  test('Each door opens by its own scope: /v1 by run, the prompt server by read and resolve, /mcp by agent, folders by folder.read, folder.write and evaluate.', async () => {
    const reach = [`prompt:${prompt.id}`, `chain:${chain.id}`]
    const responses = (token: string) =>
      server.post('/v1/responses', token, { input: 'Hi', prompt: { id: `${prompt.id}` } })
    const push = (token: string) =>
      server.post('/api/folder/push', token, { files: [{ name: 'prompts/x.md', text: 'x', base: null }] })
    const doors = {
      chain: (token: string) => messages(token, `chain-${chain.id}`),
      prompt: responses,
      fetch: (token: string) => server.fetchPrompt(`${prompt.id}?resolve=false`, token),
      resolve: (token: string) => server.fetchPrompt(`${prompt.id}?resolve=true`, token),
      agent: (token: string) => server.send(token, TOOLS),
      pull: (token: string) => server.get('/api/folder', token),
      push,
    }
    const opened = async (scopes: string[]) => {
      const { token } = await make(scopes)
      const open: string[] = []
      for (const [door, call] of Object.entries(doors)) {
        const { status } = await call(token)
        if (status !== 403) open.push(door)
      }
      return open
    }
    expect(await opened([...reach, 'run'])).toEqual(['chain', 'prompt'])
    expect(await opened([...reach, 'read'])).toEqual(['fetch'])
    expect(await opened([...reach, 'read', 'resolve'])).toEqual(['fetch', 'resolve'])
    expect(await opened([...reach, 'agent', 'read'])).toEqual(['fetch', 'agent'])
    expect(await opened([...reach, 'folder.read'])).toEqual(['pull'])
    expect(await opened([...reach, 'folder.write'])).toEqual(['push'])
    expect(await opened([...reach, 'evaluate'])).toEqual([])
  })

  test('A token reaches what its scopes name.', async () => {
    const { token } = await make([
      `prompt:${prompt.id}`,
      `chain:${chain.id}`,
      'read',
      'resolve',
      'run',
      'agent',
    ])
    expect((await messages(token, `chain-${others.id}`)).status).toBe(404)
    expect((await server.fetchPrompt(`${second.id}`, token)).status).toBe(404)
    const answered = await server.fetchPrompt(`${prompt.id}`, token)
    expect(await answered.json()).toMatchObject({ prompt: 'Hello Graz' })
    const listed = await server.listPrompts('', token)
    expect(await listed.json()).toMatchObject({ meta: { totalItems: 1 } })
  })

  test('‘prompts’ reaches one’s own and those that one accepted, not what is only public', async () => {
    const open = { isPublic: true, content: 'Open' }
    const [accepted, shown] = [
      await server.createPrompt(server.other, { ...open, title: 'Accepted' }),
      await server.createPrompt(server.other, { ...open, title: 'Shown' }),
    ]
    await send('POST', '/api/prompt-acceptances', { promptIds: [accepted.id], fills: [] })
    const { token } = await make(['prompts', 'read'])
    const statusOf = async (name: string) => (await server.fetchPrompt(`${name}?resolve=false`, token)).status
    expect([await statusOf(`${second.id}`), await statusOf(second.slug)]).toEqual([200, 200])
    expect([await statusOf(`${accepted.id}`), await statusOf(accepted.slug)]).toEqual([200, 200])
    expect([await statusOf(`${shown.id}`), await statusOf(shown.slug)]).toEqual([404, 404])
    expect(await (await server.listPrompts('limit=100', token)).text()).not.toContain(shown.slug)
  })

  test('what is no scope, all beside some, and a label of many chains are refused by name', async () => {
    const refuse = async (body: object, status = 400) => {
      const reply = await send('POST', '/api/own-tokens', { name: 'x', ...body })
      expect(reply.status, reply.text).toBe(status)
      return (reply.body as { error: string }).error
    }
    expect(await refuse({ scopes: [] })).toBe('Choose at least one scope.')
    expect(await refuse({ scopes: ['admin'] })).toBe('There is no such scope')
    expect(await refuse({ scopes: ['chain:99999999999', 'run'] })).toBe('There is no such scope')
    expect(await refuse({ scopes: ['chain:9999999999', 'run'] })).toBe('There is no such scope')
    expect(await refuse({ scopes: ['prompts', `prompt:${prompt.id}`, 'read'] })).toBe(
      'Choose either specific prompts or all of them.',
    )
    expect(await refuse({ scopes: ['chains', 'run'], chainLabel: 'production' })).toBe(
      'Only a token for one chain can have a label.',
    )
    const hidden = await server.createPrompt(server.other)
    expect(await refuse({ scopes: [`prompt:${hidden.id}`, 'read'] }, 404)).toBe('Prompt not found')
    const shown = await server.buildChain(['{{input}}'], { sharedLevel: 'public' })
    const scopes = [`chain:${shown.id}`, 'run']
    const asViewer = await send('POST', '/api/own-tokens', { name: 'x', scopes }, server.other)
    expect(asViewer.status, asViewer.text).toBe(403)
  })

  test('A Best Chain token may name a single chain; other scopes than those of chains are refused it.', async () => {
    const one = { name: 'One', tokenType: 'best', scopes: [`chain:${chain.id}`, 'run'] }
    const made = (await send('POST', '/api/own-tokens', one)).body as CreatedOwnToken
    expect(made).toMatchObject({ tokenType: 'best', chainId: null, namedChains: [{ id: chain.id }] })
    expect(made.token.startsWith('ctb_')).toBe(true)
    const other = await send('POST', '/api/own-tokens', { ...one, scopes: ['prompts', 'agent'] })
    expect(other.status).toBe(400)
  })

  test('What a token names and its person can’t see any more stays in it when its other scopes change.', async () => {
    const shown = await server.createPrompt(server.other, { isPublic: true })
    const read = await make([`prompt:${prompt.id}`, `prompt:${shown.id}`, 'read', 'resolve'])
    await send('PATCH', `/api/prompts/${shown.id}/share`, { sharedLevel: 'private' }, server.other)
    const scopes = [`prompt:${prompt.id}`, `prompt:${shown.id}`, 'read', 'resolve', 'run']
    const changed = await send('PATCH', `/api/own-tokens/${read.id}`, { scopes })
    expect(changed.body).toMatchObject({ scopes, namedPrompts: [{ id: prompt.id }] })
    const hidden = await server.createPrompt(server.other)
    const more = await send('PATCH', `/api/own-tokens/${read.id}`, {
      scopes: [...scopes, `prompt:${hidden.id}`],
    })
    expect(more.status).toBe(404)
  })

  test('scopes are changed within a kind, and the kind stays', async () => {
    const patch = async (id: number, body: object, as: TestUser = server.owner) =>
      send('PATCH', `/api/own-tokens/${id}`, body, as)
    const read = await make([`prompt:${prompt.id}`, 'read', 'resolve'])
    const widened = [`prompt:${prompt.id}`, `prompt:${second.id}`, 'read', 'resolve', 'run']
    expect((await patch(read.id, { scopes: widened })).body).toMatchObject({
      tokenType: 'read',
      scopes: widened,
    })
    expect((await patch(read.id, { scopes: ['agent', 'prompts'] })).body).toMatchObject({
      error: 'This kind of token can’t have these scopes. Create another token.',
    })
    const scoped = await make(['prompts', 'read', 'agent'])
    const narrowed = await patch(scoped.id, { name: 'Narrow', scopes: ['prompts', 'read'] })
    expect(narrowed.body).toMatchObject({ name: 'Narrow', tokenType: 'scoped', scopes: ['prompts', 'read'] })
    expect((await server.send(scoped.token, TOOLS)).status).toBe(403)
    expect((await patch(scoped.id, { name: 'Other' }, server.other)).status).toBe(404)
    expect((await send('GET', `/api/own-tokens/${scoped.id}`, undefined, server.other)).status).toBe(404)
    expect((await send('DELETE', `/api/own-tokens/${scoped.id}`, undefined, server.other)).status).toBe(404)
    expect((await send('DELETE', `/api/own-tokens/${scoped.id}`)).status).toBe(204)
    expect((await server.fetchPrompt(`${prompt.id}`, scoped.token)).status).toBe(401)
  })

  test('What is deleted leaves the scopes of a token (D38).', async () => {
    const gone = await server.buildChain(['{{input}}'])
    const { id, token } = await make([`prompt:${prompt.id}`, `chain:${gone.id}`, 'run', 'agent'])
    expect((await messages(token, `chain-${gone.id}`)).status).toBe(200)
    await send('DELETE', `/api/chains/${gone.id}`)
    expect(await detailsOf(id)).toMatchObject({ scopes: [`prompt:${prompt.id}`, 'run', 'agent'] })
    expect((await messages(token, `chain-${gone.id}`)).status).toBe(404)
  })

  test('At the upgrade a token reaches what it reached, and may do what it might.', async () => {
    const folder = new URL('../../database/migrations/', import.meta.url)
    const name = readdirSync(folder).filter((file) => file.endsWith('_scopes.sql'))
    const statements = readFileSync(new URL(name.join(), folder), 'utf8').split('--> statement-breakpoint')
    const upgrade = statements.filter((statement) => statement.includes('UPDATE api_tokens t SET'))
    expect(upgrade).toHaveLength(1)
    const scopesAfter = async (
      columns: Record<string, unknown>,
      named: { prompts?: number[]; chains?: number[] } = {},
    ) => {
      const of = {
        created_by: server.owner.user.id,
        name: 'Old',
        prefix: 'old',
        sha256: crypto.randomUUID(),
        ...columns,
      }
      const names = Object.keys(of).join(', ')
      const values = sql.join(
        Object.values(of).map((value) => sql`${value}`),
        sql`, `,
      )
      const { rows } = await server.db.execute<{ id: number }>(
        sql`insert into api_tokens (${sql.raw(names)}) values (${values}) returning id`,
      )
      const [{ id } = { id: 0 }] = rows
      for (const one of named.prompts ?? [])
        await server.db.execute(sql`insert into api_token_prompts values (${id}, ${one})`)
      for (const one of named.chains ?? [])
        await server.db.execute(sql`insert into api_token_chains values (${id}, ${one})`)
      for (const statement of upgrade)
        await server.db.execute(sql.raw(`${statement.replaceAll(';', '')} WHERE id = ${id}`))
      return (await detailsOf(id)).scopes
    }
    const [p, c, d] = [prompt.id, chain.id, others.id]
    expect(await scopesAfter({ kind: 'chain', chain_id: c })).toEqual([`chain:${c}`, 'run'])
    expect(await scopesAfter({ kind: 'best', includes_all_chains: true })).toEqual(['chains', 'run'])
    expect(await scopesAfter({ kind: 'best' }, { chains: [c, d] })).toEqual([
      `chain:${c}`,
      `chain:${d}`,
      'run',
    ])
    expect(await scopesAfter({ kind: 'best' })).toEqual(['run'])
    expect(await scopesAfter({ kind: 'read' }, { prompts: [p] })).toEqual([`prompt:${p}`, 'read', 'resolve'])
    expect(await scopesAfter({ kind: 'read', may_run: true }, { prompts: [p] })).toEqual([
      ...[`prompt:${p}`, 'read', 'resolve', 'run'],
    ])
    expect(await scopesAfter({ kind: 'mcp', includes_all_prompts: true }, { chains: [c] })).toEqual([
      ...['prompts', `chain:${c}`, 'agent'],
    ])
    expect(await scopesAfter({ kind: 'folder' })).toEqual(['folder.read'])
    expect(await scopesAfter({ kind: 'folder', may_write: true, may_run: true })).toEqual([
      ...['folder.read', 'folder.write', 'evaluate'],
    ])
  })
})

test('A token that there is works on where a later version drops what scopes say now.', async () => {
  const server = await startMcp('embedded')
  const { request, owner: as } = server
  const { chain, token } = await server.serve(['{{input}}'])
  const { id, token: best } = await server.createBestToken({ includedChainIds: [chain.id] })
  await server.client.pool.query('drop table api_token_chains, api_token_prompts')
  for (const column of [
    'includes_all_chains',
    'includes_all_prompts',
    'may_run',
    'may_write',
    'dropped_chain_ids',
  ]) {
    await server.client.pool.query(`alter table api_tokens drop column ${column} cascade`)
  }
  const messages = [{ role: 'user', content: 'Hi' }]
  const called = await server.post('/v1/chat/completions', best, { model: `chain-${chain.id}`, messages })
  expect(called.status, await called.text()).toBe(200)
  const calls = [
    { method: 'GET', url: '/api/best-tokens' },
    { method: 'GET', url: '/api/own-tokens' },
    { method: 'GET', url: `/api/tokens?chainId=${chain.id}` },
    { method: 'PATCH', url: `/api/api-tokens/${id}`, body: { includesAllChains: true } },
    { method: 'PATCH', url: `/api/own-tokens/${id}`, body: { scopes: ['chains', 'run'] } },
    { method: 'POST', url: `/api/tokens/${id}/rotate` },
    { method: 'DELETE', url: `/api/own-tokens/${id}` },
    { method: 'DELETE', url: `/api/tokens/${token.id}` },
    { method: 'DELETE', url: `/api/chains/${chain.id}` },
  ] as const
  for (const call of calls) {
    const { status, text } = await request({ ...call, as })
    expect(status, `${call.method} ${call.url} ${text}`).toBeLessThan(300)
  }
  await server.close()
})
