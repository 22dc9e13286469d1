import type { Chain, ChainStep } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, promptBody, startLibrary } from '../../testing/library.ts'
import { findRunRights, openChainForRun, requireVisibleChain } from './chains.ts'

describe.each(routeDatabaseKinds)('steps that are linked to prompts on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const read = async (id: number, as = library.owner) =>
    (await library.request({ url: `/api/chains/${id}`, as })).body as Chain
  const linkedOf = (chain: Chain) => chain.steps.map((step) => step.linkedPrompt)

  /** A public chain with one step that is linked to a private prompt of its owner. */
  async function makeLinked() {
    const { owner } = library
    const prompt = await library.createPrompt(owner, { title: 'Title', content: 'First $<text>' })
    const chain = await library.createChain(owner, { sharedLevel: 'public' })
    const copy = { promptId: prompt.id, title: 'Title', content: 'First $<text>' }
    const step = await library.createStep(owner, chain.id, copy)
    const body = { ...promptBody(library), title: 'New title', content: 'Second text' }
    await library.request({ method: 'PUT', url: `/api/prompts/${prompt.id}`, body, as: owner })
    return { prompt, chain, step }
  }

  test('people who see the prompt get its current text beside the copy, others only the copy', async () => {
    const { owner, other, admin } = library
    const { prompt, chain, step } = await makeLinked()
    const linkedPrompt = { id: prompt.id, title: 'New title', content: 'Second text', version: 2 }
    expect((await read(chain.id, owner)).steps).toEqual([{ ...step, linkedPrompt }])
    for (const as of [other, admin]) {
      expect((await read(chain.id, as)).steps).toEqual([
        { ...step, othersNames: ['text'], linkedPrompt: null },
      ])
    }
    const guest = await library.request({ url: `/api/chains/${chain.id}` })
    expect(guest.text).not.toContain('Second text')
    const share = { method: 'PATCH', url: `/api/prompts/${prompt.id}/share`, as: owner } as const
    await library.request({ ...share, body: { sharedLevel: 'public' } })
    expect(linkedOf(await read(chain.id, other))).toEqual([linkedPrompt])
    await library.request({ ...share, body: { sharedLevel: 'private' } })
    expect(linkedOf(await read(chain.id, other))).toEqual([null])
    await library.request({ method: 'DELETE', url: `/api/prompts/${prompt.id}`, as: owner })
    expect((await read(chain.id)).steps).toEqual([{ ...step, promptId: null, linkedPrompt: null }])
  })

  test('Choosing a prompt copies its title and content. A run takes the current text if the runner can see it (D29).', async () => {
    const { owner, other } = library
    const { prompt, chain, step } = await makeLinked()
    const { position: _, linkedPrompt: __, othersNames: ___, ...runnable } = step
    const ofChain = { kind: 'chain', id: chain.id, names: [] }
    const ofPrompt = { kind: 'prompt', id: prompt.id, names: [] }
    const current = { title: 'New title', content: 'Second text', promptVersion: 2 }
    const opened = await openChainForRun(library.ctx, { id: chain.id, user: owner.user })
    expect(opened).toEqual({
      id: chain.id,
      name: 'Letter',
      stopsWithoutValue: 'unwatched',
      stopsWhenCut: 'unwatched',
      ownerId: owner.user.id,
      version: 2,
      visibilityEpoch: 1,
      steps: [{ ...runnable, ...current, promptId: prompt.id, others: [ofPrompt, ofChain] }],
    })
    const byOther = await openChainForRun(library.ctx, { id: chain.id, user: other.user })
    expect(byOther.steps).toEqual([
      { ...runnable, promptVersion: null, others: [{ ...ofChain, names: ['text'] }] },
    ])
  })

  test('a run opens what the person sees and has steps, and nothing else', async () => {
    const { owner, other, admin } = library
    const { id } = await library.createChain(owner)
    const empty = { code: 'conflict', message: 'This chain has no steps. Add a step to execute it.' }
    await expect(openChainForRun(library.ctx, { id, user: owner.user })).rejects.toMatchObject(empty)
    await library.createStep(owner, id, { outputVariableName: 'second', position: 2 })
    await library.createStep(owner, id, { outputVariableName: 'first', position: 1 })
    const { steps } = await openChainForRun(library.ctx, { id, user: owner.user })
    expect(steps.map((step) => step.outputVariableName)).toEqual(['first', 'second'])
    for (const { user } of [other, admin]) {
      await expect(openChainForRun(library.ctx, { id, user })).rejects.toMatchObject({ code: 'not_found' })
      await expect(requireVisibleChain(library.ctx, { id, user })).rejects.toMatchObject({
        code: 'not_found',
      })
      expect(await findRunRights(library.ctx, { id, user })).toMatchObject({
        canView: false,
        canSeeRuns: false,
      })
    }
    const rights = () => findRunRights(library.ctx, { id, user: owner.user })
    expect(await rights()).toMatchObject({ canView: true, canSeeRuns: true })
    const visible = { id, name: 'Letter', ownerId: owner.user.id }
    expect(await requireVisibleChain(library.ctx, { id, user: owner.user })).toEqual(visible)
    await library.request({ method: 'DELETE', url: `/api/chains/${id}`, as: owner })
    expect(await rights()).toMatchObject({ canView: false, canSeeRuns: false })
  })

  test('a link is made only to a prompt that the editor sees, and one that was there stays', async () => {
    const { owner, other } = library
    const { prompt: hidden, chain, step } = await makeLinked()
    const share = {
      method: 'PATCH',
      url: `/api/chains/${chain.id}`,
      body: { sharedLevel: 'shared' },
    } as const
    await library.request({ ...share, as: owner })
    const body = [{ username: 'Oskar', role: 'editor' }]
    await library.request({ method: 'PUT', url: `/api/chains/${chain.id}/shares`, body, as: owner })
    const unlinked = await library.createStep(other, chain.id)
    const patch = (stepId: number, fields: object) =>
      library.request({
        method: 'PATCH',
        url: `/api/chains/${chain.id}/steps/${stepId}`,
        body: fields,
        as: other,
      })
    const before = await read(chain.id)
    const message = `There is no prompt with the id ${hidden.id}`
    const refusal = [400, { error: message, details: [{ path: 'promptId', message }] }]
    const added = await library.request({
      method: 'POST',
      url: `/api/chains/${chain.id}/steps`,
      body: { outputVariableName: 'stolen', promptId: hidden.id },
      as: other,
    })
    const linked = await patch(unlinked.id, { promptId: hidden.id })
    for (const reply of [added, linked]) expect([reply.status, reply.body]).toEqual(refusal)
    expect(await read(chain.id)).toEqual(before)
    const kept = await patch(step.id, { promptId: hidden.id, model: 'claude' })
    expect(kept.body).toEqual({ ...step, model: 'claude', othersNames: ['text'], linkedPrompt: null })
    const freed = await patch(step.id, { promptId: null, title: '', content: 'Own text' })
    expect(freed.body).toMatchObject({ promptId: null, title: '', content: 'Own text' })
  })

  test('a step that is linked without its own text takes the text of the prompt', async () => {
    const { owner } = library
    const prompt = await library.createPrompt(owner, { title: 'Title', content: 'Text' })
    const { id } = await library.createChain(owner)
    const texts = { title: 'Title', content: 'Text' }
    expect(await library.createStep(owner, id, { content: '', promptId: prompt.id })).toMatchObject(texts)
    const step = await library.createStep(owner, id, { title: 'Old', content: 'Old' })
    const url = `/api/chains/${id}/steps/${step.id}`
    const body = { promptId: prompt.id, title: 'Named by hand' }
    const reply = await library.request({ method: 'PATCH', url, body, as: owner })
    expect(reply.body).toMatchObject({ title: 'Named by hand', content: 'Text', promptId: prompt.id })
  })

  test('copies keep links only to prompts that the person sees', async () => {
    const { owner, other } = library
    const { prompt: hidden, chain } = await makeLinked()
    const open = await library.createPrompt(owner, { isPublic: true })
    await library.createStep(owner, chain.id, { promptId: open.id, content: 'copy' })
    const copyAs = async (as: typeof owner) => {
      const url = `/api/chains/${chain.id}/duplicate`
      return ((await library.request({ method: 'POST', url, as })).body as Chain).steps
    }
    const links = (steps: ChainStep[]) => steps.map(({ promptId, content }) => [promptId, content])
    expect(links(await copyAs(owner))).toEqual([
      [hidden.id, 'First $<text>'],
      [open.id, 'copy'],
    ])
    expect(links(await copyAs(other))).toEqual([
      [null, 'First $<text>'],
      [open.id, 'copy'],
    ])
  })
})
