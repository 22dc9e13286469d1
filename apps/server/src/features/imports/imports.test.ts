import type { Prompt, UndoneImport } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { fileOf, importsOf, onlyItem, openAiObject } from './testing/open-imports.ts'

describe.each(routeDatabaseKinds)('imports on %s', (kind) => {
  let library: Library
  let imports: ReturnType<typeof importsOf>
  let now = new Date()
  beforeAll(async () => {
    library = await startLibrary(kind, { now: () => now })
    await library.app.start()
    imports = importsOf(library)
  })
  afterAll(() => library.close())

  test('A dry run makes nothing and says what the import then makes: private and the importer’s.', async () => {
    const object = openAiObject()
    const person = await library.registerUser()
    const said = await imports.dryRun(person, [fileOf(object)])
    expect(said).toMatchObject({
      id: null,
      files: [{ name: 'refund.json', format: 'openai', prompts: 1, tests: 0, problem: null }],
      items: [{ key: '0.0', kind: 'prompt', name: 'Refund reply', state: 'new', made: null, promptId: null }],
      losses: [{ at: 'refund.json › tools', reason: 'Tools are kept as a note, not run: find_order' }],
      lossCount: 1,
    })
    expect(await imports.listed(person)).toEqual([])

    const done = await imports.run(person, [fileOf(object)], { tag: 'import Nov 26' })
    expect(done).toMatchObject({ ...said, id: expect.any(Number), items: [{ made: 'new', state: 'new' }] })
    const made = await imports.get<Prompt>(`/api/prompts/${onlyItem(done).promptId}`, person)
    expect(made).toMatchObject({
      title: 'Refund reply',
      content: 'Answer $<customer>.',
      systemPrompt: 'You write for $<company>.',
      model: 'openai',
      maxTokens: 900,
      category: 'General',
      isPublic: false,
      isShared: false,
      isActive: true,
      version: 1,
      owner: person.user.username,
      tags: [{ name: 'import Nov 26' }],
    })
    for (const stranger of [library.other, library.admin]) expect(await imports.listed(stranger)).toEqual([])
    const versions = await imports.get(`/api/prompts/${made.id}/versions`, person)
    expect(versions).toMatchObject([{ number: 1, note: `From OpenAI, ${object.id}, version 7` }])
    const ran = await library.request({
      ...{ method: 'POST', url: '/api/execute-prompt', as: person },
      body: {
        promptId: made.id,
        model: 'openai',
        maxTokens: 900,
        userInput: '',
        variables: { customer: 'Ada', company: 'Acme' },
      },
    })
    expect(ran, ran.text).toMatchObject({ status: 200 })
  })

  test('A prompt keeps the id by which code called it at OpenAI, unless another prompt has it; the reply names what code asks for.', async () => {
    const object = openAiObject({ id: 'pmpt_shared1', tools: [] })
    const [first, second] = [await library.registerUser(), await library.registerUser()]
    const { promptId } = onlyItem(await imports.run(first, [fileOf(object)]))
    expect(await imports.get(`/api/prompts/${promptId}/aliases`, first)).toMatchObject([
      { alias: 'pmpt_shared1' },
    ])
    const files = (id: string) => [fileOf({ ...object, id })]
    const planned = await imports.run(second, files('pmpt_shared1'), { dryRun: true })
    const free = await imports.run(second, files('pmpt_nobody1'), { dryRun: true })
    expect(JSON.parse(JSON.stringify(planned).replaceAll('pmpt_shared1', 'pmpt_nobody1'))).toEqual(free)
    const theirs = await imports.run(second, files('pmpt_shared1'))
    expect(theirs.losses).toEqual([])
    expect(await imports.get(`/api/prompts/${onlyItem(theirs).promptId}/aliases`, second)).toMatchObject([
      { alias: 'pmpt_shared1' },
    ])
  })

  test('The same file again makes nothing. A conflict is skipped unless a new version or a copy is chosen.', async () => {
    const object = openAiObject()
    const person = await library.registerUser()
    const done = await imports.run(person, [fileOf(object)])
    const promptId = onlyItem(done).promptId
    expect(await imports.dryRun(person, [fileOf(object)])).toMatchObject({
      items: [{ state: 'same', existing: { id: promptId } }],
    })
    // Also from another file, and written by hand.
    const { id: _, ...nameless } = object
    expect(await imports.dryRun(person, [fileOf(nameless, 'b.json')])).toMatchObject({
      items: [{ state: 'same' }],
    })
    const stored = await imports.get<Prompt>(`/api/prompts/${promptId}`, person)
    const body = { title: stored.title, content: 'Mine', categoryId: stored.categoryId }
    await library.request({ method: 'PUT', url: `/api/prompts/${promptId}`, body, as: person })
    expect(await imports.run(person, [fileOf(object)])).toMatchObject({
      id: null,
      items: [{ state: 'same', made: null }],
    })

    const other = fileOf({ ...object, messages: [{ role: 'user', content: 'Another {{text}}' }] })
    expect(await imports.dryRun(person, [other])).toMatchObject({
      items: [{ state: 'conflict', existing: { id: promptId, version: 2 }, content: 'Another $<text>' }],
    })
    expect(await imports.run(person, [other])).toMatchObject({ id: null, items: [{ made: null }] })
    const copied = await imports.run(person, [other], { conflicts: { items: { '0.0': 'copy' } } })
    expect(copied).toMatchObject({ items: [{ made: 'copy' }] })
    expect(await imports.get(`/api/prompts/${onlyItem(copied).promptId}`, person)).toMatchObject({
      title: 'Refund reply (copy)',
    })
    const third = fileOf({ ...object, messages: [{ role: 'user', content: 'A third' }] })
    const versioned = await imports.run(person, [third], { conflicts: { all: 'version' } })
    expect(versioned).toMatchObject({ items: [{ made: 'version', promptId }] })
    const now = await imports.get<Prompt>(`/api/prompts/${promptId}`, person)
    expect(now).toMatchObject({ content: 'A third', version: 3, model: 'openai' })
    expect(now.systemPrompt).toBeUndefined()
  })

  test('A prompt keeps its whole name of Langfuse; a prompt of another folder is another prompt.', async () => {
    const person = await library.registerUser()
    const entry = (name: string, prompt: string) => ({ name, type: 'text', prompt, labels: ['production'] })
    const mark = `${person.user.id}`
    const eu = entry(`eu${mark}/welcome`, 'Welcome to Europe, {{name}}.')
    const us = entry(`us${mark}/welcome`, 'Howdy, {{name}}.')
    const first = await imports.run(person, [fileOf([eu], 'eu.json')])
    expect(first.items).toMatchObject([
      { made: 'new', alias: eu.name, slug: expect.stringMatching(/^welcome/) },
    ])
    const second = await imports.run(person, [fileOf([us], 'us.json')], { conflicts: { all: 'version' } })
    expect(second.items).toMatchObject([{ state: 'new', made: 'new', alias: us.name }])
    const changed = await imports.dryRun(person, [fileOf([entry(us.name, 'Hi, {{name}}.')], 'us.json')])
    expect(changed.items).toMatchObject([
      { state: 'conflict', existing: { id: second.items[0]?.promptId }, slug: null },
    ])
    const plain = await imports.dryRun(person, [fileOf([entry('welcome', 'Welcome.')], 'plain.json')])
    expect(plain.items.map(({ existing }) => existing?.id)).not.toContain(second.items[0]?.promptId)
    const promptIds = [first, second].map(({ items }) => items[0]?.promptId)
    const body = { name: 'Code', promptIds }
    const made = await library.request({ method: 'POST', url: '/api/read-tokens', as: person, body })
    const { token } = made.body as { token: string }
    for (const [each, id] of [
      [eu, first.items[0]?.promptId],
      [us, second.items[0]?.promptId],
    ] as const) {
      const url = `/api/public/v2/prompts/${encodeURIComponent(each.name)}`
      const reply = await library.http.inject({ url, headers: { authorization: `Bearer ${token}` } })
      expect([reply.statusCode, reply.body, id]).toEqual([200, expect.stringContaining(each.prompt), id])
    }
    const copy = await imports.run(person, [fileOf([entry(us.name, 'Hey.')], 'us.json')], {
      conflicts: { all: 'copy' },
    })
    expect(copy.items).toMatchObject([{ made: 'copy', alias: null, slug: expect.any(String) }])
    expect(copy.losses.map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(/gets the existing prompt, not the copy/),
    )
    const odd = await imports.dryRun(person, [fileOf([entry('42', 'Hey.')], 'odd.json')])
    expect(odd.losses.map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(/can’t request it as 42/),
    )
  })

  test('an import can be taken back once the later one on it was taken back', async () => {
    const person = await library.registerUser()
    const object = openAiObject({ id: 'pmpt_twice' })
    const first = await imports.run(person, [fileOf(object)])
    const other = fileOf({ ...object, messages: [{ role: 'user', content: 'Later' }] })
    const second = await imports.run(person, [other], { conflicts: { all: 'version' } })
    expect((await imports.undo(person, first.id)).body).toMatchObject({
      removed: 0,
      kept: [{ reason: 'changed' }],
    })
    const third = await imports.run(person, [fileOf({ ...object, id: 'pmpt_third', name: 'Third' })])
    const onThird = fileOf({ ...object, id: 'pmpt_third', name: 'Third', instructions: 'Later' })
    const fourth = await imports.run(person, [onThird], { conflicts: { all: 'version' } })
    expect(second.id).not.toBeNull()
    expect((await imports.undo(person, fourth.id)).body).toMatchObject({ restored: 1, kept: [] })
    expect((await imports.undo(person, third.id)).body).toMatchObject({ removed: 1, kept: [] })
  })

  test('What was changed since an import, or is needed, stays and is named when it is undone.', async () => {
    const person = await library.registerUser()
    const before = await imports.textOf(person)
    const prompts = ['one', 'two', 'three'].map((name) => ({
      id: `pmpt_${name}`,
      name,
      instructions: `Do ${name}`,
    }))
    const kept = await library.createPrompt(person, { title: 'four', content: 'Mine' })
    const all = [...prompts, { name: 'four', model: 'openai', instructions: 'Theirs' }]
    const done = await imports.run(person, [fileOf(all)], { conflicts: { all: 'version' } })
    expect(done.items.map(({ made }) => made)).toEqual(['new', 'new', 'new', 'version'])
    // The library shows them in the order of the file.
    expect((await imports.listed(person)).map(({ title }) => title).slice(0, 3)).toEqual([
      'one',
      'two',
      'three',
    ])
    const ids = done.items.map(({ promptId }) => promptId)
    const one = await imports.get<Prompt>(`/api/prompts/${ids[0]}`, person)
    const edited = { title: 'one', content: 'Changed', categoryId: one.categoryId }
    await library.request({ method: 'PUT', url: `/api/prompts/${one.id}`, body: edited, as: person })
    const chain = await library.createChain(person)
    await library.createStep(person, chain.id, { promptId: ids[1], content: 'Do two' })

    const reply = await imports.undo(person, done.id)
    // They are listed in the order in which they were made.
    expect(reply.body).toEqual({
      removed: 1,
      restored: 1,
      kept: [
        { kind: 'prompt', id: ids[1] ?? 0, name: 'two', reason: 'used' },
        { kind: 'prompt', id: ids[0] ?? 0, name: 'one', reason: 'changed' },
      ],
    } satisfies UndoneImport)
    expect(await imports.get(`/api/prompts/${kept.id}`, person)).toMatchObject({
      content: 'Mine',
      version: 3,
    })
    expect(await imports.undo(person, done.id)).toMatchObject({
      status: 409,
      body: { error: 'This import has already been undone' },
    })
    expect(await imports.get('/api/imports', person)).toMatchObject([
      { id: done.id, canUndo: false, undoneAt: expect.any(String) },
    ])
    // What was taken back comes as new again.
    const again = await imports.dryRun(person, [fileOf(all)])
    expect(again.items.map(({ state }) => state)).toEqual(['same', 'same', 'new', 'conflict'])
    expect(before).toBe(0)
  })

  test('Undoing an import keeps a prompt whose earlier version was deleted, and says so.', async () => {
    const person = await library.registerUser()
    const { id } = await library.createPrompt(person, { title: 'four', content: 'Mine' })
    const theirs = fileOf({ name: 'four', model: 'openai', instructions: 'Theirs' })
    const done = await imports.run(person, [theirs], { conflicts: { all: 'version' } })
    expect(onlyItem(done)).toMatchObject({ made: 'version', promptId: id })
    const earlier = `/api/prompts/${id}/versions/1`
    expect((await library.request({ method: 'DELETE', url: earlier, as: person })).status).toBe(204)
    expect((await imports.undo(person, done.id)).body).toEqual({
      removed: 0,
      restored: 0,
      kept: [{ kind: 'prompt', id, name: 'four', reason: 'changed' }],
    } satisfies UndoneImport)
    expect(await imports.get(`/api/prompts/${id}`, person)).toMatchObject({ version: 2, model: 'openai' })
  })

  test('An import can be undone for a day.', async () => {
    const object = openAiObject()
    const person = await library.registerUser()
    const { id } = await imports.run(person, [fileOf(object)])
    now = new Date(Date.now() + 24 * 3_600_000)
    expect(await imports.undo(person, id)).toMatchObject({
      status: 409,
      body: { error: 'An import can be undone for 24 hours' },
    })
    expect(await imports.get('/api/imports', person)).toMatchObject([{ canUndo: false }])
    now = new Date()
    expect(await imports.undo(person, id)).toMatchObject({
      status: 200,
      body: { removed: 1, restored: 0, kept: [] },
    })
  })
})
