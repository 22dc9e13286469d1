import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { hasSealedData } from '../../database/statements/sealed-data.ts'
import { StartError } from '../../errors.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { beginKeyChange, endKeyChange, loadSecretKeys } from './secret-key.ts'

let library: Library
let dataDir: string
beforeAll(async () => {
  library = await startLibrary('embedded')
})
afterAll(() => library.close())
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'catenary-key-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const keyFile = () => path.join(dataDir, 'secret.key')
const loadBoth = (newSecretKey = false) =>
  loadSecretKeys({
    ...{ secretKey: undefined, secretKeyAlso: undefined, newSecretKey, dataDir },
    isMissed: () => hasSealedData(library.db),
  })
const load = async (newSecretKey?: boolean) => (await loadBoth(newSecretKey)).secretKey

test('a key is made once, and lost where nothing is sealed it is made again', async () => {
  const made = await load()
  expect(readFileSync(keyFile(), 'utf8').trim()).toBe(made)
  expect(await load()).toBe(made)
  rmSync(keyFile())
  expect(await load()).not.toBe(made)
})

test('with a database elsewhere the data directory is made for it', async () => {
  dataDir = path.join(dataDir, 'not', 'there')
  const made = await load()
  expect(readFileSync(keyFile(), 'utf8').trim()).toBe(made)
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
})

test('a key that is lost beside sealed data stops the start with a choice', async () => {
  await library.createVariable(library.owner, {
    name: 'weather',
    type: 'api',
    content: '',
    apiUrl: 'https://weather.example.org/',
    apiHeaders: { authorization: 'a header that only the key opens' },
  })
  for (const lost of [() => rmSync(keyFile(), { force: true }), () => writeFileSync(keyFile(), '\n')]) {
    lost()
    const error = await load().catch((error: unknown) => error)
    expect(error).toBeInstanceOf(StartError)
    for (const choice of [keyFile(), 'SECRET_KEY', 'NEW_SECRET_KEY=on'])
      expect(String(error)).toContain(choice)
  }
  rmSync(keyFile())
  const chosen = await load(true)
  expect(existsSync(keyFile())).toBe(true)
  expect(await load()).toBe(chosen)
})

test('a change of the key keeps the earlier one beside it until it ends, and goes on where it was killed', async () => {
  const [earlierFile, first] = [path.join(dataDir, 'secret.key.old'), await loadBoth(true)]
  // Killed before the new key was there.
  writeFileSync(earlierFile, readFileSync(keyFile()))
  const begun = await beginKeyChange({ dataDir, ...(await loadBoth()) })
  expect(begun.secretKeyAlso).toBe(first.secretKey)
  expect(begun.secretKey).not.toBe(first.secretKey)
  expect(await loadBoth()).toEqual(begun)
  expect(statSync(earlierFile).mode & 0o777).toBe(0o600)
  expect(await beginKeyChange({ dataDir, ...begun })).toEqual(begun)
  await endKeyChange(dataDir)
  await endKeyChange(dataDir)
  expect(await loadBoth()).toEqual({ secretKey: begun.secretKey, secretKeyAlso: undefined })
})
