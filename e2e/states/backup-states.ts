import { backups, commandFailed, longNames, notProven, quiet } from './backup-answers.ts'
import { answers, fails, never } from './network.ts'
import type { State } from './state.ts'
import { button, inTurn, press, type Step, seen, sidebarShown, there } from './steps.ts'

const PATH = '/api/admin/backups'
const opened: Step = inTurn(sidebarShown, press('Admin Settings'), (page) =>
  page.getByRole('tab', { name: 'Backups' }).click(),
)
const panel = (...steps: Step[]) => inTurn(opened, seen(/^Kept copies/), ...steps)
const [newest, ...older] = backups.copies
const withNewest = (change: object) => ({
  ...backups,
  copies: newest === undefined ? [] : [{ ...newest, ...change }, ...older],
})
const base = { who: 'admin', path: '/', network: answers(PATH, backups) } as const
const none = { ...backups, copies: [], nights: [] }
const more = button(/^More for the copy of 2026-11-24/)
const dialog = (name: string) => there((page) => page.getByRole('alertdialog', { name }))

/** The copies, and what stands above every page because of them. */
export const backupStates: readonly State[] = [
  { ...base, name: 'admin-backups', prepare: panel(seen(/^Proven restorable/)) },
  {
    ...base,
    name: 'admin-backups-menu',
    prepare: panel(),
    opener: more,
  },
  {
    ...base,
    name: 'admin-backups-delete',
    prepare: panel(
      (page) => more(page).click(),
      (page) => page.getByRole('menuitem', { name: 'Delete' }).click(),
      dialog('Delete this copy?'),
    ),
  },
  {
    ...base,
    name: 'admin-backups-not-proven',
    network: answers(PATH, withNewest({ drill: notProven })),
    prepare: panel(seen(/^Not restorable/)),
  },
  {
    ...base,
    name: 'admin-backups-never-proven',
    network: answers(PATH, none),
    prepare: panel(seen('Not proven yet')),
  },
  {
    ...base,
    name: 'admin-backups-under-way',
    network: answers(PATH, { ...withNewest({ drill: null }), underWay: 'drill' }),
    prepare: panel(seen(/being restored on trial/)),
  },
  {
    ...base,
    name: 'admin-backups-no-folder',
    network: answers(PATH, { ...none, place: null, database: { kind: 'server', bytes: 61_300_000 } }),
    prepare: inTurn(opened, seen('Nothing is backed up by Catenary')),
  },
  {
    ...base,
    name: 'admin-backups-unreadable',
    network: answers(PATH, {
      ...backups,
      copies: backups.copies.map((copy) => ({ ...copy, state: copy.state === 'kept' ? 'gone' : copy.state })),
      place: { ...backups.place, freeBytes: null, problem: "EACCES: permission denied, scandir '/backups'" },
    }),
    prepare: panel(seen('The folder of the copies can’t be used')),
  },
  {
    ...base,
    name: 'admin-backups-late',
    network: answers(PATH, { ...backups, copies: older.slice(2) }),
    prepare: panel(seen(/^Last proven restorable/)),
  },
  {
    ...base,
    name: 'admin-backups-command-failed',
    network: answers(PATH, { ...withNewest({ problem: commandFailed }), toldByMail: longNames }),
    prepare: panel(seen(/BACKUP_COMMAND failed/)),
  },
  {
    ...base,
    name: 'admin-backups-error',
    only: 'desk',
    network: fails(PATH),
    prepare: inTurn(opened, seen('Try again')),
  },
  { ...base, name: 'admin-backups-loading', only: 'desk', network: never(PATH), prepare: opened },
  {
    ...base,
    name: 'admin-quiet',
    network: answers('/api/admin/notices', { quiet, backup: null }),
    prepare: seen(/is quiet/),
  },
  {
    ...base,
    name: 'admin-drill-failed',
    network: answers('/api/admin/notices', {
      quiet: null,
      backup: { what: 'drill', at: notProven.at, problem: notProven.problem },
    }),
    prepare: seen('The last backup could not be restored on trial'),
  },
]
