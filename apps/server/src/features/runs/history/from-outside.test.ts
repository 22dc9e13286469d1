import type { RunDetails } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { type SharedChains, startSharingChains } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import { serveHttp } from '../../../testing/local-server.ts'

const namesOf = ({ steps }: RunDetails) => steps.map(({ fromOutside = [] }) => fromOutside.toSorted())

describe.each(routeDatabaseKinds)('what came from outside, on %s', (kind) => {
  let library: Gateway
  let share: SharedChains['share']
  let editor: SharedChains['editor']
  let server: Awaited<ReturnType<typeof serveHttp>>
  beforeAll(async () => {
    server = await serveHttp(({ url }, response) => {
      response.writeHead(url === '/news' ? 200 : 500, { 'content-type': 'text/plain' }).end('News')
    })
    const outbound = createOutbound({ allowHosts: [`127.0.0.1:${server.port}`], deadlineMs: 2_000 })
    library = await startGateway(kind, {}, {}, { outbound })
    ;({ share, editor } = await startSharingChains(library))
    const api = (name: string, path: string) =>
      library.createVariable(library.owner, {
        ...{ name, type: 'api', content: '', isPublic: true },
        apiUrl: `http://127.0.0.1:${server.port}${path}`,
      })
    await api('feed', '/news')
    await api('broken', '/none')
    await library.createVariable(library.owner, { name: 'mood', content: 'calm', isPublic: true })
  })
  afterAll(async () => {
    await library.close()
    await server.close()
  })
  beforeEach(() => library.fake.reset())

  test('A run’s step names what it read that came from an API variable, also through the answers of earlier steps.', async () => {
    const chain = await share([
      'Read $<feed> and $<mood>',
      { content: 'Sum up', systemPrompt: 'You read {{a}}.' },
      'Alone {{input}}',
      { content: 'Decide', onlyIf: { all: [{ ref: 'b', op: 'is_empty', not: true }] } },
      { content: '{{item}}', forEach: { list: 'b' } },
      { content: 'Skipped {{a}}', onlyIf: { all: [{ ref: 'a', op: 'is', value: 'never' }] } },
      'Read $<broken>, {{f}} and {{c}}',
    ])
    const id = await library.execute(chain.id, { input: 'A mail' })
    const run = await library.ended(id)
    const names = [['feed'], ['a'], [], ['b'], ['b'], ['a'], []]
    expect(namesOf(run)).toEqual(names)
    expect(run.steps[2]).not.toHaveProperty('fromOutside')
    expect(namesOf(await library.find(id, editor))).toEqual(names)
    const step = await library.request({ url: `/api/executions/${id}/steps/1`, as: editor })
    expect(step.body).toMatchObject({ fromOutside: ['a'] })
  })

  test('The input of a token’s call came from outside, and that of a person did not.', async () => {
    const { chain, value, model } = await library.serve(['Answer {{input}}', 'Again {{a}} {{input_context}}'])
    library.fake.reply({ text: 'One' }, { text: 'Two' })
    const body = { model, messages: [{ role: 'user', content: 'Hello' }] }
    expect((await library.post('/v1/chat/completions', value, body)).status).toBe(200)
    const called = await library.lastRun(chain.id)
    expect(namesOf(called)).toEqual([['input'], ['a', 'input_context']])
    const id = await library.execute(chain.id, { input: 'Hello' })
    expect(namesOf(await library.ended(id))).toEqual([[], []])

    const again = await library.execute(chain.id, { from: { executionId: called.id, position: 1 } })
    expect(namesOf(await library.ended(again))).toEqual([['input'], ['a', 'input_context']])
  })

  test('It is named also where a run is too large to be shown in full, and others see no names with figures alone.', async () => {
    const long = 'x'.repeat(900_000)
    const chain = await share([`Read $<feed> ${long}`, `Again {{a}} ${long}`, `And {{b}} ${long}`])
    const id = await library.execute(chain.id, {})
    const run = await library.ended(id)
    expect(run.steps.some(({ contentClipped }) => contentClipped)).toBe(true)
    expect(namesOf(run)).toEqual([['feed'], ['a'], ['b']])
    const figures = await library.request({ url: `/api/executions/${id}`, as: library.admin })
    expect(figures.body).toMatchObject({ sight: 'figures' })
    expect(figures.text).not.toContain('fromOutside')
  })

  test('A run from a step knows what the steps that it took over had read, though the chain has them no more.', async () => {
    const chain = await library.buildChain(['Read $<feed>', 'Sum up {{a}}', 'Answer {{b}}'])
    const id = await library.execute(chain.id, {})
    await library.ended(id)
    const url = `/api/chains/${chain.id}/steps/${chain.steps[0]?.id}`
    expect((await library.request({ method: 'DELETE', url, as: library.owner })).status).toBe(204)
    const again = await library.execute(chain.id, { from: { executionId: id, position: 1 } })
    const run = await library.ended(again)
    expect(run.steps.map(({ outputVariableName }) => outputVariableName)).toEqual(['b', 'c'])
    expect(namesOf(run)).toEqual([['a'], ['b']])
  })
})
