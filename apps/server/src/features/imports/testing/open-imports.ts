import type { ImportOutcome, ImportRequest, ListedPrompt } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { TestUser } from '../../../testing/harness.ts'
import type { Library } from '../../../testing/library.ts'

let made = 0

/** A prompt object of OpenAI with an id that no other has. */
export function openAiObject(fields: object = {}) {
  made += 1
  return {
    id: `pmpt_of_test_${made}`,
    name: 'Refund reply',
    version: '7',
    model: 'openai',
    max_output_tokens: 900,
    messages: [
      { role: 'developer', content: 'You write for {{company}}.' },
      { role: 'user', content: 'Answer {{customer}}.' },
    ],
    tools: [{ type: 'function', name: 'find_order' }],
    ...fields,
  }
}

export const fileOf = (value: unknown, name = 'refund.json') => ({ name, text: JSON.stringify(value) })

export function onlyItem({ items }: ImportOutcome) {
  const [item] = items
  if (item === undefined) throw new Error('There is no item')
  return item
}

/** Short ways to import. */
export function importsOf(library: Library) {
  const post = (as: TestUser | undefined, request: object) =>
    library.request({ method: 'POST', url: '/api/import', body: request, as })
  const run = async (
    as: TestUser,
    files: ImportRequest['files'],
    more: Partial<ImportRequest> = {},
  ): Promise<ImportOutcome> => {
    const reply = await post(as, { files, dryRun: false, ...more })
    expect(reply.status, reply.text).toBe(200)
    return reply.body as ImportOutcome
  }
  const get = async <T>(url: string, as: TestUser): Promise<T> =>
    (await library.request({ url, as })).body as T
  return {
    post,
    run,
    dryRun: (as: TestUser, files: ImportRequest['files'], more: Partial<ImportRequest> = {}) =>
      run(as, files, { ...more, dryRun: true }),
    get,
    listed: (as: TestUser) => get<ListedPrompt[]>('/api/prompts', as),
    undo: (as: TestUser, id: number | null) =>
      library.request({ method: 'POST', url: `/api/imports/${id}/undo`, as }),
    /** Bytes of text that are counted for the person. */
    textOf: async (as: TestUser): Promise<number | undefined> => {
      const { rows } = await library.db.execute<{ text: number }>(
        sql`select text::int from usages where user_id = ${as.user.id}`,
      )
      return rows[0]?.text
    },
  }
}
