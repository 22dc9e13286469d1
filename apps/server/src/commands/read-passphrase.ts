import { text } from 'node:stream/consumers'
import { StartError } from '../errors.ts'

const LENGTH_MIN = 12

export async function readPassphrase(): Promise<string> {
  const [passphrase = ''] = (await text(process.stdin)).split(/\r?\n/)
  if (passphrase.length >= LENGTH_MIN) return passphrase
  throw new StartError(
    `The passphrase is the first line of standard input and must have at least ${LENGTH_MIN} characters.`,
  )
}
