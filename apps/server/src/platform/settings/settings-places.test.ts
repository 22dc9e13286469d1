import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listRemarks, readSettings } from './settings.ts'
import { listSettings } from './settings-list.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'catenary-places-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const place = (name: string) => path.join(directory, name)
const writeDotEnv = (content: string | Buffer) => writeFileSync(place('.env'), content)
const remarks = (env: NodeJS.ProcessEnv = {}) => listRemarks(env, { directory, packed: false })

describe('.env', () => {
  const lines = 'PORT=4177\r\nexport LOG_LEVEL="debug"\r\n'

  test('is read as Windows writes it, with a byte order mark', () => {
    writeDotEnv(`\uFEFF${lines}`)
    expect(readSettings({}, { directory })).toMatchObject({ port: 4177, logLevel: 'debug' })
  })

  test.each([
    { what: 'with a mark', content: Buffer.from(`\uFEFF${lines}`, 'utf16le') },
    { what: 'the other way round', content: Buffer.from(`\uFEFF${lines}`, 'utf16le').swap16() },
    { what: 'without a mark', content: Buffer.from(lines, 'utf16le') },
  ])('in UTF-16, $what, is refused by name', ({ content }) => {
    writeDotEnv(content)
    expect(() => readSettings({}, { directory })).toThrow(/^\.env is in UTF-16.*save it as UTF-8/)
  })
})

describe('what is set and has no effect is said', () => {
  test.each([
    ['ANTROPIC_API_KEY', 'ANTHROPIC_API_KEY'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['CATENARY_PORT', 'PORT'],
    ['SECRETKEY_FILE', 'SECRET_KEY_FILE'],
    ['public_url', 'PUBLIC_URL'],
  ])('%s, for %s', (name, meant) => {
    expect(remarks({ [name]: 'x' })).toEqual([`${name} is set but is not a setting. Did you mean ${meant}?`])
    writeDotEnv(`${name}=x\n`)
    expect(remarks()).toHaveLength(1)
  })

  test('names of others are left alone, short ones too where they are the machine’s', () => {
    const machine = { PATH: 'x', HOME: 'x', HOSTS: 'x', ROLES: 'x', POSTGRES_PASSWORD: 'x', NODE_ENV: 'x' }
    expect(remarks({ ...machine, CATENARY_URL: 'x', CATENARY_TOKEN: 'x', PUBLISH: 'x' })).toEqual([])
    writeDotEnv('PROT=4000\n')
    expect(remarks()).toEqual(['PROT is set but is not a setting. Did you mean PORT?'])
  })

  test.each(['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY'])('%s', (name) => {
    expect(remarks({ [name]: 'http://proxy.internal:3128' })).toEqual([
      `${name}: no proxy is used. Models, variables, webhooks and mail are reached directly`,
    ])
  })
})

describe('a setting in a file of its own', () => {
  test('is read without its last line’s end, and listed as a secret', () => {
    writeFileSync(place('key'), `${'k'.repeat(40)}\n`)
    const env = { SECRET_KEY_FILE: place('key') }
    expect(readSettings(env, { directory }).secretKey).toBe('k'.repeat(40))
    expect(remarks(env)).toEqual([])
    expect(listSettings({ env, directory }).find(({ name }) => name === 'SECRET_KEY')).toEqual({
      ...{ name: 'SECRET_KEY', value: '••••', source: 'environment' },
    })
  })

  test('that is not there, or beside the setting itself, stops the start', () => {
    const read = (env: NodeJS.ProcessEnv) => () => readSettings(env, { directory })
    expect(read({ OPENAI_API_KEY_FILE: place('none') })).toThrow(/^OPENAI_API_KEY_FILE: ENOENT/)
    expect(read({ SMTP_URL: 'smtp://a', SMTP_URL_FILE: place('none') })).toThrow(
      'SMTP_URL and SMTP_URL_FILE are both set',
    )
  })
})

test.each([
  ['DATABASE_URL', 'postgres://ada:pa#ss@db.example.org/letters'],
  // Without the rule a host of the user’s name, at the port 12.
  ['DATABASE_URL', 'postgres://ada:12#ss@db.example.org/letters'],
  ['DATABASE_URL', 'postgres://ada:12/ss@db.example.org/letters'],
  ['DATABASE_DIRECT_URL', 'postgres://ada:pa?ss@db.example.org/letters'],
  ['SMTP_URL', 'smtp://ada:12#ss@mail.example.org:587'],
  ['BUS_URL', 'redis://ada:pa#ss@bus.example.org:6379'],
])('%s=%s is refused with how it is written', (name, value) => {
  expect(() => readSettings({ [name]: value }, { directory })).toThrow(
    new RegExp(`^${name}: must be a URL such as .*; in its user and password, write # as %23, / as %2F`),
  )
})

describe('data', () => {
  const dataDir = (options: { packed: boolean }, env: NodeJS.ProcessEnv = {}) =>
    readSettings(env, { directory, ...options }).dataDir

  test('are with a clone, and of the packed command at its user’s home', () => {
    expect(dataDir({ packed: false })).toBe(path.resolve('data'))
    expect(dataDir({ packed: true })).toBe(path.join(homedir(), '.catenary'))
    expect(dataDir({ packed: true }, { DATA_DIR: '/srv/own' })).toBe('/srv/own')
  })

  test.each(['database/PG_VERSION', 'secret.key'])(
    'The packed command keeps its data in `~/.catenary`, unless `./data` has some. The README’s lines run as they are written. (%s)',
    (file) => {
      const said = () => listRemarks({}, { directory, packed: true })
      mkdirSync(place('data'))
      writeFileSync(place('data/letter.txt'), '')
      expect(dataDir({ packed: true })).toBe(path.join(homedir(), '.catenary'))
      expect(said()).toEqual([])
      mkdirSync(path.dirname(place(`data/${file}`)), { recursive: true })
      writeFileSync(place(`data/${file}`), '')
      expect(dataDir({ packed: true })).toBe(path.resolve('data'))
      expect(said()).toEqual([
        expect.stringMatching(/^Using the data in .*\/data\. .*~\/\.catenary is used; --data or DATA_DIR/),
      ])
    },
  )
})
