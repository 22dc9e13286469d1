import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'

/** Who seals what the database keeps; a new one needs its columns in SEALED, and a place in reseal.slow.test.ts. */
const SEALERS = [
  'features/chains/sealed-parts/keep-secrets.ts',
  'features/google-drive/drive-tokens.ts',
  'features/idempotency/repeat-calls.ts',
  'features/models/provider-keys.ts',
  'features/tokens/hook-settings.ts',
  'features/tokens/token-values.ts',
  'features/variables/variable-headers.ts',
  'features/webhooks/change-webhook.ts',
]
/** Who seals what is worth nothing within minutes, or stands in a mail. */
const SEALERS_FOR_A_WHILE = ['features/google-drive/drive-attempts.ts', 'features/mails/mail-links.ts']

test('`rotate-key` goes through every column in which a sealed value stands: one that is left out fails the test.', async () => {
  const root = path.resolve(import.meta.dirname, '../..')
  const sealing: string[] = []
  for await (const file of glob('features/**/*.ts', { cwd: root })) {
    const text = await readFile(path.join(root, file), 'utf8')
    if (!file.endsWith('.test.ts') && /\bsecrets\.seal\(/.test(text)) sealing.push(file)
  }
  expect(sealing.toSorted()).toEqual([...SEALERS, ...SEALERS_FOR_A_WHILE].toSorted())
})
