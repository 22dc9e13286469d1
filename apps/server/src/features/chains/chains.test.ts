import type { Chain, ChainListItem } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

describe.each(routeDatabaseKinds)('chains on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const read = (id: number, as?: TestUser) => library.request({ url: `/api/chains/${id}`, as })
  const list = async (as?: TestUser, query = '') =>
    (await library.request({ url: `/api/chains${query}`, as })).body as ChainListItem[]

  test('A chain has its fields in list and detail.', async () => {
    const { owner } = library
    const tag = await library.createTag(owner, 'field check', '/api/chain-tags')
    const chain = await library.createChain(owner, { name: ' Fields ', tagIds: [tag.id, tag.id] })
    const {
      steps: _,
      exampleRequests: _examples,
      asksFirst: _asks,
      slug: _slug,
      version: _version,
      labels: _labels,
      ...fields
    } = chain
    expect(chain).toEqual({
      id: expect.any(Number),
      slug: 'fields',
      version: 1,
      labels: [],
      name: 'Fields',
      description: '',
      exampleRequests: [],
      asksFirst: false,
      sharedLevel: 'private',
      stopsWithoutValue: 'unwatched',
      stopsWhenCut: 'unwatched',
      runsVisibleTo: 'editors',
      tags: [tag],
      owner: 'Olga',
      revision: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      canView: true,
      canEdit: true,
      canDelete: true,
      canExecute: true,
      steps: [],
    })
    expect((await read(chain.id, owner)).body).toEqual(chain)
    expect(await list(owner)).toContainEqual({ ...fields, steps: [] })
  })

  test('Steps run by position.', async () => {
    const { owner } = library
    const { id } = await library.createChain(owner)
    const made = []
    for (const position of [5, 0, 5]) made.push(await library.createStep(owner, id, { position }))
    const chain = (await read(id, owner)).body as Chain
    expect(chain.steps).toEqual([made[1], made[0], made[2]])
    expect(chain.revision).toBe(4)
    const listed = (await list(owner)).find((item) => item.id === id)
    expect(listed?.steps).toHaveLength(3)
    expect(Object.keys(listed?.steps[0] ?? {})).toEqual(['id'])
  })
})
