import { expect, test } from 'vitest'
import { createSecretBox, SecretBoxError } from './secret-box.ts'

const KEY = 'a-key-for-tests-of-more-than-32-characters'
const box = createSecretBox(KEY)
const context = 'variable:7:header:authorization'

test.each(['', 'Bearer sk-123', 'ключ 🔑', 'x'.repeat(100_000)])('what was sealed opens again', (text) => {
  expect(box.open({ sealed: box.seal({ text, context }), context })).toBe(text)
})

test('another process with the same key opens it', () => {
  const sealed = box.seal({ text: 'secret', context })
  expect(createSecretBox(KEY).open({ sealed, context })).toBe('secret')
})

test('sealing shows neither the text nor that two texts are equal', () => {
  const one = box.seal({ text: 'secret', context })
  expect(one).toMatch(/^v1\.[\w-]+$/)
  expect(one).not.toContain(Buffer.from('secret').toString('base64url'))
  expect(box.seal({ text: 'secret', context })).not.toBe(one)
})

test('it does not open in another place or under another key', () => {
  const sealed = box.seal({ text: 'secret', context })
  expect(() => box.open({ sealed, context: 'variable:8:header:authorization' })).toThrow(SecretBoxError)
  expect(() => createSecretBox(`${KEY}!`).open({ sealed, context })).toThrow(SecretBoxError)
  expect(createSecretBox(`${KEY}!`).openOptional({ sealed, context })).toBeUndefined()
  expect(box.openOptional({ sealed, context })).toBe('secret')
})

test('no changed byte goes unnoticed', () => {
  const sealed = box.seal({ text: 'secret', context })
  const bytes = Buffer.from(sealed.slice('v1.'.length), 'base64url')
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
    const forged = `v1.${changed.toString('base64url')}`
    expect(() => box.open({ sealed: forged, context }), `byte ${index}`).toThrow(SecretBoxError)
  }
})

test.each(['', 'v1.', 'v1', 'v2.AAAA', 'plain text', `v1.${'A'.repeat(20)}`, 'v1.AAAA.AAAA'])(
  'what was never sealed is refused: %s',
  (sealed) => {
    expect(() => box.open({ sealed, context })).toThrow(SecretBoxError)
  },
)

test('a sealed text cut short or continued is refused', () => {
  const sealed = box.seal({ text: 'secret', context })
  expect(() => box.open({ sealed: sealed.slice(0, -2), context })).toThrow(SecretBoxError)
  expect(() => box.open({ sealed: `${sealed}AAAA`, context })).toThrow(SecretBoxError)
})
