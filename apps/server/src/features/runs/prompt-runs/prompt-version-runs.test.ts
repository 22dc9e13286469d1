import type { ExecutePromptReply, Prompt, PromptRun } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import type { TestUser } from '../../../testing/harness.ts'
import { type Library, startLibrary } from '../../../testing/library.ts'

describe.each(routeDatabaseKinds)('running a stored version on %s', (kind) => {
  let library: Library
  let prompt: Prompt
  beforeAll(async () => {
    library = await startLibrary(kind)
    const { owner } = library
    const made = await library.createPrompt(owner, { title: 'First', content: 'One $<who>', isPublic: true })
    const { categoryId, revision } = made
    const body = { title: 'Second', content: 'Two $<who>', categoryId, revision }
    const saved = await library.request({
      method: 'PUT',
      url: `/api/prompts/${made.id}`,
      body,
      as: owner,
    })
    prompt = saved.body as Prompt
    expect(prompt.version, saved.text).toBe(2)
  })
  afterAll(() => library.close())

  const run = ({ as, ...body }: { as?: TestUser } & Record<string, unknown>) => {
    const variables = { who: 'Ada' }
    return library.request({
      ...{ method: 'POST', url: '/api/execute-prompt', as: as ?? library.owner },
      body: { promptId: prompt.id, model: 'openai', variables, ...body },
    })
  }
  const find = async ({ executionId }: ExecutePromptReply) => {
    const url = `/api/prompts/${prompt.id}/executions/${executionId}`
    return (await library.request({ url, as: library.owner })).body as PromptRun
  }

  test('A run of a stored version is recorded with its number.', async () => {
    const { body } = await run({ promptVersion: 1 })
    expect(await find(body as ExecutePromptReply)).toMatchObject({
      promptVersion: 1,
      template: null,
      executedPromptContent: 'One Ada',
    })
    const { body: current } = await run({})
    expect(await find(current as ExecutePromptReply)).toMatchObject({
      promptVersion: 2,
      executedPromptContent: 'Two Ada',
    })
  })

  test('an edited copy of a version is kept beside its number; its own text is no edit', async () => {
    const { body: edited } = await run({ promptVersion: 1, template: 'One and $<who>' })
    expect(await find(edited as ExecutePromptReply)).toMatchObject({
      promptVersion: 1,
      template: 'One and $<who>',
      executedPromptContent: 'One and Ada',
    })
    const { body: same } = await run({ promptVersion: 1, template: 'One $<who>' })
    expect(await find(same as ExecutePromptReply)).toMatchObject({ promptVersion: 1, template: null })
  })

  test('A run of a version that does not exist is 404.', async () => {
    const absent = await run({ promptVersion: 3 })
    expect([absent.status, absent.body]).toMatchObject([404, { error: 'Version not found' }])
    for (const promptVersion of [0, 1.5, '1', 2 ** 31])
      expect((await run({ promptVersion })).status, String(promptVersion)).toBe(400)
  })

  test('older versions run for who may change the prompt; the current one for everyone who sees it', async () => {
    const { other, admin } = library
    expect((await run({ promptVersion: 1, as: other })).status).toBe(403)
    expect((await run({ promptVersion: 2, as: other })).status).toBe(200)
    expect((await run({ promptVersion: 1, as: admin })).status).toBe(200)
  })
})
