import { expect, test } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'
import { createPasswordHashing } from './password-hashing.ts'

test('a hash verifies its own password and no other', async () => {
  const passwords = createPasswordHashing()
  const hash = await passwords.hash('correct horse')
  expect(await passwords.verify({ hash, password: 'correct horse' })).toBe(true)
  expect(await passwords.verify({ hash, password: 'Correct horse' })).toBe(false)
})

test('more sign-ins than may wait are refused with the time to wait, and the queue drains', async () => {
  const passwords = createPasswordHashing()
  const results = await Promise.allSettled(Array.from({ length: 210 }, () => passwords.hash('correct horse')))
  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(7)
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable', retryAfter: 5 } })
  expect(await passwords.hash('correct horse')).toMatch(/^\$argon2id\$/)
})

test('the queue goes on after a failure', async () => {
  const passwords = createPasswordHashing()
  const broken = Array.from({ length: 5 }, () => passwords.verify({ hash: 'no hash', password: 'x' }))
  await Promise.allSettled(broken)
  expect(await passwords.hash('correct horse')).toMatch(/^\$argon2id\$/)
})

test.each([
  ['123456', true],
  ['PassWord', true],
  ['qwerty123', true],
  ['correct horse', false],
  ['', false],
])('%j is a common password: %s', (password, common) => {
  expect(isCommonPassword(password)).toBe(common)
})
