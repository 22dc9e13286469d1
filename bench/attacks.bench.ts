import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startFakeProvider } from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { startMailServer, toSmtpUrl } from '../apps/server/src/testing/mail-server.ts'
import { TEST_CERTIFICATE } from '../apps/server/src/testing/test-certificate.ts'
import { startServer } from '../e2e/harness/server.ts'
import { accountBodies, agentBodies, guestBodies, importBodies, programBodies } from './attacks/bodies.ts'
import { gradings } from './attacks/gradings.ts'
import { imports } from './attacks/imports.ts'
import { mails } from './attacks/mails.ts'
import type { Scenario, Stage } from './attacks/scenario.ts'
import { ask, type Caller, newCaller, p99 } from './lib/crowd.ts'
import { milliseconds, print } from './lib/measure.ts'

// `npm run bench attacks`: each attack that can stop others alone, and what a victim waits while it goes on, over what
// they wait when it is quiet; rounds of both take turns, on one program. To add one: a file in `attacks/` that exports
// a `Scenario`, and its line here. ATTACKS=imports,mails picks some by their names here.
const SCENARIOS: Record<string, Scenario> = {
  ...{ imports, gradings, mails },
  ...{ guestBodies, accountBodies, importBodies, agentBodies, programBodies },
}

const ROUNDS = 5
const ROUND_MS = 4_000
/** The attack is under way by then, and what it began is over. */
const SETTLE_MS = 500
const REST_MS = 20
const TARGET = 3

const folder = await mkdtemp(join(tmpdir(), 'catenary-attacks-'))
const certificate = join(folder, 'certificate.pem')
await writeFile(certificate, TEST_CERTIFICATE.cert)

async function register(url: string, username: string): Promise<Caller> {
  const stranger = newCaller(url)
  const body = { username, email: `${username}@example.org`, password: 'correct horse battery' }
  const { status, text, cookie } = await ask(stranger, { method: 'POST', path: '/api/register', body })
  if (status !== 201) throw new Error(`register: ${status} ${text}`)
  return { ...stranger, headers: { ...stranger.headers, cookie } }
}

/** Milliseconds of each call of the victim until the time is over; what is refused counts as failed. */
async function watch(victim: Record<string, () => Promise<{ status: number; ms: number; text: string }>>) {
  const times: Record<string, number[]> = {}
  const until = performance.now() + ROUND_MS
  while (performance.now() < until) {
    for (const [figure, call] of Object.entries(victim)) {
      const { status, ms, text } = await call()
      if (status !== 200) throw new Error(`${figure}: ${status} ${text.slice(0, 200)}`)
      times[figure] = [...(times[figure] ?? []), ms]
    }
    await delay(REST_MS)
  }
  return times
}

function add(to: Record<string, number[]>, times: Record<string, number[]>): void {
  for (const [figure, each] of Object.entries(times)) to[figure] = [...(to[figure] ?? []), ...each]
}

async function measure({ name, prepare }: Scenario, stage: Stage): Promise<void> {
  const { attack, victim } = await prepare(stage)
  const quiet: Record<string, number[]> = {}
  const attacked: Record<string, number[]> = {}
  await watch(victim)
  for (let round = 0; round < ROUNDS; round += 1) {
    add(quiet, await watch(victim))
    const stop = new AbortController()
    const attacking = attack(stop.signal)
    await delay(SETTLE_MS)
    add(attacked, await watch(victim))
    stop.abort()
    await attacking
    await delay(SETTLE_MS)
  }
  for (const figure of Object.keys(victim)) {
    const [value, floor] = [p99(attacked[figure] ?? []), p99(quiet[figure] ?? [])]
    print({
      figure: `${name}: another’s ${figure}, p99 of ${attacked[figure]?.length ?? 0}`,
      value: milliseconds(value),
      floor: `${milliseconds(floor)} quiet, p99 of ${quiet[figure]?.length ?? 0}`,
      ratio: (value / floor).toFixed(2),
      target: `≤ ${TARGET}`,
    })
  }
}

const picked = process.env.ATTACKS?.split(',') ?? Object.keys(SCENARIOS)
for (const [key, scenario] of Object.entries(SCENARIOS)) {
  if (!picked.includes(key)) continue
  const provider = await startFakeProvider({ vendor: 'anthropic' })
  const mail = await startMailServer()
  const server = await startServer({
    env: {
      ...{
        ANTHROPIC_API_KEY: 'bench',
        ANTHROPIC_BASE_URL: provider.url,
        LOG_LEVEL: 'fatal',
        TRUST_PROXY: '1',
      },
      ...{ SMTP_URL: toSmtpUrl(mail), MAIL_FROM: 'catenary@example.org', MAIL_RECIPIENTS: 'any' },
      ...{ MAILS_PER_HOUR: '100000', NODE_EXTRA_CA_CERTS: certificate },
    },
  })
  const mallory = await register(server.url, 'mallory')
  await measure(scenario, { mallory, ada: await register(server.url, 'ada'), provider })
  if (key === 'mails') console.log(`${mail.mails.length} mails arrived`)
  await server.dispose()
  await mail.close()
  await provider.close()
}
await rm(folder, { recursive: true })
process.exit(0)
