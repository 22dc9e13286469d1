import type { Chain, ChainRunSummary } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SharedChains, startSharingChains } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import type { TestUser } from '../../../testing/harness.ts'
import { Watcher } from '../../../testing/watcher.ts'

describe.each(routeDatabaseKinds)('the switch of a chain that shows its runs, on %s', (kind) => {
  let library: Gateway
  let editor: TestUser
  let viewer: TestUser
  let share: SharedChains['share']
  let run: SharedChains['run']
  beforeAll(async () => {
    library = await startGateway(kind)
    ;({ editor, viewer, share, run } = await startSharingChains(library))
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const change = async (chain: Chain, body: object, as = library.owner) =>
    library.request({ method: 'PATCH', url: `/api/chains/${chain.id}`, body, as })
  const statusFor = async (id: number, as: TestUser) =>
    (await library.request({ url: `/api/executions/${id}`, as })).status
  test('Switching a chain to show its runs opens no earlier run.', async () => {
    const chain = await share(['one'])
    const before = await run(chain)
    await change(chain, { runsVisibleTo: 'runner' })
    const meanwhile = await run(chain)
    expect(await Promise.all([before, meanwhile].map((id) => statusFor(id, editor)))).toEqual([404, 404])
    await change(chain, { runsVisibleTo: 'editors' })
    const after = await run(chain)
    const seen = await Promise.all([before, meanwhile, after].map((id) => statusFor(id, editor)))
    expect(seen).toEqual([404, 404, 200])
    const url = `/api/chains/${chain.id}/executions`
    const list = (await library.request({ url, as: editor })).body as ChainRunSummary[]
    expect(list.map(({ id, sight }) => [id, sight])).toEqual([[after, 'texts']])
  })

  test('runs from before sharing, and from before the switch existed, stay closed', async () => {
    const chain = await share(['one'], { sharedLevel: 'public' })
    const open = await run(chain)
    await change(chain, { sharedLevel: 'shared' })
    const old = await run(chain)
    await library.db.execute(sql`update executions set runs_opening = null where id = ${old}`)
    expect([await statusFor(open, editor), await statusFor(old, editor)]).toEqual([404, 404])
    expect(await statusFor(old, viewer)).toBe(200)
  })

  test('is the owner’s, and a copy of the chain has it too', async () => {
    const chain = await share(['one'])
    expect((await change(chain, { runsVisibleTo: 'runner' }, editor)).status).toBe(403)
    expect((await change(chain, { runsVisibleTo: 'editors', name: 'Renamed' }, editor)).status).toBe(200)
    await change(chain, { runsVisibleTo: 'runner' })
    const url = `/api/chains/${chain.id}/duplicate`
    const copy = (await library.request({ method: 'POST', url, as: library.owner })).body
    expect(copy).toMatchObject({ runsVisibleTo: 'runner' })
    expect(copy).not.toHaveProperty('visibilityEpoch')
  })

  test('holds for a stream that is open', async () => {
    const chain = await share(['one'])
    library.fake.reply({ text: ['stuck'], fault: 'silence' })
    const id = await library.execute(chain.id, {}, viewer)
    const watcher = new Watcher(`${library.address}/api/executions/${id}/events`, editor)
    await expect.poll(() => watcher.events.length).toBeGreaterThan(0)
    await change(chain, { runsVisibleTo: 'runner' })
    await watcher.done
    expect(watcher.events.map(({ event }) => event)).not.toContain('end')
    await library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: viewer })
  })
})
