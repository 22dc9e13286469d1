import type { Chain, ChainStep } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeStepAsk } from '../../testing/asks.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

const HIGH = { ref: 'triage', op: 'is', value: 'high' }

describe.each(routeDatabaseKinds)('what a chain does otherwise, on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const read = async (id: number) =>
    (await library.request({ url: `/api/chains/${id}`, as: library.owner })).body as Chain
  const addElse = (chain: Chain, index: number, body?: object, as: TestUser = library.owner) =>
    library.request({
      method: 'POST',
      url: `/api/chains/${chain.id}/steps/${chain.steps[index]?.id}/else`,
      as,
      ...(body && { body }),
    })
  /** Steps at one position, so that one which is added stands behind all of them. */
  const makeChain = async (...steps: object[]) => {
    const { id } = await library.createChain(library.owner)
    for (const fields of steps) await library.createStep(library.owner, id, { position: 1, ...fields })
    return read(id)
  }
  const triage = { outputVariableName: 'triage' }
  const mail = { outputVariableName: 'mail', onlyIf: { any: [HIGH] } }

  test('A step that runs where another does not is added right behind it, with the opposite condition.', async () => {
    const chain = await makeChain(triage, mail, { outputVariableName: 'last' })
    const reply = await addElse(chain, 1, { title: 'Otherwise', content: 'Write', note: 'Both ways' })
    expect(reply.status, reply.text).toBe(201)
    const { steps, version, revision } = await read(chain.id)
    expect(steps.map(({ outputVariableName }) => outputVariableName)).toEqual([
      'triage',
      'mail',
      'mail_2',
      'last',
    ])
    expect(reply.body).toMatchObject({ id: steps[2]?.id, position: steps[2]?.position, title: 'Otherwise' })
    expect(steps[2]?.onlyIf).toEqual({ all: [{ ...HIGH, not: true }] })
    expect([version, revision]).toEqual([chain.version + 1, chain.revision + 1])
    const again = await addElse(await read(chain.id), 2)
    expect((again.body as ChainStep).onlyIf).toEqual({ any: [HIGH] })
    expect(again.body).toMatchObject({ outputVariableName: 'mail_3', content: '', model: 'openai' })
  })

  test('it may be of another kind, and go through the same list where the condition names its item', async () => {
    const ofItems = { forEach: { list: 'triage' }, onlyIf: { all: [{ ref: 'item', op: 'is_empty' }] } }
    const chain = await makeChain(triage, { ...ofItems, outputVariableName: 'each' })
    expect((await addElse(chain, 1)).body).toMatchObject({
      ...{ forEach: { list: 'triage', as: 'item' }, onlyIf: { any: [{ ref: 'item', not: true }] } },
    })
    const plain = await makeChain(triage, mail)
    const stop = { kind: 'stop', stop: { outcome: 'completed', text: 'Nothing' } }
    expect((await addElse(plain, 1, stop)).body).toMatchObject({ kind: 'stop', outputVariableName: '' })
    const asked = await addElse(plain, 1, {
      kind: 'ask',
      ask: makeStepAsk({ people: [library.other.user.username] }),
    })
    expect(asked.body).toMatchObject({ kind: 'ask', outputVariableName: 'mail_2' })
  })

  test('A step without a condition has nothing else: 409. A stale revision and a name that is taken are refused as for any step.', async () => {
    const chain = await makeChain(triage, mail)
    expect((await addElse(chain, 0)).status).toBe(409)
    expect((await addElse(chain, 1, { outputVariableName: 'TRIAGE' })).status).toBe(409)
    expect((await addElse(chain, 1, { onlyIf: { all: [HIGH] } })).status).toBe(400)
    expect((await addElse(chain, 1, { revision: chain.revision - 1 })).status).toBe(409)
    expect(
      (await addElse({ ...chain, steps: [{ ...chain.steps[0], id: 2_000_000_000 }] } as Chain, 0)).status,
    ).toBe(404)
    expect(await read(chain.id)).toEqual(chain)
  })

  test('What the condition names stays whose it was: another’s name is asked for, also in the step that copies it (D69).', async () => {
    const editor = await library.registerUser({ username: `Edda-${kind}` })
    const chain = await makeChain(triage, { ...mail, onlyIf: { all: [{ ref: 'client', op: 'is_empty' }] } })
    const body = [{ username: editor.user.username, role: 'editor' }]
    await library.request({ method: 'PUT', url: `/api/chains/${chain.id}/shares`, body, as: library.owner })
    const patch = {
      method: 'PATCH' as const,
      url: `/api/chains/${chain.id}`,
      body: { sharedLevel: 'shared' },
    }
    await library.request({ ...patch, as: library.owner })
    const added = await addElse(chain, 1, { content: 'Write $<own>' }, editor)
    expect(added.status, added.text).toBe(201)
    expect((added.body as ChainStep).othersNames).toEqual(['client'])
  })
})
