import type { ImportOutcome, ImportRequest, ListedPrompt, Prompt, UndoneImport } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

const OBJECT = {
  id: 'pmpt_68a1b2c3',
  name: 'Refund reply',
  version: '7',
  model: 'gpt-6.1-sol',
  temperature: 0.4,
  messages: [
    { role: 'developer', content: 'You write for {{company}}.' },
    { role: 'user', content: 'Answer {{customer}}.' },
  ],
  tools: [{ type: 'function', name: 'find_order' }],
}
const fileOf = (value: unknown, name = 'refund.json') => ({ name, text: JSON.stringify(value) })

describe.each(routeDatabaseKinds)('imports on %s', (kind) => {
  let library: Library
  let now = new Date()
  beforeAll(async () => {
    library = await startLibrary(kind, { now: () => now })
    await library.app.start()
  })
  afterAll(() => library.close())

  const post = (as: TestUser | undefined, request: ImportRequest | object) =>
    library.request({ method: 'POST', url: '/api/import', body: request, as })
  const run = async (as: TestUser, files: ImportRequest['files'], more: Partial<ImportRequest> = {}) => {
    const reply = await post(as, { files, dryRun: false, ...more })
    expect(reply.status, reply.text).toBe(200)
    return reply.body as ImportOutcome
  }
  const dryRun = (as: TestUser, files: ImportRequest['files']) => run(as, files, { dryRun: true })
  const get = async <T>(url: string, as: TestUser): Promise<T> =>
    (await library.request({ url, as })).body as T
  const listed = (as: TestUser) => get<ListedPrompt[]>('/api/prompts', as)
  const undo = (as: TestUser, id: number | null) =>
    library.request({ method: 'POST', url: `/api/imports/${id}/undo`, as })
  const only = ({ items }: ImportOutcome) => {
    const [item] = items
    if (item === undefined) throw new Error('There is no item')
    return item
  }
  const textOf = async (as: TestUser) =>
    (
      await library.db.execute<{ text: number }>(
        sql`select text::int from usages where user_id = ${as.user.id}`,
      )
    ).rows[0]?.text

  test('a dry run makes nothing; the import makes what it said, private and the importer’s', async () => {
    const person = await library.registerUser()
    const said = await dryRun(person, [fileOf(OBJECT)])
    expect(said).toMatchObject({
      id: null,
      files: [{ name: 'refund.json', format: 'openai', prompts: 1, tests: 0, problem: null }],
      items: [{ key: '0.0', kind: 'prompt', name: 'Refund reply', state: 'new', made: null, promptId: null }],
      losses: [{ at: 'refund.json › tools', reason: 'Tools are kept as a note, not run: find_order' }],
      lossCount: 1,
    })
    expect(await listed(person)).toEqual([])

    const done = await run(person, [fileOf(OBJECT)], { tag: 'import Nov 26' })
    expect(done).toMatchObject({ ...said, id: expect.any(Number), items: [{ made: 'new', state: 'new' }] })
    const made = await get<Prompt>(`/api/prompts/${only(done).promptId}`, person)
    expect(made).toMatchObject({
      ...{ title: 'Refund reply', content: 'Answer $<customer>.', systemPrompt: 'You write for $<company>.' },
      ...{
        model: 'openai',
        category: 'General',
        isPublic: false,
        isShared: false,
        isActive: true,
        version: 1,
      },
      ...{ owner: person.user.username, tags: [{ name: 'import Nov 26' }] },
    })
    for (const stranger of [library.other, library.admin]) expect(await listed(stranger)).toEqual([])
    const versions = await get(`/api/prompts/${made.id}/versions`, person)
    expect(versions).toMatchObject([{ number: 1, note: 'From OpenAI, pmpt_68a1b2c3, version 7' }])
    const ran = await library.request({
      ...{ method: 'POST', url: '/api/execute-prompt', as: person },
      body: {
        promptId: made.id,
        model: 'openai',
        userInput: '',
        variables: { customer: 'Ada', company: 'Acme' },
      },
    })
    expect(ran, ran.text).toMatchObject({ status: 200 })
  })

  test('its id goes on calling it, and another’s import of the same id says that it does not', async () => {
    const [first, second] = [await library.registerUser(), await library.registerUser()]
    const object = { ...OBJECT, id: 'pmpt_shared1', tools: [] }
    const { promptId } = only(await run(first, [fileOf(object)]))
    expect(await get(`/api/prompts/${promptId}/aliases`, first)).toMatchObject([{ alias: 'pmpt_shared1' }])
    const theirs = await run(second, [fileOf(object)])
    expect(theirs.losses).toEqual([
      {
        at: 'refund.json',
        reason: expect.stringContaining('Another person’s prompt has the id pmpt_shared1'),
      },
    ])
    expect(await get(`/api/prompts/${only(theirs).promptId}/aliases`, second)).toEqual([])
  })

  test('the same again is the same, edited or not; another text is a conflict, with a choice', async () => {
    const person = await library.registerUser()
    const done = await run(person, [fileOf(OBJECT)])
    const promptId = only(done).promptId
    expect(await dryRun(person, [fileOf(OBJECT)])).toMatchObject({
      items: [{ state: 'same', existing: { id: promptId } }],
    })
    // Also from another file, and written by hand.
    const { id: _, ...nameless } = OBJECT
    expect(await dryRun(person, [fileOf(nameless, 'b.json')])).toMatchObject({ items: [{ state: 'same' }] })
    const stored = await get<Prompt>(`/api/prompts/${promptId}`, person)
    const body = { title: stored.title, content: 'Mine', categoryId: stored.categoryId }
    await library.request({ method: 'PUT', url: `/api/prompts/${promptId}`, body, as: person })
    expect(await run(person, [fileOf(OBJECT)])).toMatchObject({
      id: null,
      items: [{ state: 'same', made: null }],
    })

    const other = fileOf({ ...OBJECT, messages: [{ role: 'user', content: 'Another {{text}}' }] })
    expect(await dryRun(person, [other])).toMatchObject({
      items: [{ state: 'conflict', existing: { id: promptId, version: 2 }, content: 'Another $<text>' }],
    })
    expect(await run(person, [other])).toMatchObject({ id: null, items: [{ made: null }] })
    const copied = await run(person, [other], { conflicts: { items: { '0.0': 'copy' } } })
    expect(copied).toMatchObject({ items: [{ made: 'copy' }] })
    expect(await get(`/api/prompts/${only(copied).promptId}`, person)).toMatchObject({
      title: 'Refund reply (copy)',
    })
    const third = fileOf({ ...OBJECT, messages: [{ role: 'user', content: 'A third' }] })
    const versioned = await run(person, [third], { conflicts: { all: 'version' } })
    expect(versioned).toMatchObject({ items: [{ made: 'version', promptId }] })
    const now = await get<Prompt>(`/api/prompts/${promptId}`, person)
    expect(now).toMatchObject({ content: 'A third', version: 3, model: 'openai' })
    expect(now.systemPrompt).toBeUndefined()
  })

  test('undo takes back what nobody changed or needs, and says what stays', async () => {
    const person = await library.registerUser()
    const before = await textOf(person)
    const prompts = ['one', 'two', 'three'].map((name) => ({
      id: `pmpt_${name}`,
      name,
      instructions: `Do ${name}`,
    }))
    const kept = await library.createPrompt(person, { title: 'four', content: 'Mine' })
    const all = [...prompts, { name: 'four', model: 'gpt-6.1-sol', instructions: 'Theirs' }]
    const done = await run(person, [fileOf(all)], { conflicts: { all: 'version' } })
    expect(done.items.map(({ made }) => made)).toEqual(['new', 'new', 'new', 'version'])
    // The library shows them in the order of the file.
    expect((await listed(person)).map(({ title }) => title).slice(0, 3)).toEqual(['one', 'two', 'three'])
    const ids = done.items.map(({ promptId }) => promptId)
    const one = await get<Prompt>(`/api/prompts/${ids[0]}`, person)
    const edited = { title: 'one', content: 'Changed', categoryId: one.categoryId }
    await library.request({ method: 'PUT', url: `/api/prompts/${one.id}`, body: edited, as: person })
    const chain = await library.createChain(person)
    await library.createStep(person, chain.id, { promptId: ids[1], content: 'Do two' })

    const reply = await undo(person, done.id)
    expect(reply.body).toEqual({
      removed: 1,
      restored: 1,
      kept: [
        { promptId: ids[1], name: 'two', reason: 'used' },
        { promptId: ids[0], name: 'one', reason: 'changed' },
      ].sort((a, b) => Number(a.promptId) - Number(b.promptId)),
    } satisfies UndoneImport)
    expect(await get(`/api/prompts/${kept.id}`, person)).toMatchObject({ content: 'Mine', version: 3 })
    expect(await undo(person, done.id)).toMatchObject({
      status: 409,
      body: { error: 'This import was undone already' },
    })
    expect(await get('/api/imports', person)).toMatchObject([
      { id: done.id, canUndo: false, undoneAt: expect.any(String) },
    ])
    // What was taken back comes as new again.
    const again = await dryRun(person, [fileOf(all)])
    expect(again.items.map(({ state }) => state)).toEqual(['same', 'same', 'new', 'conflict'])
    expect(before).toBe(0)
  })

  test('undo is there for a day', async () => {
    const person = await library.registerUser()
    const { id } = await run(person, [fileOf(OBJECT)])
    now = new Date(Date.now() + 24 * 3_600_000)
    expect(await undo(person, id)).toMatchObject({
      status: 409,
      body: { error: 'An import can be undone for 24 hours' },
    })
    expect(await get('/api/imports', person)).toMatchObject([{ canUndo: false }])
    now = new Date()
    expect(await undo(person, id)).toMatchObject({ status: 200, body: { removed: 1, restored: 0, kept: [] } })
  })

  test('the report is kept with what stood there, and counts as the person’s text until the account goes', async () => {
    const person = await library.registerUser()
    const { id, items } = await run(person, [fileOf(OBJECT)])
    const report = await get<{ losses: object[] }>(`/api/imports/${id}`, person)
    expect(report).toMatchObject({
      ...{ fileNames: ['refund.json'], fileCount: 1, made: 1, versions: 0, lossCount: 1, canUndo: true },
      losses: [{ at: 'refund.json › tools', kept: OBJECT.tools }],
    })
    const counted = Number(await textOf(person))
    await library.request({ method: 'DELETE', url: `/api/prompts/${items[0]?.promptId}`, as: person })
    expect(await textOf(person)).toBeGreaterThan(100)
    expect(await textOf(person)).toBeLessThan(counted)
    await library.db.execute(sql`delete from imports where id = ${id}`)
    expect(await textOf(person)).toBe(0)
  })

  test('a quota that is met leaves nothing behind', async () => {
    const person = await library.registerUser()
    await library.request({
      ...{ method: 'PATCH', url: `/api/admin/users/${person.user.id}/quotas`, as: library.admin },
      body: { prompts: 2 },
    })
    const many = ['a', 'b', 'c'].map((name) => ({ id: `pmpt_q${name}`, name, instructions: 'Do' }))
    const reply = await post(person, { files: [fileOf(many)], dryRun: false, tag: 'left behind' })
    expect(reply.status).toBe(403)
    expect(reply.body).toMatchObject({ error: expect.stringContaining('2 prompts') })
    expect(await listed(person)).toEqual([])
    expect(await get('/api/imports', person)).toEqual([])
    expect(await get('/api/tags/search?name=left%20behind', person)).toEqual({})
  })

  test('what can’t be read is named with its file and place, and nothing to import is refused', async () => {
    const person = await library.registerUser()
    const broken = { name: 'cut.json', text: '{\n"id": "pmpt_1",\n"instr' }
    const said = await dryRun(person, [fileOf(OBJECT), broken])
    expect(said.files[1]).toEqual({
      ...{ name: 'cut.json', format: null, prompts: 0, tests: 0 },
      problem: expect.stringMatching(/^Line 3: /),
    })
    expect(await post(person, { files: [broken], dryRun: false })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^cut\.json: Line 3/), details: [{ path: 'files.0.text' }] },
    })
    const text = 'x'.repeat(2_000_001)
    const large = await post(person, {
      files: [
        { name: 'a', text },
        { name: 'b', text },
      ],
    })
    expect(large).toMatchObject({ status: 400, body: { details: [{ path: 'files' }] } })
    const many = Array.from({ length: 2001 }, (_, n) => ({ id: `pmpt_${n}`, instructions: 'x' }))
    expect(await post(person, { files: [fileOf(many)] })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('2,001 prompts') },
    })
  })

  test('a model that is not here, and what a model can’t do, have a line', async () => {
    const person = await library.registerUser()
    const at = (model: string) => ({
      id: `pmpt_${model.length}`,
      model,
      name: model,
      instructions: 'Do',
      temperature: 1,
    })
    const { losses, items } = await run(person, [
      fileOf([at('gemini-1.5-pro'), at('gpt-6.1-sol-2026-05-01')]),
    ])
    expect(losses.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining([
        'gemini-1.5-pro is not set up here: the prompt names no model, and takes the one that is chosen',
        expect.stringMatching(/^gpt-6\.1-sol-2026-05-01 becomes .*, the same model without a date$/),
      ]),
    )
    expect(await get(`/api/prompts/${items[1]?.promptId}`, person)).toMatchObject({ model: 'openai' })
  })

  test('promptfoo’s tests come as a suite of the prompt', async () => {
    const person = await library.registerUser()
    const text =
      'description: Mails\nprompts: ["Write about {{topic}}."]\nproviders: [openai:gpt-6.1-sol]\n' +
      'tests: [{ vars: { topic: tea }, assert: [{ type: icontains, value: tea }] }]\n'
    const done = await run(person, [{ name: 'promptfooconfig.yaml', text }])
    expect(only(done)).toMatchObject({ name: 'Mails', tests: 1, made: 'new' })
    const suites = await get(`/api/prompts/${only(done).promptId}/test-suites`, person)
    expect(suites).toMatchObject([{ name: 'Mails', caseCount: 1 }])
    expect((await undo(person, done.id)).body).toMatchObject({ removed: 1, kept: [] })
  })

  test('imports are their importer’s alone', async () => {
    const person = await library.registerUser()
    const { id } = await run(person, [fileOf(OBJECT)])
    for (const stranger of [library.other, library.admin]) {
      expect(await get('/api/imports', stranger)).toEqual([])
      expect((await library.request({ url: `/api/imports/${id}`, as: stranger })).status).toBe(404)
      expect((await undo(stranger, id)).status).toBe(404)
    }
    const calls = [
      { method: 'POST', url: '/api/import', body: { files: [fileOf(OBJECT)] } },
      { method: 'GET', url: '/api/imports' },
      { method: 'GET', url: `/api/imports/${id}` },
      { method: 'POST', url: `/api/imports/${id}/undo` },
    ] as const
    for (const call of calls) expect((await library.request(call)).status, call.url).toBe(401)
  })

  test('many at once come by few statements, all or none', async () => {
    const person = await library.registerUser()
    const many = Array.from({ length: 500 }, (_, n) => ({
      id: `pmpt_m${n}`,
      name: `Prompt ${n}`,
      instructions: `Do ${n}`,
    }))
    const [first, second] = await Promise.all([run(person, [fileOf(many)]), run(person, [fileOf(many)])])
    expect([first, second].map(({ id }) => id === null).sort()).toEqual([false, true])
    const made = [first, second].find(({ id }) => id !== null)
    expect((await undo(person, made?.id ?? 0)).body).toMatchObject({ removed: 500, kept: [] })
  })
})
