import type { ChainListItem } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

describe.each(routeDatabaseKinds)('sharing chains with named people on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const share = (id: number, body: unknown, as = library.owner) =>
    library.request({ method: 'PUT', url: `/api/chains/${id}/shares`, body, as })
  const patch = (id: number, body: unknown, as = library.owner) =>
    library.request({ method: 'PATCH', url: `/api/chains/${id}`, body, as })
  const statusFor = async (id: number, as: TestUser) =>
    (await library.request({ url: `/api/chains/${id}`, as })).status

  test('Taking back a share of a chain acts at once.', async () => {
    const { owner, other } = library
    const { id } = await library.createChain(owner, { sharedLevel: 'shared' })
    const step = await library.createStep(owner, id)
    const edit = async () =>
      (
        await library.request({
          method: 'PATCH',
          url: `/api/chains/${id}/steps/${step.id}`,
          body: { content: 'by an editor' },
          as: other,
        })
      ).status
    const isListed = async () =>
      ((await library.request({ url: '/api/chains', as: other })).body as ChainListItem[]).some(
        (item) => item.id === id,
      )
    const access = async () => [await statusFor(id, other), await edit(), await isListed()]

    expect(await access()).toEqual([404, 404, false])
    await share(id, [{ username: 'Oskar', role: 'editor' }])
    expect(await access()).toEqual([200, 200, true])
    await share(id, [{ username: 'Oskar', role: 'viewer' }])
    expect(await access()).toEqual([200, 403, true])
    await share(id, [{ username: 'Oskar', role: 'editor' }])
    await patch(id, { sharedLevel: 'public' })
    expect(await access()).toEqual([200, 403, true])
    await patch(id, { sharedLevel: 'private' })
    expect(await access()).toEqual([404, 404, false])
    await patch(id, { sharedLevel: 'shared' })
    expect(await access()).toEqual([200, 200, true])
    await share(id, [])
    expect(await access()).toEqual([404, 404, false])
  })

  test('an editor changes the chain, and neither its level nor its shares', async () => {
    const { owner, other } = library
    const { id } = await library.createChain(owner, { sharedLevel: 'shared' })
    await share(id, [{ username: 'Oskar', role: 'editor' }])
    expect((await patch(id, { name: 'Edited', sharedLevel: 'shared' }, other)).status).toBe(200)
    const error = 'Only the owner may change who sees this chain'
    for (const sharedLevel of ['public', 'private']) {
      const reply = await patch(id, { name: 'Not this', sharedLevel }, other)
      expect([reply.status, reply.body]).toEqual([403, { error }])
    }
    const reply = await share(id, [{ username: 'Adam', role: 'editor' }], other)
    expect([reply.status, reply.body]).toEqual([403, { error }])
    const chain = (await library.request({ url: `/api/chains/${id}`, as: owner })).body
    expect(chain).toMatchObject({ name: 'Edited', sharedLevel: 'shared' })
  })
})
