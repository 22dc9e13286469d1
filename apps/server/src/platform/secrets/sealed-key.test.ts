import { expect, test } from 'vitest'
import { openKey, sealKey } from './sealed-key.ts'

test('a key opens with its passphrase alone, and stands nowhere in what is kept', async () => {
  const secretKey = 'a-key-for-tests-of-more-than-32-characters'
  const sealedKey = await sealKey({ secretKey, passphrase: 'correct horse battery' })
  expect(sealedKey.toString('latin1')).toMatch(/^age-encryption\.org\/v1\n-> scrypt /)
  expect(sealedKey.includes(secretKey)).toBe(false)
  expect(await openKey({ sealedKey, passphrase: 'correct horse battery' })).toBe(secretKey)
  expect(await openKey({ sealedKey, passphrase: 'correct horse batterz' })).toBeUndefined()
  expect(
    await openKey({ sealedKey: sealedKey.subarray(0, -1), passphrase: 'correct horse battery' }),
  ).toBeUndefined()
})
