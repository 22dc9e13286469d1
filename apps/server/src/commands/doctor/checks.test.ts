import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readSettings } from '../../platform/settings/settings.ts'
import { startFakeProvider } from '../../testing/fake-providers/fake-provider.ts'
import { serveSocket } from '../../testing/local-server.ts'
import { startMailServer, toSmtpUrl } from '../../testing/mail-server.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'
import { checkFiles, type ProcessUser, processUser } from './check-files.ts'
import { checkBus, checkMail, checkModels } from './check-services.ts'
import { checkClock } from './doctor.ts'
import { type Finding, listTodo, renderReport } from './finding.ts'

const say = (findings: Finding[]) => findings.map(({ grade, text }) => `${grade}: ${text}`)

describe('files', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = path.join(mkdtempSync(path.join(tmpdir(), 'catenary-files-')), 'data')
    mkdirSync(dataDir, { mode: 0o700 })
    writeFileSync(path.join(dataDir, 'secret.key'), 'k', { mode: 0o600 })
  })
  afterEach(() => rmSync(path.dirname(dataDir), { recursive: true, force: true }))
  const check = (runner?: ProcessUser) => checkFiles(readSettings({ DATA_DIR: dataDir }), runner)
  const todo = (runner?: ProcessUser) => listTodo([{ title: 'Files', findings: check(runner) }])

  test('that are well, and none yet', () => {
    expect(say(check())).toEqual([
      `ok: ${dataDir} belongs to user ${processUser()?.uid}, who may write there`,
      `ok: Only its owner can read ${dataDir}/secret.key`,
      expect.stringMatching(/^ok: [\d,]+ MB are free/),
    ])
    rmSync(dataDir, { recursive: true })
    expect(say(check())).toEqual([`ok: ${dataDir} doesn’t exist yet: the first start creates it`])
  })

  test('that others may read, with the chmod to type', () => {
    chmodSync(dataDir, 0o755)
    chmodSync(path.join(dataDir, 'secret.key'), 0o644)
    expect(todo()).toEqual([`chmod 700 ${dataDir}`, `chmod 600 ${dataDir}/secret.key`])
  })

  test('`doctor` says whose the data directory is and what to type. It creates no embedded database, and opens none that is another user’s or in use.', () => {
    const own = processUser() as ProcessUser
    expect(todo({ uid: own.uid + 1001, gid: 1002 })).toEqual([
      `If Catenary is to run as this user: sudo chown -R ${own.uid + 1001}:1002 ${dataDir}`,
    ])
    if (own.uid !== 0) return
    chownSync(dataDir, 1001, 1002)
    expect(say(check())).toContainEqual(
      expect.stringMatching(/^not asked: .* belongs to user 1001, and this is root/),
    )
    expect(todo()).toContain(`sudo chown -R 1001:1002 ${dataDir}`)
  })

  test('need not exist if another process keeps them', () => {
    const env = { DATABASE_URL: 'postgres://db/catenary', SECRET_KEY: 'k'.repeat(32) }
    expect(say(checkFiles(readSettings(env)))).toEqual([
      expect.stringMatching(/^not asked: No files are used/),
    ])
  })
})

