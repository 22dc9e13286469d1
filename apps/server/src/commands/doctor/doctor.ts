import { CLOCK_HARMFUL_MS, CLOCK_NOTICEABLE_MS } from '../../database/server/server-troubles.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import type { Ended } from '../say.ts'
import { checkDatabase } from './check-database.ts'
import { checkFiles } from './check-files.ts'
import { checkPort } from './check-program.ts'
import { checkPublicUrl } from './check-public-url.ts'
import { checkBus, checkMail, checkModels } from './check-services.ts'
import { checkSettings } from './check-settings.ts'
import {
  type Finding,
  type Group,
  listTodo,
  notAsked,
  ok,
  problem,
  renderReport,
  warning,
} from './finding.ts'

interface DoctorOptions {
  json?: boolean
  models?: boolean
}

export async function examine({ json = false, models = false }: DoctorOptions): Promise<Ended> {
  const { settings, findings } = checkSettings()
  const groups: Group[] = [{ title: 'Settings', findings }]
  if (settings !== undefined) groups.push(...(await checkRest(settings, { models })))
  const todo = listTodo(groups)
  const isWell = todo.length === 0
  const text = json ? JSON.stringify({ isWell, todo, groups }, null, 2) : renderReport(groups)
  return { text, isWell }
}

async function checkRest(settings: Settings, { models }: { models: boolean }): Promise<Group[]> {
  const files = checkFiles(settings)
  // Without the database: what opens it for a moment must not meet a program that starts.
  const port = await checkPort(settings)
  const [database, publicUrl, ofModels, ofMail, ofBus] = await Promise.all([
    checkDatabase(settings),
    checkPublicUrl(settings, port),
    checkModels(settings, { ask: models }),
    checkMail(settings),
    checkBus(settings),
  ])
  const clock = checkClock({
    isEmbedded: settings.databaseUrl === undefined,
    databaseAheadMs: database.facts?.clockAheadMs,
    publicAheadMs: publicUrl.aheadMs,
  })
  return [
    { title: 'Files', findings: files },
    { title: 'Database', findings: database.findings },
    { title: 'Program', findings: port.findings },
    { title: 'PUBLIC_URL', findings: publicUrl.findings },
    { title: 'Models', findings: ofModels },
    { title: 'Mail', findings: ofMail },
    { title: 'Bus', findings: ofBus },
    { title: 'Clock', findings: clock },
  ]
}

const SYNCHRONISE = 'Let both machines set their clocks from the network: sudo timedatectl set-ntp true'

export function checkClock({
  isEmbedded,
  databaseAheadMs,
  publicAheadMs,
}: {
  isEmbedded: boolean
  databaseAheadMs: number | undefined
  publicAheadMs: number | undefined
}): Finding[] {
  return [
    isEmbedded
      ? ok('The embedded database uses this clock')
      : compare({ name: 'the database’s', aheadMs: databaseAheadMs }),
    compare({ name: 'the one at PUBLIC_URL', aheadMs: publicAheadMs }),
  ]
}

function compare({ name, aheadMs }: { name: string; aheadMs: number | undefined }): Finding {
  if (aheadMs === undefined)
    return notAsked(`This clock could not be compared with ${name}, which was not reached`)
  const off = Math.abs(aheadMs)
  const seconds = (off / 1000).toFixed(1)
  if (off < CLOCK_NOTICEABLE_MS) return ok(`This clock and ${name} agree`)
  const said = `This clock is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} ${name}`
  return off < CLOCK_HARMFUL_MS ? warning(said, SYNCHRONISE) : problem(said, SYNCHRONISE)
}
