import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readZip } from '../apps/server/src/features/exports/testing/open-export.ts'
import { createApi } from '../e2e/harness/api.ts'
import { runCommand } from '../e2e/harness/command.ts'
import { seedAccount } from '../e2e/harness/seed.ts'
import { type RunningServer, startServer } from '../e2e/harness/server.ts'
import { median, milliseconds, print } from './lib/measure.ts'

const PROMPTS = 10_000
/** As much as one import takes. */
const AT_ONCE = 2_000
const SETTINGS = {
  LOG_LEVEL: 'warn',
  QUOTAS: '{"prompts": 1000000, "text": 10000000000, "writes": 1000000, "reads": 1000000}',
}

/** The most memory that the process ever had, in MB. */
async function peakOf(server: RunningServer): Promise<number> {
  const status = await readFile(`/proc/${server.pid()}/status`, 'utf8')
  return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024)
}

const IDLE_MS = 10_000
/** Of a person who looks at the library. */
const PAUSE_MS = 20

/** What another person waits for the first page of prompts while `work` is under way, in ms. */
async function waitsBeside(reader: ReturnType<typeof createApi>, work: () => Promise<unknown>) {
  const waits: number[] = []
  let isOver = false
  const reading = (async () => {
    while (!isOver) {
      const from = performance.now()
      await reader.get('/api/prompts?limit=50')
      waits.push(performance.now() - from)
      await delay(PAUSE_MS)
    }
  })()
  try {
    await work()
  } finally {
    isOver = true
    await reading
  }
  return waits
}

function printWaits(figure: string, waits: number[], idle: number[]): void {
  const [all, most] = [median(waits), Math.max(...waits)]
  print({
    figure: `${figure}: a page of prompts of another person, median, longest`,
    value: `${milliseconds(all)}, ${milliseconds(most)}`,
    floor: `${milliseconds(median(idle))}, ${milliseconds(Math.max(...idle))} with nothing beside it`,
    ratio: (all / median(idle)).toFixed(2),
  })
}

const seconds = (from: number) => `${((performance.now() - from) / 1_000).toFixed(1)} s`

async function open() {
  const server = await startServer({ env: SETTINGS })
  const api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  const cookie = api
    .cookies()
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
  const download = async () => {
    const headers = { cookie, origin: server.url, 'sec-fetch-site': 'same-origin' }
    const reply = await fetch(`${server.url}/api/export`, { headers })
    return Buffer.from(await reply.arrayBuffer())
  }
  return { server, api, download }
}

async function importAll(api: ReturnType<typeof createApi>, files: { name: string; text: string }[]) {
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const part = files.slice(from, from + AT_ONCE)
    for (const dryRun of [true, false]) await api.post('/api/import', { files: part, dryRun })
  }
}

const files = Array.from({ length: PROMPTS }, (_, n) => ({
  name: `prompts/prompt-${n + 1}.md`,
  text: `---\ncatenary: prompt\ntitle: Prompt ${n + 1}\ncategory: General\nmodel: openai\n---\n\n${`Text of $<name> in line ${n}.\n`.repeat(30)}`,
}))
const [one, other] = [await open(), await open()]
const reader = createApi(one.server.url)
await reader.post('/api/register', { ...seedAccount, username: 'grace', email: 'grace@example.org' })
const folder = await mkdtemp(join(tmpdir(), 'catenary-bench-doors-'))
try {
  const idle = await waitsBeside(reader, () => delay(IDLE_MS))
  let from = performance.now()
  const besideImport = await waitsBeside(reader, () => importAll(one.api, files))
  print({ figure: `import ${PROMPTS} prompts, dry run and import, ${AT_ONCE} at once`, value: seconds(from) })
  print({ figure: 'most memory of the server then', value: `${await peakOf(one.server)} MB` })
  const idleFull = await waitsBeside(reader, () => delay(IDLE_MS))
  printWaits('beside the import', besideImport, idle)
  from = performance.now()
  let first: Buffer = Buffer.alloc(0)
  const besideExport = await waitsBeside(reader, async () => {
    first = await one.download()
  })
  print({
    figure: `export ${PROMPTS} prompts, ${(first.length / 1e6).toFixed(1)} MB packed`,
    value: seconds(from),
  })
  print({ figure: 'most memory of the server then', value: `${await peakOf(one.server)} MB` })
  printWaits('beside the export', besideExport, idleFull)
  from = performance.now()
  const exported = Object.entries(await readZip(first)).map(([name, text]) => ({ name, text }))
  await importAll(other.api, exported)
  const second = await other.download()
  print({ figure: 'round trip: import into an empty instance, export', value: seconds(from) })
  print({ figure: 'the bytes of both exports', value: first.equals(second) ? 'the same' : 'differ' })
  const { token } = await one.api.post<{ token: string }>('/api/folder-tokens', { name: 'Bench' })
  from = performance.now()
  const pulled = await runCommand(['pull', 'all'], {
    dataDir: folder,
    env: { CATENARY_URL: one.server.url, CATENARY_TOKEN: token },
  })
  print({
    figure: `catenary pull of ${PROMPTS} files`,
    value: pulled.code === 0 ? seconds(from) : pulled.err,
  })
} finally {
  await rm(folder, { recursive: true, force: true })
  await one.server.dispose()
  await other.server.dispose()
}