describe('models', () => {
  test('`doctor` calls models only when asked to; it only connects to the mail server.', async () => {
    const [refusing, answering] = [
      await startFakeProvider({ vendor: 'anthropic' }),
      await startFakeProvider({ vendor: 'openai' }),
    ]
    refusing.replyByDefault({ status: 401 })
    const settings = readSettings({
      ANTHROPIC_API_KEY: 'key-a',
      ANTHROPIC_BASE_URL: refusing.url,
      OPENAI_API_KEY: 'key-b',
      OPENAI_BASE_URL: answering.url,
    })
    const unasked = await checkModels(settings, { ask: false })
    expect(unasked.map(({ grade }) => grade)).toEqual(['not asked', 'not asked', 'not asked'])
    expect([...refusing.journal, ...answering.journal]).toEqual([])
    const asked = await checkModels(settings, { ask: true })
    expect(say(asked)).toEqual([
      expect.stringMatching(
        /^problem: The API key for Claude was refused \(401\)\. Check ANTHROPIC_API_KEY\.$/,
      ),
      expect.stringMatching(/^ok: GPT-4o: .* answered in \d+ ms$/),
      expect.stringMatching(/^not asked: Gemini is not set up/),
    ])
    expect(refusing.journal).toHaveLength(1)
    await answering.close()
    await refusing.close()
    expect(say(await checkModels(settings, { ask: true }))[1]).toMatch(
      /^problem: GPT-4o could not be reached/,
    )
    expect(JSON.stringify(asked)).not.toMatch(/key-[ab]/)
  })

  test('are absent while the sandbox answers', async () => {
    expect(say(await checkModels(readSettings({}), { ask: true }))).toEqual([
      expect.stringMatching(/^ok: No model is called: the sandbox answers/),
    ])
  })
})

describe('mail', () => {
  trustTestCertificate()
  const check = async (url?: string) => say(await checkMail({ smtpUrl: url }))

  test('a server that takes the sign-in, one that refuses it, one that is not ready, and none', async () => {
    const server = await startMailServer()
    const port = { port: server.port }
    expect(await check(toSmtpUrl(port))).toEqual([expect.stringMatching(/^ok: .*no email was sent$/)])
    expect(await check(toSmtpUrl({ ...port, password: 'wrong' }))).toEqual([
      expect.stringMatching(/^problem: The mail server refused the user or the password/),
    ])
    expect(server.mails).toEqual([])
    await server.close()
    const refusing = await serveSocket((socket) => socket.end('554 no service here\r\n'))
    expect(await check(`smtp://127.0.0.1:${refusing.port}`)).toEqual([
      expect.stringMatching(/^problem: .*554/),
    ])
    await refusing.close()
    expect(await check(`smtp://127.0.0.1:${refusing.port}`)).toEqual([
      'problem: The mail server refused the connection',
    ])
    expect(await check()).toEqual(['not asked: Mail is not set up: SMTP_URL is not set'])
  })
})

test('a bus that is away is named without its password, and one that is not set is not asked', async () => {
  expect(say(await checkBus({ busUrl: undefined }))).toEqual([
    'not asked: No bus is set up because BUS_URL is not set: the text of runs goes through the database',
  ])
  const away = await checkBus({ busUrl: 'redis://someone:canary@127.0.0.1:1' })
  expect(say(away)).toEqual([
    expect.stringMatching(/^problem: The bus at 127\.0\.0\.1:1 can’t be used: .*ECONNREFUSED/),
  ])
  expect(JSON.stringify(away)).not.toContain('canary')
})

test('clocks that differ are named with what sets them', () => {
  const check = (databaseAheadMs?: number, publicAheadMs?: number) =>
    say(checkClock({ isEmbedded: false, databaseAheadMs, publicAheadMs }))
  expect(check(100, -900)).toEqual([
    'ok: This clock and the database’s agree',
    'ok: This clock and the one at PUBLIC_URL agree',
  ])
  expect(check(5_000, -60_000)).toEqual([
    'warning: This clock is 5.0 s behind the database’s',
    'problem: This clock is 60.0 s ahead of the one at PUBLIC_URL',
  ])
  expect(check()[0]).toMatch(/^not asked/)
})

test('a report ends with what to do, each step once', () => {
  const findings: Finding[] = [
    { grade: 'problem', text: 'One', todo: 'Mend it' },
    { grade: 'not asked', text: 'Two' },
    { grade: 'warning', text: 'Three', todo: 'Mend it' },
  ]
  expect(renderReport([{ title: 'Parts', findings }])).toBe(
    [
      'Parts',
      '  problem    One',
      '  not asked  Two',
      '  warning    Three',
      '',
      'What to do',
      '  1. Mend it',
    ].join('\n'),
  )
  expect(renderReport([{ title: 'Parts', findings: [{ grade: 'ok', text: 'All' }] }])).toMatch(
    /There is nothing to do\.$/,
  )
})
