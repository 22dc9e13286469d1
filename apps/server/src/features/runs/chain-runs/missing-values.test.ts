import type { StopsWithoutValue, Variable } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { OWN_TEXTS_ONLY } from '../../records/consent.ts'
import { startChainRun } from './start-run.ts'

const REASON = 'No file path specified'
const FAILED = {
  ...{ status: 'failed', errorCode: 'value_missing', error: `$<notes> has no value: ${REASON}` },
  ...{ completedSteps: 1, canResume: true },
}

describe.each(routeDatabaseKinds)('a chain with a variable whose value can not be had, on %s', (kind) => {
  let library: ChainLibrary
  let notes: Variable
  beforeAll(async () => {
    library = await startChainLibrary(kind)
    await library.app.start()
  })
  afterAll(() => library.close())
  beforeEach(async () => {
    library.fake.reset()
    if (notes !== undefined) await send('DELETE', `/api/variables/${notes.id}`)
    notes = await library.createVariable(library.owner, { name: 'notes', type: 'file', content: '' })
  })

  const send = (method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) =>
    library.request({ method, url, body, as: library.owner })
  const buildChain = (stopsWithoutValue?: StopsWithoutValue) =>
    library.buildChain(['one', 'Read $<notes> of $<notes>.'], { stopsWithoutValue })
  const start = async (chainId: number, trigger: 'manual' | 'schedule' | 'token') => {
    const { user } = library.owner
    const { id } = await startChainRun(library.app.ctx, { user, allowed: OWN_TEXTS_ONLY, chainId, trigger })
    return library.ended(id)
  }

  test.each([
    ['manual', undefined],
    ['manual', 'unwatched'],
    ['schedule', 'never'],
    ['token', 'never'],
  ] as const)(
    'Where a run goes on without a value, the reference stays as written, with the reason in the step’s record (D44). (%s, %s)',
    async (trigger, stops) => {
      const chain = await buildChain(stops)
      const run = await start(chain.id, trigger)
      expect(library.sent()).toEqual(['one', 'Read $<notes> of $<notes>.'])
      expect(run).toMatchObject({ status: 'completed', error: null })
      expect(run.steps[1]).toMatchObject({
        inputContent: 'Read $<notes> of $<notes>.',
        inputSegments: [
          { start: 5, end: 13, kind: 'variable', name: 'notes' },
          { start: 17, end: 25, kind: 'variable', name: 'notes' },
        ],
        resolved: { notes: { variableId: notes.id, error: REASON } },
      })
    },
  )

  test.each([
    ['manual', 'always'],
    ['schedule', undefined],
    ['token', 'unwatched'],
  ] as const)(
    'Where a run stops without a value, it fails before the call, names the variable, and can be resumed (D44). (%s, %s)',
    async (trigger, stops) => {
      const chain = await buildChain(stops)
      const run = await start(chain.id, trigger)
      expect(run).toMatchObject(FAILED)
      expect(library.sent()).toEqual(['one'])
      expect(run.steps[1]).toMatchObject({
        ...{ status: 'failed', error: FAILED.error, errorCode: FAILED.errorCode },
        ...{ inputContent: 'Read $<notes> of $<notes>.', resolved: { notes: { error: REASON } } },
      })
    },
  )

  test('once the value is there, or no longer needed, the run goes on with the failed step', async () => {
    const chain = await buildChain()
    const [mended, waived] = [await start(chain.id, 'schedule'), await start(chain.id, 'schedule')]
    expect([mended, waived]).toMatchObject([FAILED, FAILED])
    library.fake.reset()
    await send('POST', `/api/executions/${mended.id}/resume`)
    expect(await library.ended(mended.id)).toMatchObject(FAILED)

    await send('PATCH', `/api/chains/${chain.id}`, { stopsWithoutValue: 'never' })
    await send('POST', `/api/executions/${waived.id}/resume`)
    expect(await library.ended(waived.id)).toMatchObject({ status: 'completed' })
    await send('PATCH', `/api/chains/${chain.id}`, { stopsWithoutValue: 'always' })

    const body = { fileName: 'notes.md', content: 'twelve' }
    const { filePath } = (await send('POST', '/api/upload', body)).body as { filePath: string }
    const filled = await send('PATCH', `/api/variables/${notes.id}`, {
      ...{ name: 'notes', type: 'file' },
      content: filePath,
    })
    expect(filled.status).toBe(200)
    await send('POST', `/api/executions/${mended.id}/resume`)
    expect(await library.ended(mended.id)).toMatchObject({ status: 'completed', error: null })
    expect(library.sent()).toEqual(['Read $<notes> of $<notes>.', 'Read twelve of twelve.'])
  })

  test('a variable that is gone stops a run like one without its value', async () => {
    await send('DELETE', `/api/variables/${notes.id}`)
    for (const name of ['notes', 'constructor']) {
      const chain = await library.buildChain(['one', `Read $<${name}>.`], { stopsWithoutValue: 'always' })
      expect(await start(chain.id, 'manual')).toMatchObject({
        ...FAILED,
        error: `$<${name}> has no value: There is no variable with this name`,
      })
    }
    notes = await library.createVariable(library.owner, { name: 'notes', content: 'back' })
  })

  test('A chain chooses whether it stops when a value can’t be had; for schedules and tokens that is on.', async () => {
    const chain = await buildChain('always')
    const copy = await send('POST', `/api/chains/${chain.id}/duplicate`)
    expect([chain, copy.body]).toMatchObject([
      { stopsWithoutValue: 'always' },
      { stopsWithoutValue: 'always' },
    ])
    const refused = await send('PATCH', `/api/chains/${chain.id}`, { stopsWithoutValue: 'sometimes' })
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('stopsWithoutValue')])
  })
})
