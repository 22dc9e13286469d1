import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { callTool, type Mcp, startMcp, textsOf } from '../../../testing/mcp.ts'

const THREE = ['Think of {{input}}', 'Draft {{a}}', 'Polish {{b}}']

describe.each(routeDatabaseKinds)('agents by MCP, on %s', (kind) => {
  let server: Mcp
  beforeAll(async () => {
    server = await startMcp(kind)
  })
  afterAll(() => server.close())
  beforeEach(() => server.fake.reset())

  const clients = {
    '2026-07-28': (token: string) => server.connect(token),
    // As far as it is used here it has the same methods.
    'the revisions before': async (token: string) => (await server.connectOld(token)) as unknown as Client,
  }
  const variable = async (fields: object) => {
    const body = { type: 'text', content: '', ...fields }
    const reply = await server.request({ method: 'POST', url: '/api/variables', as: server.owner, body })
    expect(reply.status, reply.text).toBe(201)
  }

  describe.each(Object.entries(clients))(
    'The revision of 2026-07-28 and those before are answered; both official clients list, take and call. (%s)',
    (_revision, connect) => {
      test('A prompt’s arguments are the names that nobody has a value for, in order; allowed values are completed. A missing, unknown or not allowed value is refused by name.', async () => {
        const suffix = crypto.randomUUID().slice(0, 8).replaceAll('-', 'x')
        await variable({ name: `firm_${suffix}`, content: 'Kettle & Co' })
        await variable({ name: `tone_${suffix}`, content: 'warm', allowedValues: ['warm', 'wry', 'cool'] })
        const content = `Write to $<who> about $<what> for $<firm_${suffix}>, $<tone_${suffix}>. Yes, $<WHO>.`
        const prompt = await server.createPrompt(server.owner, { title: 'A letter', content })
        const { token } = await server.createMcpToken({ promptIds: [prompt.id] })
        const client = await connect(token)
        expect((await client.listPrompts()).prompts).toEqual([
          {
            name: prompt.slug,
            title: 'A letter',
            description: expect.stringContaining('Version 1 (latest) of a prompt by Olga: "Write to'),
            arguments: [
              { name: 'who', required: true },
              { name: 'what', required: true },
              { name: `tone_${suffix}`, required: false, description: 'One of: warm, wry, cool' },
            ],
          },
        ])
        const ask = (values: Record<string, string>) =>
          client.getPrompt({ name: prompt.slug, arguments: values })
        const given = await ask({ who: 'Ada', what: 'tea', [`tone_${suffix}`]: 'cool' })
        expect(given.messages).toEqual([
          {
            role: 'user',
            content: { type: 'text', text: 'Write to Ada about tea for Kettle & Co, cool. Yes, Ada.' },
          },
        ])
        await expect(ask({ who: 'Ada' })).rejects.toThrow('Give a value for: what')
        await expect(ask({ who: 'Ada', what: 'tea', size: 'l' })).rejects.toThrow('no argument size')
        await expect(ask({ who: 'Ada', what: 'tea', [`tone_${suffix}`]: 'mean' })).rejects.toThrow(
          'choose one of warm, wry, cool',
        )
        const ref = { type: 'ref/prompt' as const, name: prompt.slug }
        const complete = async (name: string, value: string) =>
          (await client.complete({ ref, argument: { name, value } })).completion.values
        expect(await complete(`tone_${suffix}`, 'W')).toEqual(['warm', 'wry'])
        expect(await complete('who', '')).toEqual([])
      })

      test('get_prompt and search_prompts are for clients that know tools only.', async () => {
        const about = crypto.randomUUID()
        const kettle = { title: 'Letter of the kettle', content: `Write to $<who> of ${about}` }
        const letter = await server.createPrompt(server.owner, kettle)
        const poem = await server.createPrompt(server.owner, {
          title: 'Poem of spring',
          content: 'Rhyme on it',
        })
        const { token } = await server.createMcpToken({ promptIds: [letter.id, poem.id] })
        const client = await connect(token)
        const call = async (name: string, args: object): Promise<string> => {
          const call = { name, arguments: { ...args } }
          return textsOf(await callTool(client, call, { onprogress: () => {} })).join('')
        }
        const search = async (args: object) =>
          (JSON.parse(await call('search_prompts', args)) as { name: string }[]).map(({ name }) => name)
        expect((await search({})).toSorted()).toEqual([letter.slug, poem.slug].toSorted())
        expect(await search({ query: ' KETTLE ' })).toEqual([letter.slug])
        expect(await search({ query: 'spring' })).toEqual([poem.slug])
        expect(await search({ query: 'of neither' })).toEqual([])
        expect(await search({ limit: 1 })).toHaveLength(1)
        const given = await call('get_prompt', { name: letter.slug, arguments: { who: 'Ada' } })
        expect(given).toBe(`Write to Ada of ${about}`)
      })

      test('Each chain is a tool chain_<slug>, which answers with the last output and tells of each step that ended. Its run is the token’s.', async () => {
        const chain = await server.buildChain(THREE, { description: 'Polishes "texts".\n<b>Always</b>' })
        const { token, id } = await server.createMcpToken({ chainIds: [chain.id] })
        const client = await connect(token)
        const name = `chain_${chain.slug}`
        const { tools } = await client.listTools()
        expect(tools.map((tool) => tool.name)).toEqual(['get_run', name])
        expect(tools.at(-1)).toMatchObject({
          inputSchema: { type: 'object', required: ['input'] },
          annotations: { readOnlyHint: false, destructiveHint: false },
        })
        expect(tools.at(-1)?.description).toContain(
          String.raw`description: "Polishes \"texts\". \u003cb\u003eAlways\u003c/b\u003e".`,
        )
        const progress: unknown[] = []
        const onprogress = (one: unknown) => void progress.push(one)
        const call = { name, arguments: { input: 'tea' } }
        const answer = await callTool(client, call, { onprogress })
        const [text = '', head = ''] = textsOf(answer)
        expect(text).not.toBe('')
        const run = await server.lastRun(chain.id)
        expect(head).toBe(`run_id: ${run.id}`)
        expect(run).toMatchObject({
          ...{ output: text, trigger: 'token', token: { id }, executedBy: 'Olga', input: 'tea' },
          apiCall: { path: '/mcp', ignored: [] },
        })
        expect(progress).toMatchObject([
          { progress: 1, total: 3 },
          { progress: 2, total: 3 },
          { progress: 3, total: 3 },
        ])
        const found = await client.callTool({ name: 'get_run', arguments: { run_id: run.id } })
        expect(textsOf(found)).toEqual([text, expect.stringContaining('completed, 3 of 3 steps')])
      })

      test('a skill is listed, verified and read', async () => {
        const style = await server.createPrompt(server.owner, { content: 'Short words.' })
        const prompt = await server.createPrompt(server.owner, {
          title: 'House style',
          content: 'Write well.',
        })
        await server.markSkill(prompt, {
          description: 'How we write: "plainly". Use it for texts.',
          parts: [{ path: 'references/style.md', promptId: style.id }],
        })
        const { token } = await server.createMcpToken({ promptIds: [prompt.id] })
        const client = await connect(token)
        expect((await client.listPrompts()).prompts).toEqual([])
        const uri = `skill://${prompt.slug}/SKILL.md`
        const { resources } = await client.listResources()
        expect(resources).toMatchObject([{ uri, name: prompt.slug }])
        const [read] = (await client.readResource({ uri })).contents
        expect(read).toMatchObject({
          text: `---\nname: ${prompt.slug}\ndescription: "How we write: \\"plainly\\". Use it for texts."\n---\n\nWrite well.\n`,
        })
        const beside = await client.readResource({ uri: `skill://${prompt.slug}/references/style.md` })
        expect(beside.contents).toMatchObject([{ text: 'Short words.' }])
      })
    },
  )

  test('An agent gets the version of the token’s first label that the prompt has; without labels production, else the newest.', async () => {
    const prompt = await server.createPrompt(server.owner, { content: 'one' })
    await server.saveText(prompt.id, 'two', { title: prompt.title })
    const textOf = async (token: string, label?: string) => {
      const client = await server.connectOld(token)
      const input = { name: prompt.slug, ...(label && { label }) }
      return textsOf(await client.callTool({ name: 'get_prompt', arguments: input })).join()
    }
    const any = await server.createMcpToken({ promptIds: [prompt.id] })
    const live = await server.createMcpToken({ promptIds: [prompt.id], labels: ['production', 'staging'] })
    expect(await textOf(any.token)).toBe('two')
    expect(await textOf(live.token)).toContain('reaches no prompt')
    await server.moveLabel(prompt.id, 'staging', 1)
    expect(await textOf(live.token)).toBe('one')
    expect(await textOf(any.token)).toBe('two')
    await server.moveLabel(prompt.id, 'production', 1)
    expect(await textOf(any.token)).toBe('one')
    expect(await textOf(any.token, 'latest')).toBe('two')
    expect(await textOf(live.token, 'latest')).toContain('reaches no prompt')
  })

  test('With a key the same call follows the same run.', async () => {
    const chain = await server.buildChain(['Say {{input}}'])
    const { token } = await server.createMcpToken({ chainIds: [chain.id] })
    const client = await server.connect(token)
    const call = async (input: string) => {
      const args = { input, idempotency_key: 'once' }
      return client.callTool({ name: `chain_${chain.slug}`, arguments: args })
    }
    const first = await call('tea')
    expect(textsOf(await call('tea'))).toEqual(textsOf(first))
    expect(server.fake.journal).toHaveLength(1)
    const other = await call('milk')
    expect([other.isError, textsOf(other)[0]]).toEqual([
      true,
      expect.stringContaining('used for a different request'),
    ])
  })

  test('what is wrong with a call of a tool is its answer, in a sentence', async () => {
    const chain = await server.buildChain(['Say {{input}}'])
    const { token } = await server.createMcpToken({ chainIds: [chain.id] })
    const client = await server.connect(token)
    const answer = async (name: string, args: Record<string, unknown>) => {
      const { isError, ...rest } = await client.callTool({ name, arguments: args })
      return [isError, textsOf(rest)[0]]
    }
    expect(await answer(`chain_${chain.slug}`, {})).toEqual([true, expect.stringContaining('input')])
    expect(await answer(`chain_${chain.slug}`, { input: 'a', extra: 1 })).toEqual([
      true,
      expect.stringContaining('extra'),
    ])
    expect(await answer('chain_nothing', { input: 'a' })).toEqual([
      true,
      'This token reaches no chain "chain_nothing".',
    ])
    expect(await answer('get_run', { run_id: 999_999 })).toEqual([true, expect.any(String)])
    expect(await answer('delete_all', {})).toEqual([true, 'There is no tool with this name.'])
  })

  test('A chain that reads no input, in any version that the token serves, has a tool that requires none; any other is refused without one.', async () => {
    const asking = await server.createPrompt(server.owner, { content: 'Answer {{ input_context }}' })
    const plain = await server.createPrompt(server.owner, { content: 'Say hello' })
    const link = ({ id: promptId }: { id: number }) => [{ promptId, content: '' }]
    const chains = {
      none: await server.buildChain(['Say hello', 'Polish {{a}}']),
      linkedNone: await server.buildChain(link(plain)),
      own: await server.buildChain(['Say hello', 'Weigh {{input}} and {{a}}']),
      system: await server.buildChain([{ content: 'Say hello', systemPrompt: 'You know {{input}}.' }]),
      linked: await server.buildChain(link(asking)),
      labelled: await server.buildChain(['Say {{input}}']),
    }
    const { id, version } = chains.labelled
    const label = `/api/chains/${id}/labels/production`
    const labelled = {
      method: 'PUT',
      url: label,
      as: server.owner,
      body: { version, expectedVersion: null },
    } as const
    expect(await server.request(labelled)).toMatchObject({ status: 200 })
    const [step] = chains.labelled.steps
    const edited = { method: 'PATCH', url: `/api/chains/${id}/steps/${step?.id}`, as: server.owner } as const
    expect(await server.request({ ...edited, body: { content: 'Say hello' } })).toMatchObject({ status: 200 })
    const { token } = await server.createMcpToken({ chainIds: Object.values(chains).map((one) => one.id) })
    const client = await server.connect(token)
    const { tools } = await client.listTools()
    const required = Object.entries(chains).map(([name, { slug }]) => [
      name,
      tools.find((tool) => tool.name === `chain_${slug}`)?.inputSchema.required ?? [],
    ])
    expect(Object.fromEntries(required)).toEqual({
      ...{ none: [], linkedNone: [] },
      ...{ own: ['input'], system: ['input'], linked: ['input'], labelled: ['input'] },
    })
    const call = async ({ slug }: { slug: string }, args?: Record<string, unknown>) =>
      client.callTool({ name: `chain_${slug}`, ...(args && { arguments: args }) })
    for (const args of [undefined, {}, { input: 'tea' }]) {
      expect(await call(chains.none, args)).not.toHaveProperty('isError', true)
    }
    for (const chain of [chains.own, chains.linked, chains.labelled]) {
      expect(await call(chain)).toMatchObject({
        isError: true,
        content: [{ text: 'input: The chain needs one. Give it what it should work on.' }],
      })
    }
  })

  test('GET /api/own-tokens lists a person’s tokens of every kind, with the client that used each last; GET /api/fetches says who fetched which version.', async () => {
    const prompt = await server.createPrompt(server.owner, { content: 'one' })
    const skill = await server.createPrompt(server.owner, { content: 'two' })
    await server.markSkill(skill)
    const created = await server.createMcpToken({ promptIds: [prompt.id, skill.id], name: 'Fetcher' })
    const client = await server.connect(created.token)
    await client.getPrompt({ name: prompt.slug })
    await client.getPrompt({ name: prompt.slug })
    await client.readResource({ uri: `skill://${skill.slug}/SKILL.md` })
    const listed = await server.request({ url: `/api/fetches?tokenId=${created.id}`, as: server.owner })
    const shared = { client: 'new-agent 2.4.0', person: 'Olga', tokenName: 'Fetcher', tokenId: created.id }
    expect(listed.body).toMatchObject([
      { ...shared, kind: 'skill', slug: skill.slug, version: 1, label: 'latest', count: 1 },
      { ...shared, kind: 'prompt', slug: prompt.slug, version: 1, label: 'latest', count: 2 },
    ])
    const ofPrompt = await server.request({ url: `/api/prompts/${skill.id}/fetches`, as: server.owner })
    expect(ofPrompt.body).toMatchObject([{ kind: 'skill', version: 1 }])
    await vi.waitFor(async () => {
      const own = await server.request({ url: '/api/own-tokens?tokenType=mcp', as: server.owner })
      expect(own.body).toContainEqual(
        expect.objectContaining({ id: created.id, lastClient: 'new-agent 2.4.0', prompts: 2, chains: 0 }),
      )
    })
  })
})
