import type { Chain, ChainStep, Prompt } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { promptBody } from '../../testing/library.ts'
import { labelsOf } from '../../testing/version-labels.ts'

describe.each(routeDatabaseKinds)('which text of its prompt a step runs, on %s', (kind) => {
  let library: ChainLibrary
  let prompt: Prompt
  beforeAll(async () => {
    library = await startChainLibrary(kind)
    await library.app.start()
  })
  afterAll(() => library.close())
  beforeEach(async () => {
    library.fake.reset()
    // Versions 1 to 3; production is on the first, staging on the second.
    prompt = await library.createPrompt(library.owner, { title: 'One', content: 'first', isPublic: true })
    await save('Two', 'second')
    await save('Three', 'third')
    await labelsOf(library, 'prompt').moved(prompt.id, { label: 'production', version: 1 })
    await labelsOf(library, 'prompt').moved(prompt.id, { label: 'staging', version: 2 })
  })

  const save = (title: string, content: string) =>
    library.request({
      method: 'PUT',
      url: `/api/prompts/${prompt.id}`,
      body: { ...promptBody(library), title, content },
      as: library.owner,
    })
  const read = async (id: number, as = library.owner) =>
    (await library.request({ url: `/api/chains/${id}`, as })).body as Chain
  const linked = (link: object = {}) => ({ promptId: prompt.id, content: '', ...link })
  const patch = (chain: Chain, fields: object, as = library.owner) =>
    library.request({
      method: 'PATCH',
      url: `/api/chains/${chain.id}/steps/${chain.steps[0]?.id}`,
      body: fields,
      as,
    })
  const add = async (chainId: number, fields: object, as = library.owner) =>
    library.request({
      method: 'POST',
      url: `/api/chains/${chainId}/steps`,
      body: { outputVariableName: 'added', ...linked(fields) },
      as,
    })

  test('A step runs its prompt’s current text, a label’s version or a fixed one; the run records which.', async () => {
    const links = [{}, { promptLabel: 'production' }, { promptLabel: 'staging' }, { promptVersion: 2 }]
    const chain = await library.buildChain(links.map(linked))
    const texts = [
      ['third', 3],
      ['first', 1],
      ['second', 2],
      ['second', 2],
    ]
    const shown = (step: ChainStep) => [step.linkedPrompt?.content, step.linkedPrompt?.version]
    expect(chain.steps.map(shown)).toEqual(texts)
    expect(chain.steps.map(({ title, content }) => [title, content])).toEqual([
      ['Three', 'third'],
      ['One', 'first'],
      ['Two', 'second'],
      ['Two', 'second'],
    ])
    const run = await library.ended(await library.execute(chain.id))
    expect(library.sent()).toEqual(texts.map(([content]) => content))
    expect(run.steps.map(({ promptLabel, promptVersion }) => [promptLabel, promptVersion])).toEqual([
      [null, 3],
      ['production', 1],
      ['staging', 2],
      [null, 2],
    ])
    expect(run).toMatchObject({ chainVersion: chain.version, chainLabel: null })
  })

  test('The next run of a step follows a label that moved.', async () => {
    const chain = await library.buildChain([linked({ promptLabel: 'production' })])
    await library.ended(await library.execute(chain.id))
    await labelsOf(library, 'prompt').moved(prompt.id, {
      label: 'production',
      version: 3,
      expectedVersion: 1,
    })
    expect((await read(chain.id)).steps[0]).toMatchObject({
      content: 'first',
      linkedPrompt: { title: 'Three', content: 'third', version: 3 },
    })
    await library.ended(await library.execute(chain.id))
    expect(library.sent()).toEqual(['first', 'third'])
  })

  test('Choosing another prompt, label or version replaces the one before.', async () => {
    const chain = await library.buildChain([linked({ promptLabel: 'production' })])
    const link = async (fields: object) => {
      const { promptId, promptLabel, promptVersion, content } = (await patch(chain, fields)).body as ChainStep
      return [promptId, promptLabel, promptVersion, content]
    }
    expect(await link({ model: 'claude' })).toEqual([prompt.id, 'production', null, 'first'])
    expect(await link({ promptVersion: 2 })).toEqual([prompt.id, null, 2, 'second'])
    expect(await link({ promptLabel: 'staging' })).toEqual([prompt.id, 'staging', null, 'second'])
    expect(await link({ promptLabel: null })).toEqual([prompt.id, null, null, 'third'])
    await link({ promptVersion: 1 })
    const other = await library.createPrompt(library.owner, { content: 'other' })
    expect(await link({ promptId: other.id })).toEqual([other.id, null, null, 'other'])
    expect(await link({ promptId: null, content: 'own' })).toEqual([null, null, null, 'own'])
  })

  test('A label or version that does not exist is refused at its field.', async () => {
    const { id } = await library.createChain(library.owner)
    const refusals: [object, string, string][] = [
      [{ promptLabel: 'nowhere' }, 'promptLabel', 'This prompt has no label “nowhere”'],
      [{ promptVersion: 9 }, 'promptVersion', 'This prompt has no version 9'],
      [{ promptLabel: 'staging', promptVersion: 2 }, 'promptVersion', 'Choose either a label or a version'],
      [
        { promptId: null, content: 'own', promptLabel: 'staging' },
        'promptId',
        'Choose the prompt that the label or version belongs to',
      ],
    ]
    for (const [fields, path, message] of refusals) {
      const reply = await add(id, fields)
      expect([reply.status, reply.body]).toEqual([400, { error: message, details: [{ path, message }] }])
    }
    for (const promptLabel of ['latest', '3', 'Production']) {
      expect((await add(id, { promptLabel })).status).toBe(400)
    }
    expect((await read(id)).steps).toEqual([])
  })

  test('Older versions can be linked by whoever may change the prompt, or where a label points to them.', async () => {
    const { other } = library
    const statuses = async (id: number) => {
      const replies = []
      for (const promptVersion of [1, 2, 3, 4]) {
        const outputVariableName = `v${promptVersion}`
        replies.push((await add(id, { promptVersion, outputVariableName }, other)).status)
      }
      return replies
    }
    await save('Four', 'fourth')
    const mine = await library.createChain(other)
    expect(await statuses(mine.id)).toEqual([201, 201, 400, 201])
    const body = [{ username: 'Oskar', role: 'editor' }]
    await library.request({ method: 'PUT', url: `/api/prompts/${prompt.id}/shares`, body, as: library.owner })
    const again = await library.createChain(other)
    expect(await statuses(again.id)).toEqual([201, 201, 201, 201])
  })

  test('A person who can’t see the prompt runs the step’s copy (D29).', async () => {
    const chain = await library.buildChain([linked({ promptLabel: 'production' })], { sharedLevel: 'public' })
    const share = { method: 'PATCH', url: `/api/prompts/${prompt.id}/share`, as: library.owner } as const
    await library.request({ ...share, body: { sharedLevel: 'private' } })
    await labelsOf(library, 'prompt').moved(prompt.id, {
      label: 'production',
      version: 3,
      expectedVersion: 1,
    })
    expect((await read(chain.id, library.other)).steps[0]).toMatchObject({ linkedPrompt: null })
    await library.ended(await library.execute(chain.id, undefined, library.other), library.other)
    await library.ended(await library.execute(chain.id))
    expect(library.sent()).toEqual(['first', 'third'])
  })

  test('Copies of steps and chains keep their links.', async () => {
    const hidden = await library.createPrompt(library.owner, { content: 'hidden' })
    const chain = await library.buildChain([
      linked({ promptLabel: 'staging' }),
      { promptId: hidden.id, promptVersion: 1, content: 'copy' },
    ])
    const links = ({ steps }: Chain) =>
      steps.map((step) => [step.promptId, step.promptLabel, step.promptVersion])
    const post = (url: string, as = library.owner) => library.request({ method: 'POST', url, as })
    await post(`/api/chains/${chain.id}/steps/${chain.steps[0]?.id}/duplicate`)
    const all = [
      [prompt.id, 'staging', null],
      [prompt.id, 'staging', null],
      [hidden.id, null, 1],
    ]
    expect(links(await read(chain.id))).toEqual(all)
    expect(links((await post(`/api/chains/${chain.id}/duplicate`)).body as Chain)).toEqual(all)
    const url = `/api/chains/${chain.id}`
    await library.request({ method: 'PATCH', url, body: { sharedLevel: 'public' }, as: library.owner })
    const copy = await post(`/api/chains/${chain.id}/duplicate`, library.other)
    expect(links(copy.body as Chain)).toEqual([...all.slice(0, 2), [null, null, null]])
    await library.request({ method: 'DELETE', url: `/api/prompts/${prompt.id}`, as: library.owner })
    expect(links(await read(chain.id))).toEqual([[null, null, null], [null, null, null], all[2]])
  })

  test('A label says what uses it, and can’t be removed as long as something does.', async () => {
    const chain = await library.buildChain([linked({ promptLabel: 'staging' }), linked({ promptVersion: 3 })])
    await save('Four', 'fourth')
    const remove = (path: string) =>
      library.request({ method: 'DELETE', url: `/api/prompts/${prompt.id}/${path}`, as: library.owner })
    expect(await remove('labels/staging?expectedVersion=2')).toMatchObject({
      status: 409,
      body: {
        details: {
          code: 'LABEL_IN_USE',
          dependants: {
            chains: [{ id: chain.id, name: 'Letter', version: null, position: 0, title: 'Two' }],
          },
        },
      },
    })
    expect((await remove('versions/3')).status).toBe(409)
    await patch(chain, { promptLabel: 'production' })
    expect((await remove('labels/staging?expectedVersion=2')).status).toBe(200)
    expect((await remove('labels/production?expectedVersion=1')).status).toBe(409)
  })

  test('a version that is restored brings its links back; where a label is gone the link ends, and the text stays', async () => {
    const chain = await library.buildChain([linked({ promptLabel: 'staging' }), linked({ promptVersion: 2 })])
    for (const step of chain.steps) {
      const url = `/api/chains/${chain.id}/steps/${step.id}`
      await library.request({ method: 'PATCH', url, body: { promptId: null }, as: library.owner })
    }
    const restore = async () => {
      const url = `/api/chains/${chain.id}/versions/${chain.version}/restore`
      const reply = await library.request({ method: 'POST', url, as: library.owner })
      const { steps } = reply.body as Chain
      return steps.map((step) => [step.promptId, step.promptLabel, step.promptVersion, step.content])
    }
    const pinned = [prompt.id, null, 2, 'second']
    expect(await restore()).toEqual([[prompt.id, 'staging', null, 'second'], pinned])
    await patch(chain, { promptId: null })
    const url = `/api/prompts/${prompt.id}/labels/staging?expectedVersion=2`
    expect((await library.request({ method: 'DELETE', url, as: library.owner })).status).toBe(200)
    expect(await restore()).toEqual([[null, null, null, 'second'], pinned])
  })

  test('A label that is gone is reported before a model is asked.', async () => {
    const chain = await library.buildChain([
      'Before.',
      { ...linked({ promptLabel: 'staging' }), title: 'Mail' },
    ])
    await labelsOf(library, 'chain').moved(chain.id, { label: 'production', version: chain.version })
    const url = `/api/chains/${chain.id}/steps/${chain.steps[1]?.id}`
    await library.request({ method: 'PATCH', url, body: { promptLabel: null }, as: library.owner })
    await library.db.execute(
      sql`delete from prompt_labels where prompt_id = ${prompt.id} and label = 'staging'`,
    )
    const token = await library.request({
      method: 'POST',
      url: '/api/tokens',
      body: { name: 'Helpdesk', chainId: chain.id, chainLabel: 'production' },
      as: library.owner,
    })
    const { token: value } = token.body as { token: string }
    const reply = await library.request({
      method: 'POST',
      url: '/v1/messages',
      headers: { authorization: `Bearer ${value}` },
      body: { model: 'any', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] },
    })
    expect(reply).toMatchObject({
      status: 409,
      body: {
        type: 'error',
        error: {
          message:
            'Step 2 “Mail” runs the label “staging” of its prompt, which no longer exists. Choose another one in the step.',
        },
      },
    })
    expect(library.sent()).toEqual([])
  })
})
