import type { Chain, ChainStep, ChainVersion, Variable, VariableUsage } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { importZip, openExport } from '../exports/testing/open-export.ts'

const FULL = { list: 'rows', as: 'row', max: 20, atOnce: 4, onFailure: 'leave_out', result: 'json' }
const USUAL = { list: 'rows', as: 'item', max: 50, atOnce: 3, onFailure: 'stop', result: 'text' }

describe.each(routeDatabaseKinds)('steps that run for each item of a list, on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const send = (method: 'POST' | 'PATCH', path: string, body: object = {}) =>
    library.request({ method, url: `/api/chains/${path}`, body, as: library.owner })
  const read = async (id: number, as = library.owner) =>
    (await library.request({ url: `/api/chains/${id}`, as })).body as Chain
  const add = async (id: number, fields: object) => {
    const reply = await send('POST', `${id}/steps`, { position: 9, content: 'Say {{item}}', ...fields })
    expect(reply.status, reply.text).toBe(201)
    return reply.body as ChainStep
  }
  const pathsOf = (body: unknown) => (body as { details: { path: string }[] }).details.map(({ path }) => path)
  /** One step makes rows, the next runs for each of them that is not empty. */
  const makeChain = async (fields: object = {}) => {
    const { id } = await library.createChain(library.owner, fields)
    await add(id, { outputVariableName: 'rows', content: '{{input}}' })
    const onlyIf = {
      all: [
        { ref: 'row.name', op: 'is_empty', not: true },
        { ref: 'index', op: '<', value: '5' },
      ],
    }
    await add(id, { outputVariableName: 'answers', content: 'Answer {{row}}', onlyIf, forEach: FULL })
    return read(id)
  }

  test('What is not said of a list is as usual, and null makes the step run once again.', async () => {
    const { id } = await library.createChain(library.owner)
    const step = await add(id, { outputVariableName: 'a', forEach: { list: 'rows' } })
    expect(step.forEach).toEqual(USUAL)
    const path = `${id}/steps/${step.id}`
    expect((await send('PATCH', path, { title: 'Each' })).body).toMatchObject({ forEach: USUAL })
    const { version } = await read(id)
    await send('PATCH', path, { forEach: USUAL })
    expect((await read(id)).version).toBe(version)
    expect((await send('PATCH', path, { forEach: null })).body).not.toHaveProperty('forEach')
  })

  test.each([
    ['no list', {}, 'forEach.list'],
    ['a list with braces', { list: '{{rows}}' }, 'forEach.list'],
    ['no items', { list: 'rows', max: 0 }, 'forEach.max'],
    ['more items than a step runs for', { list: 'rows', max: 201 }, 'forEach.max'],
    ['more at once than a step runs', { list: 'rows', atOnce: 11 }, 'forEach.atOnce'],
    ['another way with failures', { list: 'rows', onFailure: 'go_on' }, 'forEach.onFailure'],
    ['another result', { list: 'rows', result: 'csv' }, 'forEach.result'],
    ['an item with the name of its number', { list: 'rows', as: 'Index' }, 'forEach.as'],
    ['an item with the name of the input', { list: 'rows', as: 'input' }, 'forEach.as'],
    ['an item that is no name', { list: 'rows', as: 'a b' }, 'forEach.as'],
    ['an item with the name of an earlier output', { list: 'rows', as: 'Rows' }, 'forEach.as'],
    ['an item with the name of the step’s output', { list: 'rows', as: 'answers' }, 'forEach.as'],
    ['an unknown field', { list: 'rows', until: 'x' }, 'forEach'],
  ])('%s is refused with its place', async (_, forEach, path) => {
    const { id } = await library.createChain(library.owner)
    await add(id, { outputVariableName: 'rows', content: '{{input}}' })
    const step = { outputVariableName: 'answers', content: 'x', position: 10, forEach }
    const refused = await send('POST', `${id}/steps`, step)
    expect([refused.status, refused.text]).toEqual([400, expect.any(String)])
    expect(pathsOf(refused.body)).toEqual([path])
  })

  test('Neither item nor index is the name of an output; a step that has it from before keeps it.', async () => {
    const { id } = await library.createChain(library.owner)
    for (const name of ['item', 'Index']) {
      const refused = await send('POST', `${id}/steps`, { outputVariableName: name, content: 'x' })
      expect([refused.status, pathsOf(refused.body)]).toEqual([400, ['outputVariableName']])
    }
    const { id: stepId } = await add(id, { outputVariableName: 'old' })
    await library.db.execute(`update chain_steps set output_variable_name = 'item' where id = ${stepId}`)
    const path = `${id}/steps/${stepId}`
    expect((await send('PATCH', path, { outputVariableName: 'item', content: 'y' })).status).toBe(200)
    expect((await send('PATCH', path, { outputVariableName: 'index' })).status).toBe(400)
    const later = { outputVariableName: 'b', content: 'x', position: 10, forEach: { list: 'rows' } }
    const refused = await send('POST', `${id}/steps`, later)
    expect([refused.status, pathsOf(refused.body)]).toEqual([400, ['forEach.as']])
    const named = { ...later, forEach: { list: 'rows', as: 'row' } }
    expect((await send('POST', `${id}/steps`, named)).status).toBe(201)
  })

  test('a step of kind stop has no list', async () => {
    const { id } = await library.createChain(library.owner)
    const stop = { kind: 'stop', stop: { outcome: 'completed', text: 'End' }, outputVariableName: '' }
    const refused = await send('POST', `${id}/steps`, { ...stop, forEach: { list: 'rows' } })
    expect([refused.status, pathsOf(refused.body)]).toEqual([400, ['forEach']])
    const { id: stepId } = await add(id, { outputVariableName: 'a', forEach: { list: 'rows' } })
    const ended = await send('PATCH', `${id}/steps/${stepId}`, stop)
    expect(ended.status, ended.text).toBe(200)
    expect(ended.body).not.toHaveProperty('forEach')
  })

  test('Versions, copies and folders carry the list of a step.', async () => {
    const chain = await makeChain({ name: 'Loops' })
    const listsOf = ({ steps }: Pick<Chain, 'steps'>) => steps.map(({ forEach }) => forEach)
    expect(listsOf(chain)).toEqual([undefined, FULL])
    const second = chain.steps[1]?.id
    expect((await send('POST', `${chain.id}/steps/${second}/duplicate`)).body).toMatchObject({
      forEach: FULL,
    })
    await send('PATCH', `${chain.id}/steps/${second}`, { forEach: null })
    const url = `/api/chains/${chain.id}/versions/${chain.version}`
    const kept = (await library.request({ url, as: library.owner })).body as ChainVersion
    expect(listsOf(kept as never)).toEqual([undefined, FULL])
    await send('POST', `${chain.id}/versions/${chain.version}/restore`)
    expect(listsOf(await read(chain.id))).toEqual([undefined, FULL])
    expect(listsOf((await send('POST', `${chain.id}/duplicate`)).body as Chain)).toEqual([undefined, FULL])

    const exported = await openExport(library, library.owner)
    expect(exported.files['chains/loops.yaml']).toContain('forEach:')
    const empty = await startLibrary(kind)
    expect((await importZip(empty, empty.owner, exported)).losses).toEqual([])
    expect((await openExport(empty, empty.owner)).files).toEqual(exported.files)
    await empty.close()
  })

  test('A list that is a variable is a use of it, is renamed with it, and whoever brought it in is known (D69).', async () => {
    const orders = await library.createVariable(library.owner, { name: 'orders' })
    const row = await library.createVariable(library.owner, { name: 'row' })
    const { id } = await library.createChain(library.owner, { name: 'Orders', sharedLevel: 'public' })
    const onlyIf = { all: [{ ref: 'row', op: 'is_empty', not: true }] }
    await add(id, {
      outputVariableName: 'a',
      onlyIf,
      content: '{{row}}',
      forEach: { list: 'orders', as: 'row' },
    })
    // Here the name means what the step before makes.
    await add(id, { outputVariableName: 'orders', content: 'x' })
    await add(id, { outputVariableName: 'c', forEach: { list: 'orders' } })
    const usesOf = async (variable: Variable) => {
      const url = `/api/variables/${variable.id}/usage`
      const { chains } = (await library.request({ url, as: library.owner })).body as VariableUsage
      return chains.find((chain) => chain.id === id)?.steps
    }
    expect([await usesOf(orders), await usesOf(row)]).toEqual([1, undefined])
    const seen = await read(id, library.other)
    expect(seen.steps[0]?.othersNames).toEqual(['orders'])
    const body = { name: 'purchases', type: orders.type, content: orders.content, renameReferences: true }
    const url = `/api/variables/${orders.id}`
    expect((await library.request({ method: 'PATCH', url, body, as: library.owner })).status).toBe(200)
    expect((await read(id)).steps.map(({ forEach }) => forEach?.list)).toEqual([
      'purchases',
      undefined,
      'orders',
    ])
  })
})
