import { expect, test } from 'vitest'
import { createLog } from './platform/log/log.ts'
import { createModels } from './platform/models/models.ts'
import { readSettings } from './platform/settings/settings.ts'
import { announce } from './program.ts'

test.each([
  { registration: 'first' as const, next: 'create an account: the first one is admin' },
  { registration: 'open' as const, next: 'log in, or create an account' },
  { registration: 'closed' as const, next: 'log in' },
])('the start says what to do next while registration is $registration', async ({ registration, next }) => {
  const settings = readSettings({})
  const models = createModels({ settings: settings.models, log: createLog({ level: 'silent' }) })
  const text = announce({ settings, models, address: settings.publicUrl, registration })
  expect(text.trimEnd().split('\n').at(-1)?.trim()).toBe(`Next      open http://localhost:3000 and ${next}`)
  await models.close()
})

test('the start of a restored copy says that it is quiet, and how it takes over', async () => {
  const settings = readSettings({})
  const models = createModels({ settings: settings.models, log: createLog({ level: 'silent' }) })
  const given = { settings, models, address: settings.publicUrl, registration: 'open' as const }
  expect(announce({ ...given, isQuiet: true })).toContain('catenary start --resume-work')
  expect(announce(given)).not.toContain('quiet')
  await models.close()
})
