import { expect, test } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'
import { passwordHashing } from './password-hashing.ts'

test('a hash verifies its own password and no other', async () => {
  const hash = await passwordHashing.hash('correct horse')
  expect(await passwordHashing.verify({ hash, password: 'correct horse' })).toBe(true)
  expect(await passwordHashing.verify({ hash, password: 'Correct horse' })).toBe(false)
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
