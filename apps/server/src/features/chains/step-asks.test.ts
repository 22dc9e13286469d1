import type { Chain, ChainStep, StepAsk, Variable, VariableUsage } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeStepAsk } from '../../testing/asks.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { importZip, openExport } from '../exports/testing/open-export.ts'

describe.each(routeDatabaseKinds)('steps that ask people, on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const people = () => [library.other.user.username]
  const send = (method: 'POST' | 'PATCH', path: string, body: object = {}, as = library.owner) =>
    library.request({ method, url: `/api/chains/${path}`, body, as })
  const add = (id: number, ask: Partial<StepAsk> = {}, more: object = {}) =>
    send('POST', `${id}/steps`, {
      ...{ position: 9, content: '', kind: 'ask', outputVariableName: 'approval' },
      ask: makeStepAsk({ people: people(), ...ask }),
      ...more,
    })
  const askOf = ({ steps }: Chain) => steps[0]?.ask

  test('A step of kind ask has neither model nor content, and says what it asks of whom.', async () => {
    const { id } = await library.createChain(library.owner)
    const added = await add(id)
    expect(added.status, added.text).toBe(201)
    expect(added.body).toMatchObject({ kind: 'ask', model: null, content: '', ask: { people: people() } })
    const step = added.body as ChainStep
    const asPrompt = await send('PATCH', `${id}/steps/${step.id}`, { kind: 'prompt', content: 'Write' })
    expect(asPrompt.body).toMatchObject({ model: 'openai', content: 'Write' })
    expect(asPrompt.body).not.toHaveProperty('ask')
  })

  test.each([
    [{}, { model: 'openai' }, 'A step of kind ask asks no model'],
    [{}, { content: 'Write' }, 'A step of kind ask does not have this, as it asks no model'],
    [{}, { outputVariableName: '' }, 'Output variable name is required'],
    [{}, { kind: 'prompt' }, 'Only a step of kind ask asks people'],
    [{}, { default: 'none' }, 'The step answers in JSON, so its default must be JSON too'],
    [{ onDeadline: 'never' }, {}, 'Choose what holds when nobody answers in time'],
    [{ choices: [] }, {}, 'Add a choice'],
    [{ deadlineMinutes: 43_201 }, {}, 'At most 30 days'],
    [{ people: ['nobody_here'] }, {}, 'There is no account named nobody_here'],
    [{ groups: ['Nobody here'] }, {}, 'There is no group named Nobody here'],
  ])('refuses %j with %j: %s', async (ask, more, message) => {
    const { id } = await library.createChain(library.owner)
    const reply = await add(id, ask, more)
    expect([reply.status, reply.body]).toMatchObject([400, { error: message }])
  })

  test('Files and copies of others’ chains name nobody, and a file that comes back leaves whom a step asks as it was.', async () => {
    const { id } = await library.createChain(library.owner, { name: 'Asks', sharedLevel: 'public' })
    expect((await add(id)).status).toBe(201)
    const copied = (await send('POST', `${id}/duplicate`, {}, library.other)).body as Chain
    expect(askOf(copied)).toMatchObject({ people: [], groups: [], question: 'Send this answer?' })
    const own = (await send('POST', `${id}/duplicate`)).body as Chain
    expect(askOf(own)).toMatchObject({ people: people() })

    const exported = await openExport(library, library.owner)
    expect(exported.files['chains/asks.yaml']).toContain('kind: ask')
    expect(exported.files['chains/asks.yaml']).not.toContain(people()[0])
    const again = await importZip(library, library.owner, exported)
    expect(new Set(again.items.map(({ state }) => state))).toEqual(new Set(['same']))
    const { body } = await library.request({ url: `/api/chains/${id}`, as: library.owner })
    expect(askOf(body as Chain)).toMatchObject({ people: people() })
  })

  test('A name in the text of an ask is a use of the variable, and is renamed with it.', async () => {
    const variable: Variable = await library.createVariable(library.owner, { name: 'client' })
    const { id } = await library.createChain(library.owner)
    await add(id, { text: 'Send it to $<client>?' })
    const url = `/api/variables/${variable.id}`
    const { chains } = (await library.request({ url: `${url}/usage`, as: library.owner }))
      .body as VariableUsage
    expect(chains.map((chain) => chain.id)).toContain(id)
    const { type, content } = variable
    const body = { name: 'customer', type, content, renameReferences: true }
    expect((await library.request({ method: 'PATCH', url, body, as: library.owner })).status).toBe(200)
    const chain = (await library.request({ url: `/api/chains/${id}`, as: library.owner })).body as Chain
    expect(askOf(chain)).toMatchObject({ text: 'Send it to $<customer>?' })
  })
})
