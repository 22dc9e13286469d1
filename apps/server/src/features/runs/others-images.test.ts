import type { RunDetails } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ChainLibrary,
  type SharedChains,
  startChainLibrary,
  startSharingChains,
} from '../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { mediaOf } from '../../testing/media.ts'
import { makePng } from '../../testing/pictures.ts'

describe.each(routeDatabaseKinds)('another person’s image on %s', (kind) => {
  let library: ChainLibrary
  let sharing: SharedChains
  let media: ReturnType<typeof mediaOf>
  beforeAll(async () => {
    library = await startChainLibrary(kind, { modelId: 'gpt-4o' })
    sharing = await startSharingChains(library)
    media = mediaOf(library)
    await media.hold('mine', makePng({ width: 5 }))
    await media.hold('everyones', makePng({ width: 6 }), { isPublic: true })
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  /** A run of a chain of that step, by someone it is shared with. */
  async function runByViewer(content: string): Promise<RunDetails> {
    const chain = await sharing.share([content])
    return library.find(await sharing.run(chain), sharing.viewer)
  }
  const sentImages = () => JSON.stringify(library.fake.journal).split('"image_url"').length - 1
  /** How many images of the run someone sees, none where not even its steps are shown (D68), and what becomes of asking for the bytes of the file. */
  async function seen({ id }: RunDetails, fileId: number, as: TestUser) {
    const { steps } = await library.find(id, as)
    const { status } = await media.download(`/api/executions/${id}/files/${fileId}`, as)
    return [steps?.[0]?.attachments.length, status]
  }

  test('Another person’s private image is found by no run, by its name or its key.', async () => {
    const run = await runByViewer('See $<mine>')
    expect(run).toMatchObject({ steps: [{ inputContent: 'See $<mine>', attachments: [] }] })
    expect(library.fake.journal).toHaveLength(1)
    expect(sentImages()).toBe(0)
  })

  test('that is public is sent for whoever names it', async () => {
    const run = await runByViewer('See $<everyones>')
    expect(sentImages()).toBeGreaterThan(0)
    const [attachment] = run.steps[0]?.attachments ?? []
    expect(await seen(run, attachment?.fileId ?? 0, library.owner)).toEqual([1, 200])
  })

  test('A chain’s run with an image that only its runner sees shows others only that it is there (D68).', async () => {
    const { owner } = library
    const { editor, viewer } = sharing
    const { filePath, fileId } = await media.store(makePng({ width: 7 }), 'theirs.png', viewer)
    await library.createVariable(viewer, { name: 'theirs', type: 'image', content: filePath })
    const run = await runByViewer('See $<theirs>')
    expect(sentImages()).toBeGreaterThan(0)
    expect(await seen(run, fileId, viewer)).toEqual([1, 200])
    for (const as of [owner, editor]) expect(await seen(run, fileId, as)).toEqual([undefined, 404])
    expect((await media.download(`/api/files/${fileId}`, owner)).status).toBe(404)
    expect(JSON.stringify(await library.find(run.id, owner))).not.toContain('theirs.png')
  })
})
