import type {
  Chain,
  ChainStep,
  Prompt,
  PromptVersion,
  Variable,
  VariableUsageCount,
} from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

describe.each(routeDatabaseKinds)('use of variables on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const post = async <T>(url: string, body: object, as: TestUser) => {
    const reply = await library.request({ method: 'POST', url, body, as })
    if (reply.status !== 201) throw new Error(reply.text)
    return reply.body as T
  }
  const createChain = async (as: TestUser, contents: string[], fields: object = {}) => {
    const { id } = await post<Chain>('/api/chains', { name: 'Chain', ...fields }, as)
    for (const [place, content] of contents.entries()) {
      const step = { title: `Step ${place}`, content, outputVariableName: `out_${place}`, position: place }
      await post<ChainStep>(`/api/chains/${id}/steps`, step, as)
    }
    return (await library.request({ url: `/api/chains/${id}`, as })).body as Chain
  }
  const counts = async ({ id }: Variable, as: TestUser) => {
    const all = (await library.request({ url: '/api/variables/usage', as })).body as VariableUsageCount[]
    const { prompts, chains } = all.find((one) => one.id === id) ?? {}
    return [prompts, chains]
  }
  const usage = async ({ id }: Pick<Variable, 'id'>, as?: TestUser) =>
    library.request({ url: `/api/variables/${id}/usage`, as })
  const rename = (
    variable: Variable,
    name: string,
    { as, ...fields }: { as: TestUser } & Record<string, unknown>,
  ) => {
    const { id, type, content } = variable
    const body = { name, type, content, renameReferences: true, ...fields }
    return library.request({ method: 'PATCH', url: `/api/variables/${id}`, body, as })
  }
  const promptNow = async ({ id }: Prompt, as: TestUser) =>
    (await library.request({ url: `/api/prompts/${id}`, as })).body as Prompt

  test('own prompts and chains are counted, and all that the person sees are named, whatever the case', async () => {
    const { owner, other } = library
    const variable = await library.createVariable(owner, { name: 'u_tone', isPublic: true })
    const open = await library.createPrompt(owner, {
      ...{ title: 'b open', content: '$<U_Tone> and $<u_tone>', isPublic: true },
    })
    const closed = await library.createPrompt(owner, { title: 'a closed', content: 'é$<u_tone>' })
    await library.createPrompt(owner, {
      content: '$<u_tones> {{u_tone}} $< u_tone> u_tone $<u_toné> $<\u212a>',
    })
    const chain = await createChain(owner, ['$<u_tone>', '$<U_TONE> {{out_0}}', 'none'], { name: 'Mine' })
    const foreign = await createChain(other, ['$<u_tone>'], { name: 'Public', sharedLevel: 'public' })
    expect(await counts(variable, owner)).toEqual([2, 1])
    expect(await counts(variable, other)).toEqual([0, 1])
    expect((await usage(variable, owner)).body).toEqual({
      prompts: [
        { id: closed.id, title: 'a closed', canEdit: true },
        { id: open.id, title: 'b open', canEdit: true },
      ],
      chains: [
        { id: chain.id, name: 'Mine', canEdit: true, steps: 2 },
        { id: foreign.id, name: 'Public', canEdit: false, steps: 1 },
      ],
    })
    expect((await usage(variable, other)).body).toEqual({
      prompts: [{ id: open.id, title: 'b open', canEdit: false }],
      chains: [{ id: foreign.id, name: 'Public', canEdit: true, steps: 1 }],
    })
  })

  test('a name means the own variable, else the oldest public one; only that is used', async () => {
    const { owner, other, admin } = library
    const oldest = await library.createVariable(owner, { name: 'meant', isPublic: true })
    const second = await library.createVariable(other, { name: 'MEANT', isPublic: true })
    for (const as of [owner, other, admin])
      await library.createPrompt(as, { content: '$<meant>', isPublic: as === owner })
    expect([await counts(oldest, admin), await counts(second, admin)]).toEqual([
      [1, 0],
      [0, 0],
    ])
    expect([await counts(oldest, other), await counts(second, other)]).toEqual([
      [0, 0],
      [1, 0],
    ])
    expect((await usage(oldest, other)).body).toEqual({ prompts: [], chains: [] })
    expect((await usage(second, other)).body).toMatchObject({
      prompts: [{ canEdit: false }, { canEdit: true }],
    })
    expect((await usage(oldest, admin)).body).toMatchObject({
      prompts: [{ canEdit: true }, { canEdit: true }],
    })
  })

  test('chains that are shared with the person count, and the names of a text are found as the template language has them', async () => {
    const { owner, other } = library
    const variable = await library.createVariable(owner, { name: 'u_shared', isPublic: true })
    const chain = await createChain(owner, ['$<u_shared>'], { sharedLevel: 'shared' })
    expect(await counts(variable, other)).toEqual([0, 0])
    const shares = [{ username: 'Oskar', role: 'viewer' }]
    await library.request({ method: 'PUT', url: `/api/chains/${chain.id}/shares`, body: shares, as: owner })
    expect(await counts(variable, other)).toEqual([0, 1])
    const texts = ['$<$<u_shared>', 'a$<U_SHARED>$<u_shared', '$<x>'.repeat(3), `${'$<'.repeat(60)}u_shared>`]
    for (const content of texts) await library.createPrompt(other, { content })
    for (const content of ['$<u_shared', '$<u_shared >', `$<${'x'.repeat(50)}u_shared>`])
      await library.createPrompt(other, { content })
    expect(await counts(variable, other)).toEqual([3, 1])
  })

  test('references in system prompts and turns count, and a rename goes on into them', async () => {
    const { owner } = library
    const variable = await library.createVariable(owner, { name: 'u_role' })
    const messages = [
      { role: 'user', content: 'As $<u_role>' },
      { role: 'assistant', content: '$<u_roles>' },
    ]
    const bySystem = await library.createPrompt(owner, {
      title: 'a',
      content: 'x',
      systemPrompt: '$<U_Role>',
    })
    const byTurns = await library.createPrompt(owner, { title: 'b', content: 'x', messages, effort: 'low' })
    await library.createPrompt(owner, { content: 'x $<u', systemPrompt: '_role> $<u_', stop: ['$<u_role>'] })
    const { id } = await createChain(owner, ['x', 'y'], { name: 'Mine' })
    const chainUrl = `/api/chains/${id}`
    const before = (await library.request({ url: chainUrl, as: owner })).body as Chain
    const [first, second] = before.steps
    const texts: [ChainStep | undefined, object][] = [
      [first, { systemPrompt: 'Be $<u_role>' }],
      [second, { messages, stop: ['END'] }],
    ]
    for (const [step, body] of texts) {
      const url = `${chainUrl}/steps/${step?.id}`
      expect((await library.request({ method: 'PATCH', url, body, as: owner })).status).toBe(200)
    }
    expect(await counts(variable, owner)).toEqual([2, 1])
    expect((await usage(variable, owner)).body).toMatchObject({
      prompts: [{ id: bySystem.id }, { id: byTurns.id }],
      chains: [{ id, steps: 2 }],
    })
    expect((await rename(variable, 'u_part', { as: owner })).status).toBe(200)
    expect(await counts(variable, owner)).toEqual([2, 1])
    const turns = [{ role: 'user', content: 'As $<u_part>' }, messages[1]]
    expect(await promptNow(bySystem, owner)).toMatchObject({ systemPrompt: '$<u_part>', version: 2 })
    expect(await promptNow(byTurns, owner)).toMatchObject({ messages: turns, effort: 'low', version: 2 })
    const version = `/api/prompts/${byTurns.id}/versions/2`
    expect((await library.request({ url: version, as: owner })).body).toMatchObject({ messages: turns })
    const after = (await library.request({ url: chainUrl, as: owner })).body as Chain
    expect(after.steps).toMatchObject([
      { content: 'x', systemPrompt: 'Be $<u_part>' },
      { content: 'y', messages: turns, stop: ['END'] },
    ])
  })

  test('a rename that would make a system prompt or turns too long is refused', async () => {
    const { owner } = library
    const variable = await library.createVariable(owner, { name: 'wide' })
    const longer = 'x'.repeat(50)
    const tooLong = async (title: string, fields: object) => {
      const { id } = await library.createPrompt(owner, { title, content: 'x', ...fields })
      const reply = await rename(variable, longer, { as: owner })
      await library.request({ method: 'DELETE', url: `/api/prompts/${id}`, as: owner })
      return [reply.status, reply.body]
    }
    const content = '$<wide>'.repeat(14_000)
    expect(await tooLong('Long', { systemPrompt: content })).toEqual([
      400,
      { error: 'With the longer name, the system prompt of the prompt “Long” would be too long' },
    ])
    expect(await tooLong('Long', { messages: [{ role: 'user', content }] })).toEqual([
      400,
      { error: 'With the longer name, the turns of the prompt “Long” would be too long' },
    ])
  })

  test('a rename reaches a reference in a text with more names than are kept', async () => {
    const { owner } = library
    const variable = await library.createVariable(owner, { name: 'zz_last' })
    const names = Array.from({ length: 1200 }, (_, index) => `$<a${index}>`).join(' ')
    const prompt = await library.createPrompt(owner, { content: `${names} $<zz_last>` })
    const chain = await createChain(owner, [`${names} $<zz_last>`])
    expect((await rename(variable, 'zz_new', { as: owner })).status).toBe(200)
    expect((await promptNow(prompt, owner)).content).toContain('$<zz_new>')
    const { steps } = (await library.request({ url: `/api/chains/${chain.id}`, as: owner })).body as Chain
    const url = `/api/chains/${chain.id}/steps/${steps[0]?.id}`
    expect((await library.request({ url, as: owner })).body).toMatchObject({
      content: expect.stringContaining('$<zz_new>'),
    })
  })

  test('a guest is asked to log in; what is not seen is not there', async () => {
    const { owner, other, admin } = library
    const closed = await library.createVariable(owner, { name: 'u_closed' })
    expect((await library.request({ url: '/api/variables/usage' })).status).toBe(401)
    expect((await usage(closed)).status).toBe(401)
    for (const as of [other, admin]) expect((await usage(closed, as)).status).toBe(404)
    expect((await usage({ id: 2147483647 }, owner)).status).toBe(404)
    expect((await library.request({ url: '/api/variables/x/usage', as: owner })).status).toBe(400)
    const all = (await library.request({ url: '/api/variables/usage', as: other })).body
    expect(all).not.toContainEqual(expect.objectContaining({ id: closed.id }))
  })

  test('A rename carries on into the person’s own prompts and chains; the reply says where a variable is used.', async () => {
    const { owner, other } = library
    const variable = await library.createVariable(owner, { name: 'before', isPublic: true })
    const mine = await library.createPrompt(owner, {
      title: 'Mine',
      content: '$<before> $<BEFORE> $<befores>',
    })
    const untouched = await library.createPrompt(owner, { content: '{{before}} before' })
    const theirs = await library.createPrompt(other, { content: '$<before>', isPublic: true })
    const chain = await createChain(owner, ['$<Before>', 'none', '{{before}} $<before>'])
    const shared = await createChain(other, ['$<before>'], { sharedLevel: 'shared' })
    const shares = [{ username: 'Olga', role: 'editor' }]
    await library.request({ method: 'PUT', url: `/api/chains/${shared.id}/shares`, body: shares, as: other })
    const renamed = await rename(variable, 'after', { as: owner })
    expect([renamed.status, renamed.body]).toMatchObject([200, { name: 'after', revision: 2 }])
    const content = '$<after> $<after> $<befores>'
    expect(await promptNow(mine, owner)).toMatchObject({ content, version: 2, revision: 2 })
    const url = `/api/prompts/${mine.id}/versions`
    const versions = (await library.request({ url, as: owner })).body as PromptVersion[]
    expect(versions[0]).toMatchObject({ number: 2, title: 'Mine', content, author: 'Olga' })
    expect(await promptNow(untouched, owner)).toEqual(untouched)
    expect(await promptNow(theirs, other)).toEqual(theirs)
    const after = (await library.request({ url: `/api/chains/${chain.id}`, as: owner })).body as Chain
    expect(after.steps.map((step) => step.content)).toEqual(['$<after>', 'none', '{{before}} $<after>'])
    expect(after.revision).toBe(chain.revision + 1)
    const foreign = (await library.request({ url: `/api/chains/${shared.id}`, as: owner })).body as Chain
    expect(foreign.steps[0]?.content).toBe('$<before>')
  })

  test('without being asked for, nothing but the variable is renamed', async () => {
    const { owner } = library
    const variable = await library.createVariable(owner, { name: 'alone' })
    const prompt = await library.createPrompt(owner, { content: '$<alone>' })
    await rename(variable, 'alone_2', { as: owner, renameReferences: false })
    await rename({ ...variable, content: 'new' }, 'alone_2', { as: owner })
    expect(await promptNow(prompt, owner)).toEqual(prompt)
  })

  test('a rename that is refused leaves everything as it was', async () => {
    const { owner } = library
    const variable = await library.createVariable(owner, { name: 'keep' })
    await library.createVariable(owner, { name: 'taken' })
    const prompt = await library.createPrompt(owner, { content: '$<keep>' })
    expect((await rename(variable, 'taken', { as: owner })).status).toBe(409)
    expect((await rename(variable, 'kept', { as: owner, revision: 9 })).status).toBe(409)
    const long = await library.createPrompt(owner, { title: 'Long', content: '$<keep>'.repeat(142_857) })
    const tooLong = await rename(variable, 'x'.repeat(50), { as: owner })
    expect([tooLong.status, tooLong.body]).toEqual([
      400,
      { error: 'With the longer name, the prompt “Long” would be too long' },
    ])
    expect(await promptNow(prompt, owner)).toEqual(prompt)
    await library.request({ method: 'DELETE', url: `/api/prompts/${long.id}`, as: owner })
    expect((await usage(variable, owner)).body).toMatchObject({ prompts: [{ id: prompt.id }] })
  })

  test("an admin who renames a public variable renames the admin's own references, if they mean it", async () => {
    const { owner, admin } = library
    const variable = await library.createVariable(owner, { name: 'public_1', isPublic: true })
    const mine = await library.createPrompt(owner, { content: '$<public_1>' })
    const theirs = await library.createPrompt(admin, { content: '$<public_1>' })
    const shadowed = await library.createVariable(owner, { name: 'shadow_1', isPublic: true })
    await library.createVariable(admin, { name: 'shadow_1' })
    const own = await library.createPrompt(admin, { content: '$<shadow_1>' })
    expect((await rename(variable, 'public_2', { as: admin })).status).toBe(200)
    expect((await promptNow(mine, owner)).content).toBe('$<public_1>')
    expect((await promptNow(theirs, admin)).content).toBe('$<public_2>')
    expect((await rename(shadowed, 'shadow_2', { as: admin })).status).toBe(200)
    expect((await promptNow(own, admin)).content).toBe('$<shadow_1>')
  })
})
