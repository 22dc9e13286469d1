import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Library, startLibrary } from '../../testing/library.ts'

let library: Library
beforeAll(async () => {
  library = await startLibrary('server')
})
afterAll(() => library.close())

test('of saves that meet at one variable exactly one wins', async () => {
  const { owner } = library
  const { id } = await library.createVariable(owner)
  const sends = ['a', 'b', 'c'].map((content) => () => {
    const body = { name: 'tone', type: 'text', content, revision: 1 }
    return library.request({ method: 'PATCH', url: `/api/variables/${id}`, body, as: owner })
  })
  const replies = await library.sendAtOnce({ table: 'variables', id, sends })
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  const won = replies.find(({ status }) => status === 200)
  for (const { body } of replies.filter(({ status }) => status === 409)) {
    expect(body).toMatchObject({ details: won?.body })
  }
})
