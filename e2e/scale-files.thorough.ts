import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { TEST_CERTIFICATE } from '../apps/server/src/testing/test-certificate.ts'
import { readScaleFile, runHaproxy } from './harness/haproxy.ts'

const FILES = ['haproxy-programs.cfg', 'haproxy-postgresql.cfg', 'haproxy-compose.cfg']

/** What HAProxy itself says of a file, with the certificate of the tests. */
async function check(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'catenary-haproxy-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const certificate = join(folder, 'both.pem')
  await writeFile(certificate, `${TEST_CERTIFICATE.cert}\n${TEST_CERTIFICATE.key}\n`)
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, text.replace('/etc/haproxy/catenary.pem', certificate))
  return runHaproxy(['-c', '-f', file])
}

test.each(FILES)(
  'HAProxy accepts the files that are shipped for several processes and for a PostgreSQL with a standby; the compose file is valid. (%s)',
  async (name) => {
    const { code, said } = await check(await readScaleFile(name))
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('valid') })
    expect(said).not.toMatch(/WARNING|ALERT/)
  },
)

test('it would say so of a word that it does not know', async () => {
  const text = await readScaleFile('haproxy-postgresql.cfg')
  const { code, said } = await check(text.replace('option redispatch 1', 'option redispatched 1'))
  expect([code, said]).toEqual([1, expect.stringContaining('redispatched')])
})

test.each(FILES)('%s gives a server up at once: that is what a failover waits for', async (name) => {
  const text = await readScaleFile(name)
  for (const line of ['retries 1', 'option redispatch 1', 'timeout connect 500ms', 'timeout queue 500ms'])
    expect(text).toContain(`    ${line}\n`)
})
