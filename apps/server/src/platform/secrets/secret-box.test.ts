import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecretBox, keyFingerprint, keyIdOf, SecretBoxError } from './secret-box.ts'

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
  expect(one).toMatch(/^v2\.[0-9a-f]{8}\.[\w-]+$/)
  expect(one).not.toContain(Buffer.from('secret').toString('base64url'))
  expect(box.seal({ text: 'secret', context })).not.toBe(one)
})

test('Stored secrets are sealed by AES-256-GCM, bound to their place, and name their key; what was sealed before opens too.', () => {
  const sealed = box.seal({ text: 'secret', context })
  expect(() => box.open({ sealed, context: 'variable:8:header:authorization' })).toThrow(SecretBoxError)
  expect(() => createSecretBox(`${KEY}!`).open({ sealed, context })).toThrow(SecretBoxError)
  expect(createSecretBox(`${KEY}!`).openOptional({ sealed, context })).toBeUndefined()
  expect(box.openOptional({ sealed, context })).toBe('secret')
})

test('no changed byte goes unnoticed', () => {
  const sealed = box.seal({ text: 'secret', context })
  const start = sealed.slice(0, sealed.lastIndexOf('.') + 1)
  const bytes = Buffer.from(sealed.slice(start.length), 'base64url')
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
    const forged = `${start}${changed.toString('base64url')}`
    expect(() => box.open({ sealed: forged, context }), `byte ${index}`).toThrow(SecretBoxError)
  }
})

test.each([
  '',
  'v1.',
  'v1',
  'v2.AAAA',
  'v2..',
  'v3.AAAA',
  'plain text',
  `v1.${'A'.repeat(20)}`,
  'v1.AAAA.AAAA',
])('what was never sealed is refused: %s', (sealed) => {
  expect(() => box.open({ sealed, context })).toThrow(SecretBoxError)
})

test('a sealed text cut short or continued is refused', () => {
  const sealed = box.seal({ text: 'secret', context })
  expect(() => box.open({ sealed: sealed.slice(0, -2), context })).toThrow(SecretBoxError)
  expect(() => box.open({ sealed: `${sealed}AAAA`, context })).toThrow(SecretBoxError)
})

const OTHER_KEY = 'another-key-for-tests-of-more-than-32-characters'
/** `box.seal({ text: 'secret', context })`, as it was written before sealed values named their key. */
const OF_FIRST_FORM = 'v1.Gw6-I-xi-kAWgL-Vtsc67pI3PLUhn7QjQb_qnvvUIoeSXA'

test('a sealed value names its key by the first digits of its fingerprint, which is not a plain hash', () => {
  expect(keyFingerprint(KEY)).toMatch(/^[0-9a-f]{64}$/)
  expect(keyFingerprint(KEY)).not.toBe(createHash('sha256').update(KEY).digest('hex'))
  expect(box.seal({ text: 'secret', context })).toContain(`v2.${keyFingerprint(KEY).slice(0, 8)}.`)
  expect(keyIdOf(OTHER_KEY)).not.toBe(keyIdOf(KEY))
})

test('with two keys both open, also what does not name its key, and the current one seals', () => {
  const both = createSecretBox(OTHER_KEY, KEY)
  const ofEarlier = box.seal({ text: 'secret', context })
  for (const sealed of [ofEarlier, OF_FIRST_FORM]) {
    expect(box.open({ sealed, context })).toBe('secret')
    expect(both.open({ sealed, context })).toBe('secret')
    expect(createSecretBox(OTHER_KEY).openOptional({ sealed, context })).toBeUndefined()
  }
  const sealed = both.seal({ text: 'new', context })
  expect(createSecretBox(OTHER_KEY).open({ sealed, context })).toBe('new')
  expect(createSecretBox(KEY, OTHER_KEY).open({ sealed, context })).toBe('new')
  expect(box.openOptional({ sealed, context })).toBeUndefined()
})

test('sealing anew keeps the text, leaves what the current key sealed, and says what does not open', () => {
  const both = createSecretBox(OTHER_KEY, KEY)
  for (const sealed of [box.seal({ text: 'secret', context }), OF_FIRST_FORM]) {
    const anew = both.sealAnew({ sealed, context }) ?? ''
    expect(createSecretBox(OTHER_KEY).open({ sealed: anew, context })).toBe('secret')
    expect(both.sealAnew({ sealed: anew, context })).toBe(anew)
    expect(both.sealAnew({ sealed, context: 'another place' })).toBeUndefined()
  }
  const ownOfFirstForm = box.sealAnew({ sealed: OF_FIRST_FORM, context })
  expect(ownOfFirstForm).toContain(`v2.${keyIdOf(KEY)}.`)
})
