import { DrizzleQueryError } from 'drizzle-orm/errors'
import { expect, test } from 'vitest'
import { createLog } from './log.ts'

test('a failed query is logged with its statement and cause, without its parameters', () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => lines.push(line) } })
  const cause = Object.assign(new Error('relation "users" does not exist'), { code: '42P01' })
  log.error({ err: new DrizzleQueryError('select $1', ['canary'], cause) }, 'request failed')
  const [line = ''] = lines
  expect(line).not.toContain('canary')
  expect(JSON.parse(line)).toMatchObject({
    msg: 'request failed',
    err: {
      message: 'Failed query: select $1',
      cause: { code: '42P01', message: 'relation "users" does not exist' },
    },
  })
})

test('credentials in a logged object are cut out', () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => lines.push(line) } })
  log.info({ headers: { authorization: 'canary', cookie: 'canary' }, body: { password: 'canary' } }, 'x')
  expect(lines.join()).not.toContain('canary')
})
