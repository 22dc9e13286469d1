import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { openDatabase } from '../apps/server/src/database/open/client.ts'
import { createApi } from '../e2e/harness/api.ts'
import { openBrowser } from '../e2e/harness/browser.ts'
import { startServer } from '../e2e/harness/server.ts'
import { fillLibrary, PROMPTS } from './lib/library.ts'
import { startFloorPage } from './lib/library-floor.ts'
import { median, milliseconds, print } from './lib/measure.ts'
import { paintOf, takeNotes, worst } from './lib/page-notes.ts'

const WARMUP = 1
const ROUNDS = 7
const WHEEL_TURNS = 40

/** What the page notes of itself, by kind. */
interface Notes {
  /** From the last byte of the list to the frame that shows its first cards. */
  paint: number
  /** Longest time from an input to the frame that answers it, while typing, and at the switch. */
  typing: number
  toggle: number
  /** Longest time between two frames while the list scrolls. */
  scroll: number
}

async function sit({ context, url }: { context: BrowserContext; url: string }): Promise<Notes> {
  const page = await context.newPage()
  await takeNotes(page, { shown: 'article[aria-label^="Prompt number"]', read: '/api/prompts' })
  await page.goto(url)
  const paint = await paintOf(page)
  const list = page.getByLabel('Prompts', { exact: true })
  await list.hover()
  const scroll = await worst({ page, kind: 'frames', act: () => scrollDown(page) })
  const toggle = await worst({
    page,
    kind: 'inputs',
    act: () => page.getByRole('switch').nth(6).click(),
  })
  const search = page.getByRole('searchbox')
  const typing = await worst({
    page,
    kind: 'inputs',
    act: () => search.pressSequentially('number 77', { delay: 60 }),
  })
  await page.close()
  return { paint, typing, toggle, scroll }
}

async function scrollDown(page: Page): Promise<void> {
  for (let turn = 0; turn < WHEEL_TURNS; turn += 1) await page.mouse.wheel(0, 400)
}

const dataDir = await mkdtemp(join(tmpdir(), 'catenary-bench-'))
const account = { username: 'bench', email: 'bench@example.org', password: 'bench bench bench' }
const env = { LOG_LEVEL: 'warn' }
const server = await startServer({ dataDir, env })
const api = createApi(server.url)
await api.post('/api/register', account)
await server.stop()
const database = await openDatabase({ dataDir, fsync: false, statementLimitMs: 600_000 })
await fillLibrary({ database })
await database.close()
await server.restart()

const floor = await startFloorPage({ list: JSON.stringify(await api.get('/api/prompts')) })
const { context, close } = await openBrowser()
await context.addCookies(api.cookies())
const notes: Record<'floor' | 'catenary', Notes[]> = { floor: [], catenary: [] }
for (let round = 0; round < WARMUP + ROUNDS; round += 1) {
  for (const name of ['floor', 'catenary'] as const) {
    const noted = await sit({ context, url: name === 'floor' ? floor.url : server.url })
    if (round >= WARMUP) notes[name].push(noted)
  }
}
await close()
floor.close()
await server.dispose()
await rm(dataDir, { recursive: true, force: true })

function compare({ figure, kind, target }: { figure: string; kind: keyof Notes; target: string }): void {
  const of = (name: keyof typeof notes) => median(notes[name].map((noted) => noted[kind]))
  const [base, value] = [of('floor'), of('catenary')]
  const ratio = base === 0 ? {} : { ratio: (value / base).toFixed(2) }
  print({ figure, value: milliseconds(value), floor: milliseconds(base), ...ratio, target })
}
compare({ figure: `${PROMPTS} cards: list read to cards painted`, kind: 'paint', target: '≤ 1.5 × floor' })
compare({ figure: 'worst interaction, typing in the search', kind: 'typing', target: '≤ 50 ms' })
compare({ figure: 'worst interaction, a switch', kind: 'toggle', target: '≤ 50 ms' })
compare({ figure: 'longest frame while scrolling', kind: 'scroll', target: '≤ 50 ms' })
process.exit(0)
