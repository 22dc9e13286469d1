import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Library, promptBody, startLibrary } from '../../testing/library.ts'

let library: Library
beforeAll(async () => {
  library = await startLibrary('server')
})
afterAll(() => library.close())

test('of saves that meet at one prompt exactly one wins', async () => {
  const { owner } = library
  const { id } = await library.createPrompt(owner)
  const sends = ['a', 'b', 'c'].map((title) => () => {
    const body = { ...promptBody(library), title, revision: 1 }
    return library.request({ method: 'PUT', url: `/api/prompts/${id}`, body, as: owner })
  })
  const replies = await library.sendAtOnce({ table: 'prompts', id, sends })
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  const won = replies.find(({ status }) => status === 200)
  expect((await library.request({ url: `/api/prompts/${id}`, as: owner })).body).toEqual(won?.body)
  for (const { body } of replies.filter(({ status }) => status === 409)) {
    expect(body).toMatchObject({ details: won?.body })
  }
})

test('of saves that meet and change neither title nor content exactly one wins, with its tags', async () => {
  const { owner } = library
  const { id } = await library.createPrompt(owner)
  const tags = [await library.createTag(owner, 'one'), await library.createTag(owner, 'two')]
  const sends = tags.map((tag) => () => {
    const body = { ...promptBody(library), tagIds: [tag.id], revision: 1 }
    return library.request({ method: 'PUT', url: `/api/prompts/${id}`, body, as: owner })
  })
  const replies = await library.sendAtOnce({ table: 'prompts', id, sends })
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  const [won, lost] = replies[0]?.status === 200 ? replies : replies.toReversed()
  expect(lost?.body).toMatchObject({ details: won?.body })
})
