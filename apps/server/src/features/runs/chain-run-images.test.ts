import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import { databaseKinds } from '../../testing/database.ts'
import { mediaOf } from '../../testing/media.ts'
import { makeJpeg, makePng } from '../../testing/pictures.ts'

describe.each(databaseKinds)('a chain that is run by hand on %s', (kind) => {
  let library: ChainLibrary
  let media: ReturnType<typeof mediaOf>
  beforeAll(async () => {
    library = await startChainLibrary(kind, { modelId: 'gpt-4o' })
    media = mediaOf(library)
    await media.hold('shot', makePng({ width: 40 }))
    await media.hold('place', null)
  })
  afterAll(() => library.close())

  test('may bring an image of its own for all its steps', async () => {
    const { fake, other, request } = library
    fake.reset()
    const { filePath, fileId } = await media.store(makeJpeg({ tells: true }), 'own.jpg')
    const variableValues = { place: filePath }
    const chain = await library.buildChain(['First $<place>', 'Then {{a}}', 'Last $<place> $<shot>'], {
      sharedLevel: 'public',
    })
    const run = await library.ended(await library.execute(chain.id, { variableValues }))
    expect(fake.journal.map((call) => JSON.stringify(call).split('"image_url":').length - 1)).toEqual([
      1, 0, 2,
    ])
    expect(run.steps[2]).toMatchObject({
      attachments: [{ fileId, name: 'place' }, { name: 'shot' }],
      resolved: { place: { type: 'typed', source: filePath } },
    })
    const stolen = await library.execute(chain.id, { variableValues }, other)
    expect(await library.ended(stolen, other)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('$<place> has no value: This file is not among your uploads'),
    })
    const url = `/api/chains/${chain.id}/execute`
    const wrong = await request({
      method: 'POST',
      url,
      body: { variableValues: { 'no name': 'x' } },
      as: library.owner,
    })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('variableValues')
  })

  test('is refused a value that a variable does not allow', async () => {
    const { owner, request } = library
    await library.createVariable(owner, { name: 'tone', content: 'kind', allowedValues: ['kind', 'firm'] })
    const { id } = await library.buildChain(['Be $<tone>'])
    const start = (tone: string) =>
      request({
        method: 'POST',
        url: `/api/chains/${id}/execute`,
        body: { variableValues: { tone } },
        as: owner,
      })
    expect(await start('rude')).toMatchObject({
      status: 400,
      body: { details: [{ path: 'variableValues.tone' }] },
    })
    expect((await start('firm')).status).toBe(201)
  })
})
