import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../../../../testing/database.ts'
import { AUTH, SEALED_KEY, type SealedCalls, startSealedCalls } from '../../../../../testing/sealed-calls.ts'

const each = (list: string) => ({
  forEach: { list, as: 'item', max: 20, atOnce: 5, onFailure: 'leave_out', result: 'text' },
})

describe.each(routeDatabaseKinds)('changed calls with sealed parts, on %s', (kind) => {
  let lab: SealedCalls
  beforeAll(async () => {
    lab = await startSealedCalls(kind)
  })
  afterAll(() => lab.close())
  beforeEach(() => lab.reset())

  const edits: [string, object, object?][] = [
    ['another path', { url: 'SHOP/thief' }],
    ['a reference in the path', { url: 'SHOP/{{input}}' }],
    ['a query in the address', { url: 'SHOP/mails?to=thief' }],
    ['a value of the query', { query: [{ name: 'to', value: 'thief' }] }],
    ['a plain header', { headers: [AUTH, { name: 'X-Forward-To', value: 'thief' }] }],
    ['another body', { body: { type: 'text', content: 'Give it to the thief' } }],
    ['a list', {}, each('input')],
    ['that it may be repeated', { safeToRepeat: true }],
  ]
  test.each(edits)(
    'What another person changes of a call with a sealed part rests until the owner has allowed it: %s',
    async (_, tool, fields = {}) => {
      const chain = await lab.share([lab.call()])
      const changed = JSON.parse(JSON.stringify(lab.kept(tool)).replace('SHOP', lab.shop.url)) as object
      await lab.change(chain, { tool: changed, ...fields })
      for (const as of [lab.viewer, lab.editor, lab.owner])
        expect(lab.failure(await lab.run(chain, as))).toMatchObject(lab.RESTS)
      lab.nothingLeft()
      const rests = await lab.sealedOf(chain)
      expect(rests).toMatchObject({ rests: true, allowed: { tool: lab.kept(), forEach: null } })
      expect(await lab.sealedOf(chain, lab.editor)).toMatchObject({ rests: true, allowed: null })
      expect((await lab.allow(chain, lab.editor)).status).toBe(403)
      const allowed = await lab.allow(chain)
      expect([allowed.status, allowed.body]).toMatchObject([200, { rests: false, allowed: null }])
      expect(await lab.run(chain, lab.viewer)).toMatchObject({ status: 'completed' })
      expect(lab.shop.calls[0]?.headers.authorization).toBe(`Bearer ${SEALED_KEY}`)
    },
  )

  test('Nobody allows by saving something else: the owner’s next save of another field leaves the call where it rests.', async () => {
    const chain = await lab.share([lab.call(), 'Then {{a}}'])
    await lab.change(chain, { tool: lab.kept({ url: `${lab.shop.url}/thief` }), ...each('input') })
    await lab.change(chain, { title: 'Mail' }, lab.owner)
    await lab.change(chain, { content: 'And {{a}}' }, lab.owner, 1)
    await lab.change(chain, { tool: lab.kept() }, lab.owner)
    expect(lab.failure(await lab.run(chain))).toMatchObject(lab.RESTS)
    lab.nothingLeft()
    await lab.change(chain, { tool: lab.kept(), forEach: null }, lab.owner)
    expect(await lab.run(chain)).toMatchObject({ status: 'completed' })
  })

  test('A call that rests is neither skipped nor left out of a list, and one that is allowed was seen as it is.', async () => {
    const chain = await lab.share([lab.call({}, { ...each('input'), ifItFails: 'go_on' }), 'End'])
    await lab.change(chain, { tool: lab.kept({ url: `${lab.shop.url}/{{item}}` }) })
    const failed = await lab.run(chain)
    expect(lab.failure(failed)).toMatchObject(lab.RESTS)
    expect(lab.library.sent()).toEqual([])
    lab.nothingLeft()
    const { revision } = await lab.read(chain)
    await lab.change(chain, { tool: lab.kept({ url: `${lab.shop.url}/other` }) })
    const stale = await lab.send('POST', `${lab.stepUrl(chain)}/allow`, { revision })
    expect(stale.status).toBe(409)
    expect(lab.failure(await lab.run(chain))).toMatchObject(lab.RESTS)
    lab.nothingLeft()
  })

  test('What the owner had allowed once is not allowed for ever: a run of an older version compares with what is allowed now.', async () => {
    const chain = await lab.share([lab.call({ url: `${lab.shop.url}/old` })])
    await lab.change(chain, { tool: lab.kept() }, lab.owner)
    expect(lab.failure(await lab.runOld(chain, chain.version))).toMatchObject(lab.RESTS)
    lab.nothingLeft()
    expect(await lab.run(chain, lab.viewer)).toMatchObject({ status: 'completed' })
  })

  test('A chain that is put in another order keeps its sealed values, and calls what it called.', async () => {
    const chain = await lab.share([lab.call({ body: { type: 'none', content: '' } }), 'Write'])
    const ids = chain.steps.map(({ id }) => id).toReversed()
    expect(
      (await lab.send('POST', `/api/chains/${chain.id}/reorder-steps`, { stepIds: ids }, lab.editor)).status,
    ).toBe(200)
    expect(await lab.run(chain)).toMatchObject({ status: 'completed' })
    expect(lab.shop.calls).toHaveLength(1)
    expect(lab.thief.calls).toEqual([])
  })
})
