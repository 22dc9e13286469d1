import { Decrypter, Encrypter } from 'age-encryption'

/** 2 to the power of this: 64 MB of memory for a moment, on a machine that may have little. */
const SCRYPT_WORK_FACTOR = 16

interface SealingOptions {
  secretKey: string
  passphrase: string
}

/** A key under a passphrase, as a file that the program `age` opens too. */
export async function sealKey({ secretKey, passphrase }: SealingOptions): Promise<Buffer> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(SCRYPT_WORK_FACTOR)
  return Buffer.from(await encrypter.encrypt(secretKey))
}

export async function openKey({
  sealedKey,
  passphrase,
}: {
  sealedKey: Buffer
  passphrase: string
}): Promise<string | undefined> {
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  return decrypter.decrypt(sealedKey, 'text').catch(() => undefined)
}
