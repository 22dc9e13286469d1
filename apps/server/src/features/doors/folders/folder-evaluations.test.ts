import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Library, startLibrary } from '../../../testing/library.ts'
import { fillFolder } from '../../exports/testing/fill-folder.ts'
import { createToken } from './testing/folder-library.ts'

describe.each(routeDatabaseKinds)('evaluations of a folder, on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  test('one of a prompt that names no model says so, and what to do next', async () => {
    const person = await library.registerUser()
    const { refund } = await fillFolder(library, person)
    const withoutModel = `update prompts set settings = (settings::jsonb - 'model')::json where id = $1`
    await library.client.pool.query(withoutModel, [refund.id])
    const token = await createToken(library, person, { mayEvaluate: true })
    const reply = await library.http.inject({
      ...{ method: 'POST', url: '/api/folder/evaluations' },
      headers: { authorization: `Bearer ${token}` },
      payload: { suite: `${refund.slug}/tone`, label: 'latest', ceilingUsd: 1 },
    })
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({
      details: [
        {
          path: 'model',
          message: `The prompt ${refund.slug} has no model to answer the tests. Add --model with an alias, such as --model claude, or give the prompt a model.`,
        },
      ],
    })
  })
})
