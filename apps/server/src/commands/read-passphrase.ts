import { text } from 'node:stream/consumers'
import { StartError } from '../errors.ts'

const LENGTH_MIN = 12

/** The first line of standard input. Throws StartError where it is too short to keep a key. */
export async function readPassphrase(): Promise<string> {
  const [passphrase = ''] = (await text(process.stdin)).split(/\r?\n/)
  if (passphrase.length >= LENGTH_MIN) return passphrase
  throw new StartError(
    `The passphrase is the first line of standard input, and needs ${LENGTH_MIN} characters or more.`,
  )
}
