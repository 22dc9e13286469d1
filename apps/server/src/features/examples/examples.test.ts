import type {
  Chain,
  Evaluation,
  ExamplesState,
  ListedAsk,
  ListedPrompt,
  ListedTestSuite,
  ListedVariable,
  MadeExamples,
  Prompt,
  RemovedExamples,
  RunDetails,
} from '@catenary/contracts'
import { checkChain, extractVariables } from '@catenary/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, promptBody, startLibrary } from '../../testing/library.ts'

const ALL = { prompts: 8, chains: 3, variables: 4, suites: 1 }
const NONE = { prompts: 0, chains: 0, variables: 0, suites: 0 }

describe.each(routeDatabaseKinds)('examples on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
    await library.app.start()
  })
  afterAll(() => library.close())

  const get = async <T>(url: string, as: TestUser): Promise<T> =>
    (await library.request({ url, as })).body as T
  const make = (as?: TestUser) => library.request({ method: 'POST', url: '/api/examples', as })
  const remove = async (as: TestUser) =>
    (await library.request({ method: 'DELETE', url: '/api/examples', as })).body as RemovedExamples
  const present = async (as: TestUser) => (await get<ExamplesState>('/api/examples', as)).present
  const change = async (
    as: TestUser,
    method: 'PATCH' | 'PUT' | 'POST' | 'DELETE',
    url: string,
    body?: unknown,
  ) => {
    const reply = await library.request({ method, url, body, as })
    expect(reply.status, reply.text).toBeLessThan(300)
    return reply
  }
  const newcomer = async () => {
    const person = await library.registerUser()
    expect(await make(person)).toMatchObject({ status: 200, body: { present: ALL, takenNames: [] } })
    return person
  }
  const promptNamed = async (as: TestUser, title: string) => {
    const found = (await get<ListedPrompt[]>('/api/prompts', as)).find((each) => each.title === title)
    return get<Prompt>(`/api/prompts/${found?.id}`, as)
  }
  const chainNamed = async (as: TestUser, name: string) => {
    const found = (await get<Chain[]>('/api/chains', as)).find((each) => each.name === name)
    return get<Chain>(`/api/chains/${found?.id}`, as)
  }
  const variableNamed = async (as: TestUser, name: string) =>
    (await get<ListedVariable[]>('/api/variables', as)).find((each) => each.name === name)

  test('are what their outline says, private, in their categories, and each name they refer to has a value', async () => {
    const person = await newcomer()
    const { outline } = await get<ExamplesState>('/api/examples', person)
    const prompts = await get<ListedPrompt[]>('/api/prompts', person)
    expect(prompts.map(({ title, category }) => ({ title, category }))).toEqual(outline.prompts)
    expect(prompts.every(({ isPublic, isActive }) => isActive && !isPublic)).toBe(true)
    const variables = await get<ListedVariable[]>('/api/variables', person)
    const shown = variables.map(({ name, type }) => ({ name, type }))
    expect(shown).toHaveLength(4)
    expect(shown).toEqual(expect.arrayContaining(outline.variables))

    const names = variables.map(({ name }) => name)
    for (const { title } of outline.prompts) {
      const { content } = await promptNamed(person, title)
      expect(names, title).toEqual(expect.arrayContaining(extractVariables(content)))
      expect(extractVariables(content), title).not.toEqual([])
    }
    for (const { name, steps } of outline.chains) {
      const chain = await chainNamed(person, name)
      expect(chain.steps.map(({ title }) => title)).toEqual(steps)
      expect(checkChain({ steps: chain.steps, variables: names, hasInput: true }), name).toEqual([])
    }
    const { id } = await promptNamed(person, 'Product launch email')
    const suites = await get<ListedTestSuite[]>(`/api/prompts/${id}/test-suites`, person)
    expect(suites).toMatchObject([{ name: 'Launch mails', caseCount: 9, notRunCount: 0 }])
  })

  test('each prompt and chain runs', async () => {
    const person = await newcomer()
    for (const { id, title } of await get<ListedPrompt[]>('/api/prompts', person)) {
      const reply = await change(person, 'POST', '/api/execute-prompt', {
        promptId: id,
        model: 'claude',
        userInput: '',
      })
      expect(reply, title).toMatchObject({
        status: 200,
        body: { result: expect.stringContaining('[sandbox]') },
      })
    }
    for (const { id } of await get<Chain[]>('/api/chains', person)) {
      await change(person, 'POST', `/api/chains/${id}/execute`, {})
    }
  })

  test('One of the chains asks its owner before it hands over an answer.', async () => {
    const person = await newcomer()
    const { id } = await chainNamed(person, 'Answer to a customer')
    await change(person, 'POST', `/api/chains/${id}/execute`, { input: 'The export fails since Monday.' })
    const open = () => get<ListedAsk[]>('/api/asks?status=open', person)
    await expect.poll(open).toMatchObject([{ canAnswer: true }])
    const [ask] = await open()
    await change(person, 'POST', `/api/asks/${ask?.id}/answer`, { decision: 'approve', text: 'Mended.' })
    const run = () => get<RunDetails>(`/api/executions/${ask?.executionId}`, person)
    await expect.poll(run).toMatchObject({ status: 'completed', output: 'Mended.' })
  })

  test('Every test of the example suite passes in the sandbox.', async () => {
    const person = await newcomer()
    const { id } = await promptNamed(person, 'Product launch email')
    const [suite] = await get<ListedTestSuite[]>(`/api/prompts/${id}/test-suites`, person)
    const asked = { suiteId: suite?.id, targets: [{ version: 1, model: 'claude' }], ceilingUsd: 1 }
    const started = (await change(person, 'POST', '/api/evaluations', asked)).body as Evaluation
    const url = `/api/evaluations/${started.id}`
    const find = () => get<Evaluation>(url, person)
    await expect.poll(async () => (await find()).status).toBe('completed')
    const { cells } = await find()
    expect(cells.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(cells).toHaveLength(9)
  })

  test('‘Start with examples’ creates private prompts, chains, variables and a suite, once, and leaves names that are taken.', async () => {
    const person = await library.registerUser()
    const replies = await Promise.all([make(person), make(person), make(person)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await make(person)).toMatchObject({ body: { present: ALL } })
    expect(await get<ListedPrompt[]>('/api/prompts', person)).toHaveLength(8)
    expect(await get<ListedVariable[]>('/api/variables', person)).toHaveLength(4)
  })

  test('leave a variable of a taken name as it is, and use it', async () => {
    const person = await library.registerUser()
    const own = await library.createVariable(person, { name: 'Product', content: 'My own' })
    expect((await make(person)).body).toEqual({
      present: { ...ALL, variables: 3 },
      takenNames: ['product'],
    } satisfies MadeExamples)
    expect(await get(`/api/variables/${own.id}`, person)).toEqual(own)
    expect(await remove(person)).toEqual({ removed: { ...ALL, variables: 3 }, kept: [] })
    expect(await get(`/api/variables/${own.id}`, person)).toEqual(own)
  })

  test('are nobody else’s to make, see or remove', async () => {
    const person = await newcomer()
    expect((await make()).status).toBe(401)
    expect((await library.request({ method: 'DELETE', url: '/api/examples' })).status).toBe(401)
    expect(((await library.request({ url: '/api/examples' })).body as ExamplesState).present).toEqual(NONE)
    for (const stranger of [library.other, library.admin]) {
      expect(await present(stranger)).toEqual(NONE)
      expect(await remove(stranger)).toEqual({ removed: NONE, kept: [] })
    }
    expect(await present(person)).toEqual(ALL)
    expect(await get<ListedPrompt[]>('/api/prompts', library.other)).toEqual([])
  })

  test('‘Remove examples’ deletes with one click what is unchanged and nothing else needs.', async () => {
    const person = await newcomer()
    expect(await remove(person)).toEqual({ removed: ALL, kept: [] })
    expect(await present(person)).toEqual(NONE)
    for (const list of ['prompts', 'variables', 'chains'])
      expect(await get(`/api/${list}`, person)).toEqual([])
    expect(await remove(person)).toEqual({ removed: NONE, kept: [] })
    expect(await make(person)).toMatchObject({ body: { present: ALL } })
  })

  test('stay where they were changed, with what those need', async () => {
    const person = await newcomer()
    const prompt = await promptNamed(person, 'Tone check')
    const { title, categoryId } = prompt
    const edited = { title, categoryId, content: 'Check: $<brand_voice>' }
    await change(person, 'PUT', `/api/prompts/${prompt.id}`, edited)
    const chain = await chainNamed(person, 'Contract to plain words')
    await change(person, 'PATCH', `/api/chains/${chain.id}`, { name: 'My contracts' })
    const audience = await variableNamed(person, 'audience')
    const body = { name: 'audience', type: 'text', content: 'everyone', allowedValues: [] }
    await change(person, 'PATCH', `/api/variables/${audience?.id}`, body)
    const { removed, kept } = await remove(person)
    expect(removed).toEqual({ prompts: 6, chains: 2, variables: 1, suites: 1 })
    expect(kept).toHaveLength(6)
    expect(kept).toEqual(
      expect.arrayContaining([
        { kind: 'prompt', name: 'Tone check', reason: 'changed' },
        { kind: 'chain', name: 'My contracts', reason: 'changed' },
        { kind: 'variable', name: 'audience', reason: 'changed' },
        { kind: 'prompt', name: 'Plain-language contract summary', reason: 'used' },
        { kind: 'variable', name: 'product', reason: 'used' },
        { kind: 'variable', name: 'brand_voice', reason: 'used' },
      ]),
    )
    expect(await present(person)).toEqual(NONE)
    expect((await get<Chain>(`/api/chains/${chain.id}`, person)).steps[0]?.promptId).not.toBeNull()
    expect((await make(person)).body).toMatchObject({ takenNames: ['product', 'audience', 'brand_voice'] })
  })

  test('a suite with a test of one’s own keeps its prompt, and that its variables', async () => {
    const person = await newcomer()
    const { id } = await promptNamed(person, 'Product launch email')
    const [suite] = await get<ListedTestSuite[]>(`/api/prompts/${id}/test-suites`, person)
    await change(person, 'POST', `/api/test-suites/${suite?.id}/cases`, { name: 'Mine' })
    const { removed, kept } = await remove(person)
    expect(removed).toEqual({ prompts: 7, chains: 3, variables: 0, suites: 0 })
    expect(kept.filter(({ reason }) => reason === 'changed')).toEqual([
      { kind: 'suite', name: 'Launch mails', reason: 'changed' },
    ])
    expect(await get<ListedTestSuite[]>(`/api/prompts/${id}/test-suites`, person)).toMatchObject([
      { caseCount: 10 },
    ])
  })

  test.each([
    [
      'a prompt that refers to a variable',
      async (as: TestUser) => {
        await library.createPrompt(as, { content: 'For $<AUDIENCE>' })
        return 'audience'
      },
    ],
    [
      'a chain with a prompt as its step',
      async (as: TestUser) => {
        const { id: promptId } = await promptNamed(as, 'Meeting to decisions')
        const chain = await library.createChain(as)
        await library.createStep(as, chain.id, { promptId })
        return 'Meeting to decisions'
      },
    ],
    [
      'a token that fetches a prompt',
      async (as: TestUser) => {
        const { id } = await promptNamed(as, 'SQL from a question')
        await change(as, 'POST', '/api/read-tokens', { name: 'Code', promptIds: [id] })
        return 'SQL from a question'
      },
    ],
    [
      'a token that runs a chain',
      async (as: TestUser) => {
        const { id: chainId } = await chainNamed(as, 'Monday digest')
        await change(as, 'POST', '/api/tokens', { name: 'Code', chainId })
        return 'Monday digest'
      },
    ],
    [
      'a suite of one’s own',
      async (as: TestUser) => {
        const { id } = await chainNamed(as, 'Monday digest')
        await change(as, 'POST', `/api/chains/${id}/test-suites`, { name: 'Mine' })
        return 'Monday digest'
      },
    ],
  ])('%s keeps what it needs', async (_, use) => {
    const person = await newcomer()
    const name = await use(person)
    const { kept } = await remove(person)
    expect(kept).toContainEqual({ kind: expect.any(String), name, reason: 'used' })
    expect(kept.every(({ reason }) => reason === 'used')).toBe(true)
  })

  test('all or none: if a limit prevents one, nothing is created, and the reply says why', async () => {
    const person = await library.registerUser()
    const url = `/api/admin/users/${person.user.id}/quotas`
    await change(library.admin, 'PATCH', url, { prompts: 5 })
    const refused = await make(person)
    expect(refused).toMatchObject({ status: 403, body: { error: expect.stringContaining('5 prompts') } })
    expect(await present(person)).toEqual(NONE)
    for (const list of ['prompts', 'variables', 'chains'])
      expect(await get(`/api/${list}`, person)).toEqual([])
    await change(library.admin, 'PATCH', url, { prompts: null })
    expect((await make(person)).status).toBe(200)
  })

  test('a record deleted by hand or renamed in between is left alone', async () => {
    const person = await newcomer()
    const { id } = await promptNamed(person, 'Meeting to decisions')
    await change(person, 'DELETE', `/api/prompts/${id}`)
    const own = await library.createPrompt(person, {
      ...promptBody(library),
      title: 'Tone check',
      content: 'Mine',
    })
    expect(await present(person)).toEqual({ ...ALL, prompts: 7 })
    expect(await remove(person)).toEqual({ removed: { ...ALL, prompts: 7 }, kept: [] })
    expect(await get<ListedPrompt[]>('/api/prompts', person)).toMatchObject([{ id: own.id }])
  })
})
