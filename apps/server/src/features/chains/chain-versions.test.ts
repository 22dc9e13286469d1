import type { Chain, ChainVersion, ListedChainVersion, PersonQuota } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { labelsOf } from '../../testing/version-labels.ts'

const CHAIN_VERSIONS_KEPT = 200

describe.each(routeDatabaseKinds)('chain versions on %s', (database) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(database)
  })
  afterAll(() => library.close())

  const call = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    body?: unknown,
    as = library.owner,
  ) => library.request({ method, url: `/api/chains/${url}`, body, as })
  const read = async (id: number) => (await call('GET', `${id}`)).body as Chain
  const versions = async (id: number) => (await call('GET', `${id}/versions`)).body as ListedChainVersion[]
  const version = async (id: number, number: number) =>
    (await call('GET', `${id}/versions/${number}`)).body as ChainVersion
  const restore = (id: number, number: number, body?: unknown) =>
    call('POST', `${id}/versions/${number}/restore`, body)
  const quotas = async () => {
    const { admin, owner } = library
    const url = `/api/admin/users/${owner.user.id}/quotas`
    const { body } = await library.request({ url, as: admin })
    const used = (body as PersonQuota[]).map(({ quota, used }) => [quota, used])
    const { text, versions } = Object.fromEntries(used) as Record<string, number>
    return { text, versions }
  }

  test('A chain has a version for each save of steps or settings, with author and note.', async () => {
    const { owner, createStep } = library
    const { id, version: first } = await library.createChain(owner, { description: 'Before' })
    expect(first).toBe(1)
    const step = await createStep(owner, id, { title: 'Draft', note: 'a first step' })
    const second = await createStep(owner, id, { title: 'Check' })
    await call('PATCH', `${id}/steps/${step.id}`, { content: 'Write more.', note: 'longer' })
    await call('POST', `${id}/reorder-steps`, { stepIds: [second.id, step.id] })
    await call('POST', `${id}/steps/${step.id}/duplicate`)
    await call('DELETE', `${id}/steps/${second.id}`)
    await call('PATCH', `${id}`, { description: 'After', note: 'told otherwise' })
    await call('PATCH', `${id}`, { stopsWithoutValue: 'never' })
    const createdAt = expect.stringMatching(/Z$/)
    const common = { name: 'Letter', author: 'Olga', createdAt }
    expect(await versions(id)).toEqual(
      [
        [2, ''],
        [2, 'told otherwise'],
        [2, ''],
        [3, ''],
        [2, ''],
        [2, 'longer'],
        [2, ''],
        [1, 'a first step'],
        [0, ''],
      ].map(([stepCount, note], n) => ({ ...common, number: 9 - n, stepCount, note })),
    )
    expect((await read(id)).version).toBe(9)
    expect(await version(id, 4)).toMatchObject({
      description: 'Before',
      stopsWithoutValue: 'unwatched',
      stopsWhenCut: 'unwatched',
      steps: [
        { id: step.id, title: 'Draft', content: 'Write more.' },
        { id: second.id, title: 'Check', content: 'Write.' },
      ],
    })
  })

  test('what is saved as it was, and what no version keeps, makes none', async () => {
    const { owner, createStep } = library
    const { id } = await library.createChain(owner, { name: 'Same' })
    const step = await createStep(owner, id, { temperature: 0.7, position: 0 })
    await call('PATCH', `${id}`, { name: 'Same', description: '' })
    await call('PATCH', `${id}`, {
      sharedLevel: 'public',
      exampleRequests: ['Write it'],
      slug: 'all-the-same',
    })
    await call('PATCH', `${id}/steps/${step.id}`, { content: step.content, temperature: 0.7 })
    await call('POST', `${id}/reorder-steps`, { stepIds: [step.id] })
    expect(await read(id)).toMatchObject({ version: 2, revision: 6, slug: 'all-the-same' })
    expect(await versions(id)).toHaveLength(2)
  })

  test('Equal contents make no version, of a chain from before there were settings too.', async () => {
    const { id } = await library.createChain(library.owner)
    const step = await library.createStep(library.owner, id, { systemPrompt: 'Be brief.', temperature: 0.7 })
    const keys = ['id', 'position', 'title', 'content', 'model', 'fallbackModel', 'outputVariableName']
    const linkKeys = ['promptId', 'promptLabel', 'promptVersion']
    const kept = [...keys, ...linkKeys, 'systemPrompt', 'temperature', 'maxTokens'].toSorted()
    const { rows } = await library.db.execute<{ steps: object[] }>(
      sql`select steps from chain_versions where chain_id = ${id} and number = 2`,
    )
    expect(Object.keys(rows[0]?.steps[0] ?? {}).toSorted()).toEqual(kept)
    await call('PATCH', `${id}/steps/${step.id}`, { content: step.content, systemPrompt: 'Be brief.' })
    await call('PATCH', `${id}/steps/${step.id}`, { stop: [], messages: null, output: { type: 'text' } })
    expect(await read(id)).toMatchObject({ version: 2 })
    await call('PATCH', `${id}/steps/${step.id}`, { stop: ['END'] })
    expect(await read(id)).toMatchObject({ version: 3 })
  })

  test.each([
    ['of the chain', (id: number) => `${id}`, { name: 'Letter' }],
    ['of a step', (id: number, stepId: number) => `${id}/steps/${stepId}`, { content: 'Write.' }],
  ])('a note at a save %s that makes none is refused, and nothing is saved', async (_what, urlOf, body) => {
    const { id } = await library.createChain(library.owner)
    const step = await library.createStep(library.owner, id)
    const before = await read(id)
    const refused = await call('PATCH', urlOf(id, step.id), { ...body, note: 'nothing new' })
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'note' }] } })
    expect(await read(id)).toEqual(before)
  })

  test('Restoring a chain’s version keeps its steps’ ids.', async () => {
    const { owner, createStep } = library
    const { id } = await library.createChain(owner, { name: 'Then' })
    const first = await createStep(owner, id, {
      ...{
        title: 'One',
        outputVariableName: 'one',
        systemPrompt: 'Be brief',
        temperature: 0.3,
        maxTokens: 9,
      },
      fallbackModel: 'gemini',
    })
    const second = await createStep(owner, id, { title: 'Two', outputVariableName: 'two' })
    const then = await read(id)
    await call('PATCH', `${id}/steps/${first.id}`, { outputVariableName: 'other', content: 'New' })
    await call('DELETE', `${id}/steps/${second.id}`)
    await createStep(owner, id, { outputVariableName: 'one' })
    const now = (await call('PATCH', `${id}`, { name: 'Now', sharedLevel: 'public' })).body as Chain
    const restored = await restore(id, then.version, { revision: now.revision })
    expect(restored.status, restored.text).toBe(200)
    const { steps, name } = then
    expect(restored.body).toMatchObject({
      ...{ steps, name, version: now.version + 1, revision: now.revision + 1, sharedLevel: 'public' },
    })
    expect(await read(id)).toEqual(restored.body)
    expect((await restore(id, then.version)).body).toMatchObject({ version: now.version + 1 })
  })

  test('Links to prompts that are out of reach end when a chain’s version is restored.', async () => {
    const { owner, other, createStep } = library
    const { id } = await library.createChain(owner, { sharedLevel: 'shared' })
    const shares = [{ username: 'Oskar', role: 'editor' }]
    await library.request({ method: 'PUT', url: `/api/chains/${id}/shares`, body: shares, as: owner })
    const [hidden, shown, gone] = [
      await library.createPrompt(owner, { content: 'Secret' }),
      await library.createPrompt(owner, { isPublic: true }),
      await library.createPrompt(owner, { isPublic: true }),
    ]
    for (const { id: promptId } of [hidden, shown, gone]) await createStep(owner, id, { promptId })
    const { version: linked, steps } = await read(id)
    for (const step of steps) await call('PATCH', `${id}/steps/${step.id}`, { promptId: null })
    await library.request({ method: 'DELETE', url: `/api/prompts/${gone.id}`, as: owner })
    const back = await call('POST', `${id}/versions/${linked}/restore`, undefined, other)
    expect((back.body as Chain).steps.map(({ promptId }) => promptId)).toEqual([null, shown.id, null])
    const own = (await restore(id, linked)).body as Chain
    expect(own.steps.map(({ promptId }) => promptId)).toEqual([hidden.id, shown.id, null])
  })

  test('a stale revision, an unknown version or another field restores nothing', async () => {
    const { id } = await library.createChain(library.owner)
    await library.createStep(library.owner, id)
    expect(await restore(id, 1, { revision: 1 })).toMatchObject({ status: 409, body: { details: { id } } })
    expect((await restore(id, 9)).status).toBe(404)
    expect((await restore(id, 1, { name: 'Other' })).status).toBe(400)
    expect((await call('GET', `${id}/versions/9`)).status).toBe(404)
    expect((await read(id)).version).toBe(2)
  })

  test('texts of a version that are too much for a reply are shown by their beginnings', async () => {
    const { owner, createStep } = library
    const { id } = await library.createChain(owner)
    for (let n = 0; n < 3; n += 1) await createStep(owner, id, { content: 'ä'.repeat(400_000) })
    const [step] = (await version(id, 4)).steps
    expect(step).toMatchObject({ content: 'ä'.repeat(500), contentClipped: true, contentLength: 400_000 })
    const messages = [{ role: 'user' as const, content: 'é'.repeat(5_000) }]
    await createStep(owner, id, { title: 'Turns', content: 'x', messages })
    const turns = (await version(id, 5)).steps[3]
    expect(turns).toMatchObject({ title: 'Turns', content: 'x', contentClipped: true })
    expect(turns).not.toHaveProperty('messages')
    const [whole] = (await version(id, 2)).steps
    expect(whole?.content).toHaveLength(400_000)
  })

  test('what no version could keep is not added, and what is there already can be taken away', async () => {
    const { owner, createStep, db } = library
    const { id } = await library.createChain(owner)
    const step = await createStep(owner, id, { content: 'x'.repeat(900_000) })
    // As from before chains had versions.
    await db.execute(sql`
      insert into chain_steps (chain_id, position, content, model, output_variable_name)
      select ${id}, n, repeat('x', 1000000), 'openai', 'large_' || n from generate_series(1, 20) n`)
    const { version: before } = await read(id)
    for (const refused of [
      await call('PATCH', `${id}/steps/${step.id}`, { content: 'x'.repeat(900_001) }),
      await call('POST', `${id}/steps`, { content: 'x', outputVariableName: 'one_more' }),
      await call('POST', `${id}/steps/${step.id}/duplicate`),
    ]) {
      expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'content' }] } })
    }
    expect((await call('PATCH', `${id}`, { name: 'Shorter' })).body).toMatchObject({ version: before })
    const [, large] = (await read(id)).steps
    expect((await call('DELETE', `${id}/steps/${large?.id}`)).status).toBe(204)
    expect((await read(id)).version).toBe(before + 1)
  })

  test('so many are kept, and those that labels hold; quotas count them as they come and go', async () => {
    const before = await quotas()
    const { create, moved, save } = labelsOf(library, 'chain')
    const id = await create(3)
    await moved(id, { version: 2 })
    // As if it had been saved so often.
    await library.db.execute(sql`
      with made as (
        insert into chain_versions (chain_id, number, name, description, stops_without_value, steps, step_count, bytes)
        select ${id}, number, number, '', 'never', '[]', 0, 5 from generate_series(4, ${CHAIN_VERSIONS_KEPT + 1}) as number
      )
      update chains set version = ${CHAIN_VERSIONS_KEPT + 1} where id = ${id}`)
    for (let n = 0; n < 3; n += 1) await save(id)
    const numbers = (await versions(id)).map(({ number }) => number)
    expect(numbers).toHaveLength(CHAIN_VERSIONS_KEPT + 1)
    expect(numbers.slice(-2)).toEqual([5, 2])
    const kept = await quotas()
    expect((kept.versions ?? 0) - (before.versions ?? 0)).toBe(CHAIN_VERSIONS_KEPT + 1)
    await call('DELETE', `${id}/versions/7`)
    expect((await quotas()).versions).toBe((kept.versions ?? 0) - 1)
    await call('DELETE', `${id}`)
    expect(await quotas()).toEqual(before)
  })
})
