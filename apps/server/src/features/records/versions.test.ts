import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { conflictOf, labelsOf } from '../../testing/version-labels.ts'
import { findIdBySlug } from '../library/library.ts'
import { findChainVersion, findPromptVersion } from './records.ts'

describe.each(routeDatabaseKinds)('choosing a version on %s', (database) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(database)
  })
  afterAll(() => library.close())

  test('A label, a number, or neither names a version by fixed rules.', async () => {
    const { create, moved } = labelsOf(library, 'prompt')
    const promptId = await create(3, { title: 'First' })
    const other = await create(2)
    await moved(promptId, { version: 1 })
    await moved(other, { label: 'staging', version: 1 })
    const find = (choice: object) => findPromptVersion(library, { promptId, ...choice })
    const namedBy = { customer: library.owner.user.id, tone: library.owner.user.id }
    const first = { number: 1, title: 'First', content: expect.stringContaining('welcome'), namedBy }
    expect(await find({ label: 'production' })).toEqual(first)
    expect(await find({ version: 1, label: null })).toEqual(first)
    for (const choice of [{}, { label: 'latest' }, { label: null, version: null }, { version: 3 }]) {
      expect(await find(choice)).toMatchObject({ number: 3 })
    }
    await expect(find({ label: 'staging' })).rejects.toThrow('There is no label staging')
    await expect(find({ version: 4 })).rejects.toThrow('There is no version 4')
  })

  test('of a chain comes with its steps', async () => {
    const { create, moved } = labelsOf(library, 'chain')
    const chainId = await create()
    const step = await library.createStep(library.owner, chainId, { title: 'Draft', temperature: 0.5 })
    await moved(chainId, { version: 2 })
    await library.request({
      ...{ method: 'DELETE', url: `/api/chains/${chainId}/steps/${step.id}` },
      as: library.owner,
    })
    const { linkedPrompt: _, othersNames: __, ...kept } = step
    expect(await findChainVersion(library, { chainId, label: 'production' })).toEqual({
      ...{
        number: 2,
        name: 'Letter',
        stopsWithoutValue: 'unwatched',
        stopsWhenCut: 'unwatched',
        steps: [{ ...kept, namedBy: {} }],
      },
    })
    expect(await findChainVersion(library, { chainId })).toMatchObject({ number: 3, steps: [] })
    await expect(findChainVersion(library, { chainId, label: 'live' })).rejects.toThrow('no label live')
  })

  test('of a prompt that a released version of a chain runs is not deleted', async () => {
    const { owner, db, request } = library
    const promptId = await labelsOf(library, 'prompt').create(3)
    const { create, moved, remove } = labelsOf(library, 'chain')
    const chainId = await create()
    await library.createStep(owner, chainId, { promptId })
    await db.execute(sql`
      update chain_versions set steps = jsonb_set(steps, '{0,promptVersion}', '2') where chain_id = ${chainId} and number = 2`)
    const end = (number: number) =>
      request({ method: 'DELETE', url: `/api/prompts/${promptId}/versions/${number}`, as: owner })
    await moved(chainId, { version: 2 })
    expect(conflictOf(await end(2))).toMatchObject({ code: 'VERSION_IN_USE' })
    expect((await end(1)).status).toBe(204)
    await remove(chainId, 2)
    expect((await end(2)).status).toBe(204)
  })

  test('a record is found by any slug that it has had', async () => {
    const { create, save } = labelsOf(library, 'chain')
    const id = await create(1, { name: 'Found by slug' })
    await save(id, { slug: 'found-otherwise' })
    const viewerId = library.owner.user.id
    for (const slug of ['found-by-slug', 'found-otherwise']) {
      expect(await findIdBySlug(library, { kind: 'chain', slug, viewerId })).toBe(id)
      expect(await findIdBySlug(library, { kind: 'prompt', slug, viewerId })).toBeUndefined()
    }
  })
})
