import type { Chain, ChainStep, ChainVersion, Variable, VariableUsage } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { importZip, openExport } from '../exports/testing/open-export.ts'

const IS_HIGH = { ref: 'triage.severity', op: 'is', value: 'high' }
const STOP = { kind: 'stop', stop: { outcome: 'failed', text: 'Out of scope: $<client>' } }

describe.each(routeDatabaseKinds)('what steps do and when, on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const send = (method: 'POST' | 'PATCH', path: string, body: object = {}) =>
    library.request({ method, url: `/api/chains/${path}`, body, as: library.owner })
  const read = async (id: number) =>
    (await library.request({ url: `/api/chains/${id}`, as: library.owner })).body as Chain
  const add = async (id: number, fields: object) => {
    const reply = await send('POST', `${id}/steps`, { position: 9, content: '', ...fields })
    expect(reply.status, reply.text).toBe(201)
    return reply.body as ChainStep
  }
  /** A mail that is triaged, answered if it is urgent, and refused otherwise, twice. */
  const makeChain = async (fields: object = {}) => {
    const { id } = await library.createChain(library.owner, fields)
    await add(id, { outputVariableName: 'triage', content: '{{input}}' })
    const onlyIf = { any: [IS_HIGH, { all: [{ ref: 'client', op: 'is_empty', not: true }] }] }
    await add(id, {
      outputVariableName: 'mail',
      content: 'Write',
      onlyIf,
      default: 'none',
      ifItFails: 'go_on',
    })
    await add(id, { ...STOP, onlyIf: { all: [{ ref: 'mail', op: 'is', value: 'none' }] } })
    await add(id, { ...STOP, outputVariableName: 'end' })
    return read(id)
  }

  test('A step is a prompt unless it says another kind; one that ends the run has neither model nor output name.', async () => {
    const chain = await makeChain()
    expect(chain.steps).toMatchObject([
      { outputVariableName: 'triage', model: 'openai' },
      { onlyIf: { any: [IS_HIGH, {}] }, default: 'none', ifItFails: 'go_on' },
      { kind: 'stop', model: null, content: '', outputVariableName: '', stop: STOP.stop },
      { kind: 'stop', model: null, outputVariableName: 'end' },
    ])
    for (const name of ['kind', 'onlyIf', 'default', 'ifItFails', 'stop'])
      expect(chain.steps[0]).not.toHaveProperty(name)
    const { version } = chain
    const said = { kind: 'prompt', ifItFails: 'stop', onlyIf: null, default: null }
    const reply = await send('PATCH', `${chain.id}/steps/${chain.steps[0]?.id}`, said)
    expect(reply.body).not.toHaveProperty('kind')
    expect((await read(chain.id)).version).toBe(version)
  })

  const deep = { all: [{ any: [{ all: [IS_HIGH] }] }] }
  const many = (count: number) => Array.from({ length: count }, () => IS_HIGH)
  test.each([
    ['a stop step with a model', { ...STOP, model: 'openai' }, 'model'],
    ['a stop step with a text to send', { ...STOP, content: 'Write' }, 'content'],
    ['a stop step with a temperature', { ...STOP, temperature: 1 }, 'temperature'],
    ['a stop step that does not say how', { kind: 'stop' }, 'stop'],
    ['a stop step with texts to stop at', { kind: 'stop', stop: ['END'] }, 'stop'],
    ['a prompt without a model', { model: null, outputVariableName: 'x' }, 'model'],
    ['a prompt without an output name', { content: 'Write' }, 'outputVariableName'],
    ['a prompt that ends the run', { stop: STOP.stop, outputVariableName: 'x' }, 'stop'],
    ['a condition of nothing', { ...STOP, onlyIf: { all: [] } }, 'onlyIf.all'],
    ['a group of nothing', { ...STOP, onlyIf: { all: [{ any: [] }] } }, 'onlyIf.all.0'],
    ['conditions nested twice', { ...STOP, onlyIf: deep }, 'onlyIf'],
    ['too many conditions', { ...STOP, onlyIf: { any: many(21) } }, 'onlyIf'],
    ['too many in groups', { ...STOP, onlyIf: { any: [{ all: many(15) }, { all: many(6) }] } }, 'onlyIf'],
    [
      'a pattern that is none',
      { ...STOP, onlyIf: { all: [{ ref: 'a', op: 'matches', value: '(' }] } },
      'onlyIf.all.0',
    ],
    ['a name with braces', { ...STOP, onlyIf: { all: [{ ...IS_HIGH, ref: '{{a}}' }] } }, 'onlyIf.all.0'],
    ['an unknown comparison', { ...STOP, onlyIf: { all: [{ ...IS_HIGH, op: 'like' }] } }, 'onlyIf'],
    [
      'a default that is no JSON where the answers are',
      {
        ...{ outputVariableName: 'x', default: 'none' },
        output: { type: 'json', schema: { type: 'object', properties: {}, additionalProperties: false } },
      },
      'default',
    ],
    ['another kind', { kind: 'wait', outputVariableName: 'x' }, 'kind'],
  ])('%s is refused with its place', async (_, fields, path) => {
    const { id } = await library.createChain(library.owner)
    const refused = await send('POST', `${id}/steps`, fields)
    expect([refused.status, refused.text]).toEqual([400, expect.any(String)])
    const { details } = refused.body as { details: { path: string }[] }
    expect(details.map((one) => one.path.replaceAll(/\[(\d+)\]/g, '.$1'))).toEqual(
      expect.arrayContaining([expect.stringMatching(new RegExp(`^${path.replaceAll('.', '\\.')}`))]),
    )
    expect((await read(id)).steps).toEqual([])
  })

  test('a step that becomes of another kind loses what that has not', async () => {
    const { id } = await library.createChain(library.owner)
    const { id: stepId } = await add(id, { content: 'Write', temperature: 1, outputVariableName: 'a' })
    const path = `${id}/steps/${stepId}`
    const ended = await send('PATCH', path, STOP)
    expect([ended.status, ended.body]).toMatchObject([
      200,
      { kind: 'stop', model: null, content: '', temperature: null, outputVariableName: 'a' },
    ])
    expect((await send('PATCH', path, { model: 'openai' })).status).toBe(400)
    const asks = await send('PATCH', path, { kind: 'prompt', content: 'Write' })
    expect([asks.status, asks.body]).toMatchObject([200, { model: 'openai', content: 'Write' }])
    expect(asks.body).not.toHaveProperty('stop')
  })

  test('Versions, copies and folders carry what a step does and when.', async () => {
    const chain = await makeChain({ name: 'Decides' })
    const flowOf = ({ steps }: Pick<Chain, 'steps'>) =>
      steps.map(({ kind: of, onlyIf, default: value, ifItFails, stop, model }) => {
        return { of, onlyIf, value, ifItFails, stop, model }
      })
    const whole = flowOf(chain)
    const [, second, third] = chain.steps
    const copied = await send('POST', `${chain.id}/steps/${third?.id}/duplicate`)
    expect(copied.body).toMatchObject({ kind: 'stop', outputVariableName: '', stop: STOP.stop })
    await send('PATCH', `${chain.id}/steps/${second?.id}`, { onlyIf: null, default: null, ifItFails: null })
    const url = `/api/chains/${chain.id}/versions/${chain.version}`
    const kept = (await library.request({ url, as: library.owner })).body as ChainVersion
    expect(flowOf(kept as never)).toEqual(whole)
    await send('POST', `${chain.id}/versions/${chain.version}/restore`)
    expect(flowOf(await read(chain.id))).toEqual(whole)
    const copy = (await send('POST', `${chain.id}/duplicate`)).body as Chain
    expect(flowOf(copy)).toEqual(whole)

    const exported = await openExport(library, library.owner)
    expect(exported.files['chains/decides.yaml']).toContain('kind: stop')
    const empty = await startLibrary(kind)
    expect((await importZip(empty, empty.owner, exported)).losses).toEqual([])
    expect((await openExport(empty, empty.owner)).files).toEqual(exported.files)
    const again = await importZip(empty, empty.owner, exported)
    expect(new Set(again.items.map(({ state }) => state))).toEqual(new Set(['same']))
    await empty.close()
  })

  test('A name in a condition or in the text of a stop step is a use of the variable, and is renamed with it.', async () => {
    const variables: Variable[] = []
    for (const name of ['client', 'triage', 'mail'])
      variables.push(await library.createVariable(library.owner, { name }))
    const chain = await makeChain({ name: 'Uses' })
    const usesOf = async (variable: Variable | undefined) => {
      const url = `/api/variables/${variable?.id}/usage`
      const { chains } = (await library.request({ url, as: library.owner })).body as VariableUsage
      return chains.find(({ id }) => id === chain.id)?.steps
    }
    const [client, triage, mail] = variables
    expect(await usesOf(client)).toBe(3)
    // These are outputs of earlier steps, which go before variables.
    expect([await usesOf(triage), await usesOf(mail)]).toEqual([undefined, undefined])
    for (const [variable, name] of [
      [client, 'customer'],
      [mail, 'letter'],
    ] as const) {
      const { id, type, content } = variable as Variable
      const body = { name, type, content, renameReferences: true }
      const url = `/api/variables/${id}`
      expect((await library.request({ method: 'PATCH', url, body, as: library.owner })).status).toBe(200)
    }
    expect((await read(chain.id)).steps).toMatchObject([
      {},
      { onlyIf: { any: [IS_HIGH, { all: [{ ref: 'customer' }] }] } },
      { onlyIf: { all: [{ ref: 'mail' }] }, stop: { text: 'Out of scope: $<customer>' } },
      { stop: { text: 'Out of scope: $<customer>' } },
    ])
  })

  test('Whoever brought a name into a condition is known, as of a text (D69).', async () => {
    const chain = await makeChain({ name: 'Names', sharedLevel: 'public' })
    const seen = (await library.request({ url: `/api/chains/${chain.id}`, as: library.other })).body as Chain
    expect(seen.steps.map(({ othersNames }) => othersNames?.includes('client'))).toEqual([
      false,
      true,
      true,
      true,
    ])
    expect(chain.steps.flatMap(({ othersNames = [] }) => othersNames)).toEqual([])
  })
})
