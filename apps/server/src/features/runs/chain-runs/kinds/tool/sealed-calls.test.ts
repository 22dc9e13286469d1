import type { AskedSend, Chain } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../../../../testing/database.ts'
import { AUTH, SEALED_KEY, type SealedCalls, startSealedCalls } from '../../../../../testing/sealed-calls.ts'
import { createToken, digestOf, folderOf } from '../../../../doors/folders/testing/folder-library.ts'
import { openExport } from '../../../../exports/testing/open-export.ts'

const KEY = SEALED_KEY

describe.each(routeDatabaseKinds)('sealed parts of calls, on %s', (kind) => {
  let lab: SealedCalls
  beforeAll(async () => {
    lab = await startSealedCalls(kind)
  })
  afterAll(() => lab.close())
  beforeEach(() => lab.reset())

  test('A sealed header, value of the query and address go out with the call, for whoever runs it, and nobody reads them.', async () => {
    const chain = await lab.share([
      lab.call({
        query: [
          { name: 'key', sealed: true, value: 'a&b canary' },
          { name: 'x', value: '1' },
        ],
      }),
      lab.call({
        url: { sealed: true, value: `${lab.shop.url}/hooks/T0-canary?v=2` },
        headers: [],
        query: [{ name: 'x', value: '1' }],
      }),
    ])
    const done = await lab.run(chain, lab.viewer)
    expect(done).toMatchObject({ status: 'completed' })
    expect(lab.shop.calls).toMatchObject([
      { url: '/mails?key=a%26b%20canary&x=1', headers: { authorization: `Bearer ${KEY}` } },
      { url: '/hooks/T0-canary?v=2&x=1' },
    ])
    expect(done.steps[0]?.inputContent).toContain('Authorization: ••••')
    expect(done.steps[1]?.inputContent).toContain(`POST ${lab.shop.url}/••••`)
    expect(chain.steps[0]?.tool).toMatchObject({
      headers: [AUTH],
      query: [{ name: 'key', sealed: true }, {}],
    })
    expect(chain.steps[1]?.tool).toMatchObject({ url: { sealed: true, origin: lab.shop.url } })
    for (const url of [
      `/api/chains/${chain.id}`,
      `${lab.stepUrl(chain)}`,
      `${lab.stepUrl(chain)}/sealed`,
      `/api/chains/${chain.id}/versions/1`,
      `/api/chains/${chain.id}/versions/3`,
      `/api/executions/${done.id}`,
      `/api/chains/${chain.id}/sends`,
      '/api/admin/activity',
    ]) {
      const reply = await lab.library.request({
        url,
        as: url.includes('admin') ? lab.library.admin : lab.owner,
      })
      expect([url, reply.status]).toEqual([url, 200])
      expect(reply.text).not.toContain('canary')
    }
    const { files } = await openExport(lab.library, lab.owner)
    expect(JSON.stringify(files)).not.toContain('canary')
    for (const table of [
      'executions',
      'execution_steps',
      'chain_steps',
      'chain_versions',
      'activity',
      'step_secrets',
    ]) {
      const { rows } = await lab.library.db.execute(sql.raw(`select t::text as row from ${table} as t`))
      expect(JSON.stringify(rows)).not.toContain('canary')
    }
  })

  test('A sealed value is kept when its part is written back without one, and another takes its place.', async () => {
    const chain = await lab.share([lab.call()])
    await lab.change(chain, { title: 'Mail', tool: lab.kept({ answer: { as: 'json' } }) }, lab.owner)
    await lab.run(chain)
    await lab.change(chain, { tool: lab.kept({ headers: [{ ...AUTH, value: 'Bearer second' }] }) }, lab.owner)
    await lab.run(chain)
    expect(lab.shop.calls.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${KEY}`,
      'Bearer second',
    ])
  })

  test('Only the owner of the chain sets a sealed value: editors and administrators may not.', async () => {
    const chain = await lab.share([lab.call()])
    await lab.send('PUT', `/api/chains/${chain.id}/shares`, [
      { username: lab.library.admin.user.username, role: 'editor' },
      { username: 'Edda', role: 'editor' },
    ] as unknown as object)
    for (const as of [lab.editor, lab.library.admin]) {
      for (const [method, url] of [
        ['PATCH', lab.stepUrl(chain)],
        ['POST', `/api/chains/${chain.id}/steps`],
      ] as const) {
        const reply = await lab.send(method, url, { ...lab.call(), outputVariableName: 'other' }, as)
        expect([reply.status, reply.body]).toMatchObject([
          403,
          { details: [{ path: 'tool.headers.0.value' }] },
        ])
      }
    }
    await lab.run(chain)
    expect(lab.shop.calls[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  })

  test.each([
    ['a reference', { headers: [{ ...AUTH, value: 'Bearer $<key>' }] }, 'tool.headers.0.value'],
    [
      'a sign that no header holds',
      { headers: [{ ...AUTH, value: 'Bearer \u2028 x' }] },
      'tool.headers.0.value',
    ],
    ['an address that is none', { url: { sealed: true, value: 'hooks' } }, 'tool.url.value'],
    [
      'an address with a reference',
      { url: { sealed: true, value: 'https://a.example.org/{{a}}' } },
      'tool.url.value',
    ],
    [
      'two values of one name',
      {
        query: [
          { name: 'k', sealed: true, value: 'a' },
          { name: 'k', sealed: true, value: 'b' },
        ],
      },
      'tool.query.1.name',
    ],
  ])('What can’t be sealed is refused: %s', async (_, tool, path) => {
    const { id } = await lab.library.createChain(lab.owner)
    const reply = await lab.send('POST', `/api/chains/${id}/steps`, {
      ...lab.call(tool),
      outputVariableName: 'a',
    })
    expect([reply.status, reply.body]).toMatchObject([400, { details: [{ path }] }])
  })

  const moves: [string, (chain: Chain) => Promise<unknown>][] = [
    ['another host', (chain) => lab.change(chain, { tool: lab.kept({ url: `${lab.thief.url}/mails` }) })],
    [
      'another host, and back',
      async (chain) => {
        await lab.change(chain, { tool: lab.kept({ url: `${lab.thief.url}/mails` }) })
        await lab.change(chain, { tool: lab.kept() })
      },
    ],
    ['another method', (chain) => lab.change(chain, { tool: lab.kept({ method: 'PUT' }) })],
    [
      'another host, by the owner',
      (chain) => lab.change(chain, { tool: lab.kept({ url: `${lab.thief.url}/mails` }) }, lab.owner),
    ],
    [
      'a version that is restored',
      async (chain) => {
        await lab.change(chain, { tool: lab.kept({ url: `${lab.shop.url}/mails/2` }) }, lab.owner)
        expect(
          (await lab.send('POST', `/api/chains/${chain.id}/versions/2/restore`, {}, lab.editor)).status,
        ).toBe(200)
      },
    ],
    [
      'a version that its owner restores',
      async (chain) => {
        await lab.change(chain, { tool: lab.kept({ url: `${lab.shop.url}/mails/2` }) }, lab.owner)
        expect((await lab.send('POST', `/api/chains/${chain.id}/versions/2/restore`)).status).toBe(200)
      },
    ],
    [
      'a header that was not sealed for a while',
      async (chain) => {
        await lab.change(chain, { tool: lab.kept({ headers: [] }) })
        await lab.change(chain, { tool: lab.kept() })
      },
    ],
    [
      'another kind of step for a while',
      async (chain) => {
        await lab.change(chain, { kind: 'stop', stop: { outcome: 'completed', text: 'End' } })
        await lab.change(chain, { kind: 'tool', tool: lab.kept(), outputVariableName: 'a' })
      },
    ],
    [
      'a folder that is pushed',
      async (chain) => {
        const folder = folderOf(lab.library, await createToken(lab.library, lab.owner))
        const files = await folder.pull()
        const [path = '', text = ''] =
          Object.entries(files).find(([, text]) => text.includes(`Sealed ${chain.name}`)) ?? []
        const pushed = text.replace(`Sealed ${chain.name}`, 'Another')
        expect(await folder.push([{ name: path, text: pushed, base: digestOf(text) }])).toMatchObject({
          written: true,
        })
      },
    ],
    [
      'another owner, who gives it back',
      async (chain) => {
        const url = `/api/chains/${chain.id}/owner`
        for (const [from, to] of [
          [lab.owner, lab.editor],
          [lab.editor, lab.owner],
        ] as const) {
          const offered = await lab.send('POST', url, { username: to.user.username, keep: 'editor' }, from)
          expect(offered.status, offered.text).toBeLessThan(300)
          const accepted = await lab.send('POST', `${url}/accept`, {}, to)
          expect(accepted.status, accepted.text).toBeLessThan(300)
        }
      },
    ],
  ]
  test.each(moves)('A sealed value is gone, and asked for, with %s.', async (_, move) => {
    const name = `Chain ${crypto.randomUUID()}`
    const chain = await lab.share([lab.call({}, { title: `Sealed ${name}` })], { name })
    await move(chain)
    await lab.expectGone(chain)
    expect((await lab.sealedOf(chain)).parts).toMatchObject([
      { kind: 'header', name: 'Authorization', setAt: null },
    ])
    await lab.change(chain, { tool: lab.call().tool }, lab.owner)
    expect(await lab.run(chain)).toMatchObject({ status: 'completed' })
    expect(lab.shop.calls[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  })

  test('A duplicate of a step or of a chain has no sealed value, nor has what an import made of an export.', async () => {
    const name = `Chain ${crypto.randomUUID()}`
    const chain = await lab.share([lab.call()], { name })
    const copy = (await lab.send('POST', `/api/chains/${chain.id}/duplicate`, {}, lab.editor)).body as Chain
    await lab.expectGone(copy, lab.editor)
    await lab.expectGone((await lab.send('POST', `/api/chains/${chain.id}/duplicate`)).body as Chain)
    const { files } = await openExport(lab.library, lab.owner)
    const [path = '', text = ''] = Object.entries(files).find(([, text]) => text.includes(name)) ?? []
    const imported = await lab.send('POST', '/api/import', {
      files: [{ name: path, text }],
      conflicts: { all: 'copy', items: {} },
      dryRun: false,
    })
    expect(imported.status, imported.text).toBe(200)
    const { rows } = await lab.library.db.execute<{ id: number }>(
      sql`select id from chains where name like ${`${name}%`} order by id desc limit 1`,
    )
    expect(rows[0]?.id).not.toBe(copy.id)
    await lab.expectGone({ id: rows[0]?.id ?? 0 })
    expect((await lab.send('POST', `${lab.stepUrl(chain)}/duplicate`)).status).toBe(201)
    const failed = lab.failure(await lab.run(chain))
    expect(failed).toMatchObject({ ...lab.MISSING, error: expect.stringContaining('of step 2 has no value') })
    lab.nothingLeft()
  })

  test('A run fails by the name of a sealed part without a value before any step of it asks or calls anything.', async () => {
    const chain = await lab.share([
      'Write',
      lab.call({ headers: [] }),
      lab.call(
        { headers: [AUTH] },
        { ifItFails: 'go_on', onlyIf: { all: [{ ref: 'input', op: 'is', value: 'x' }] } },
      ),
    ])
    const failed = await lab.run(chain)
    expect(lab.failure(failed)).toMatchObject({
      ...lab.MISSING,
      error: expect.stringContaining('of step 3 has no value'),
    })
    expect(lab.library.sent()).toEqual([])
    lab.nothingLeft()
  })

  test('An older version takes no value to another origin.', async () => {
    const chain = await lab.share([lab.call({ url: `${lab.thief.url}/mails` })])
    await lab.change(chain, { tool: lab.call().tool }, lab.owner)
    expect(lab.failure(await lab.runOld(chain, chain.version))).toMatchObject(lab.MISSING)
    lab.nothingLeft()
    expect(await lab.run(chain)).toMatchObject({ status: 'completed' })
    expect(lab.thief.calls).toEqual([])
  })

  test('What a service writes of a sealed value is struck from its refusal and from its answer.', async () => {
    const chain = await lab.share([
      lab.call({
        url: { sealed: true, value: `${lab.shop.url}/hooks/T0-canary-path` },
        query: [{ name: 'k', sealed: true, value: 'q/canary' }],
      }),
    ])
    const echo = `No: Bearer ${KEY}, ${KEY}, /hooks/T0-canary-path and q%2Fcanary, "q\\/canary"`
    lab.shop.answer({ status: 403, body: `${' '.repeat(10)}${echo}` })
    const refused = await lab.run(chain)
    expect(refused.error).toContain('No: ••••, ••••, •••• and ••••, "••••"')
    lab.shop.answer({ body: echo })
    const answered = await lab.run(chain)
    expect(answered.output).toBe('No: ••••, ••••, •••• and ••••, "••••"')
    lab.shop.answer({ status: 302, headers: { location: `${lab.thief.url}/?${KEY}` } })
    const sentOn = await lab.run(chain)
    expect(lab.failure(sentOn)).toMatchObject({ errorCode: 'tool_failed' })
    expect(JSON.stringify([refused, answered, sentOn])).not.toMatch(/canary/)
    expect(lab.thief.calls).toEqual([])
  })

  test('A sealed value that was set anew is another destination for private values.', async () => {
    await lab.library.createVariable(lab.viewer, { name: 'secret', content: 'Lovelace' })
    const chain = await lab.share(['Write to $<secret>.', lab.call()])
    const sendsOf = async () =>
      (await lab.library.request({ url: `/api/chains/${chain.id}/sends`, as: lab.viewer }))
        .body as AskedSend[]
    const [first] = await sendsOf()
    expect(first).toMatchObject({
      kind: 'http',
      address: `${lab.shop.url}/mails`,
      headers: ['Authorization'],
    })
    const body = { fills: ['secret'], sends: [first?.destination] }
    expect(await lab.run(chain, lab.viewer, body)).toMatchObject({ status: 'completed' })
    lab.shop.reset()
    await lab.change(chain, { tool: lab.call().tool }, lab.owner, 1)
    const again = await lab.send('POST', `/api/chains/${chain.id}/execute`, body, lab.viewer)
    expect([again.status, again.body]).toMatchObject([409, { code: 'value_would_leave' }])
    lab.nothingLeft()
    expect((await sendsOf())[0]?.destination).not.toBe(first?.destination)
  })

  test('With a sealed address the destination says where it leads, and no more.', async () => {
    await lab.library.createVariable(lab.viewer, { name: 'secret2', content: 'Lovelace' })
    const chain = await lab.share([
      'Write to $<secret2>.',
      lab.call({ url: { sealed: true, value: `${lab.shop.url}/hooks/canary` } }),
    ])
    const reply = await lab.library.request({ url: `/api/chains/${chain.id}/sends`, as: lab.viewer })
    expect(reply.body).toMatchObject([{ kind: 'http', method: 'POST', address: `${lab.shop.url}/••••` }])
    expect(reply.text).not.toContain('canary')
  })
})
