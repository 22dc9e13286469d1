import type { Chain } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { daily, type ScheduleLibrary, startScheduleLibrary } from '../../testing/schedules.ts'
import { labelsOf } from '../../testing/version-labels.ts'

let library: ScheduleLibrary
beforeAll(async () => {
  library = await startScheduleLibrary('embedded', { hasMail: false })
  await library.app.start()
})
afterAll(() => library.close())
afterEach(() => library.reset())

/** A chain whose production is its first version, `old`; it says `new` now. */
async function buildLabelled(): Promise<Chain> {
  const chain = await library.buildChain(['old'])
  await labelsOf(library, 'chain').moved(chain.id, { label: 'production', version: chain.version })
  await change(chain, 'new')
  return chain
}

const change = (chain: Chain, content: string) =>
  library.request({
    method: 'PATCH',
    url: `/api/chains/${chain.id}/steps/${chain.steps[0]?.id}`,
    body: { content },
    as: library.owner,
  })

test('The next run of a schedule follows a label that moved.', async () => {
  const chain = await buildLabelled()
  const made = await library.schedule(chain.id, { ...daily, chainLabel: 'production' })
  expect(made.chainLabel).toBe('production')
  await library.passNext(made)
  const [first] = await library.marks(made, [{ state: 'completed' }])
  expect(await library.findRun(first?.executionId ?? 0)).toMatchObject({
    chainVersion: chain.version,
    chainLabel: 'production',
  })
  const { version } = (await library.request({ url: `/api/chains/${chain.id}`, as: library.owner }))
    .body as Chain
  await labelsOf(library, 'chain').moved(chain.id, {
    label: 'production',
    version,
    expectedVersion: chain.version,
  })
  expect((await library.post(`/api/scheduled-runs/${made.id}/execute`)).status).toBe(201)
  await library.marks(made, [{ state: 'completed' }, { state: 'completed', isManual: true }])
  expect(library.sent()).toEqual(['old', 'new'])
})

test('without a label it runs the chain as it is; one that the chain does not have is refused', async () => {
  const chain = await buildLabelled()
  const made = await library.schedule(chain.id, daily)
  expect(made.chainLabel).toBeNull()
  const message = 'This chain has no label “staging”'
  const refusal = { status: 400, body: { error: message, details: [{ path: 'chainLabel', message }] } }
  expect(await library.change(made.id, { chainLabel: 'staging' })).toMatchObject(refusal)
  expect(await library.change(made.id, { chainLabel: 'production' })).toMatchObject({ status: 200 })
  expect(await library.change(made.id, { name: 'Digest' })).toMatchObject({
    body: { chainLabel: 'production' },
  })
  const url = `/api/chains/${chain.id}/labels/production?expectedVersion=${chain.version}`
  expect(await library.request({ method: 'DELETE', url, as: library.owner })).toMatchObject({
    status: 409,
    body: { details: { code: 'LABEL_IN_USE', dependants: { schedules: [{ id: made.id, name: 'Digest' }] } } },
  })
})

test('A label that is gone is reported with the scheduled run.', async () => {
  const { owner } = library
  const prompt = await library.createPrompt(owner, { content: 'first' })
  await labelsOf(library, 'prompt').moved(prompt.id, { label: 'beta', version: 1 })
  const chain = await library.buildChain([{ promptId: prompt.id, promptLabel: 'beta', title: 'Mail' }])
  await labelsOf(library, 'chain').moved(chain.id, { label: 'production', version: chain.version })
  const made = await library.schedule(chain.id, { ...daily, chainLabel: 'production' })
  const url = `/api/chains/${chain.id}/steps/${chain.steps[0]?.id}`
  await library.request({ method: 'PATCH', url, body: { promptLabel: null }, as: owner })
  await library.db.execute(sql`delete from prompt_labels where prompt_id = ${prompt.id}`)
  await library.passNext(made)
  await library.marks(made, [
    {
      state: 'failed',
      reason:
        'Step 1 “Mail” runs the label “beta” of its prompt, which no longer exists. Choose another one in the step.',
    },
  ])
  expect(library.sent()).toEqual([])
})
