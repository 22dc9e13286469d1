import type { Settings } from '../../platform/settings/settings.ts'
import { checkClock } from './check-clock.ts'
import { checkDatabase } from './check-database.ts'
import { checkFiles } from './check-files.ts'
import { checkPort } from './check-program.ts'
import { checkPublicUrl } from './check-public-url.ts'
import { checkBus, checkMail, checkModels } from './check-services.ts'
import { checkSettings } from './check-settings.ts'
import { type Group, listTodo, renderReport } from './finding.ts'

interface DoctorOptions {
  json?: boolean
  models?: boolean
}

export async function examine({
  json = false,
  models = false,
}: DoctorOptions): Promise<{ text: string; isWell: boolean }> {
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
