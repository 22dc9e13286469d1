import {
  backups,
  commandFailed,
  copyFailed,
  lastDay,
  longBackups,
  longNames,
  notProven,
  quiet,
} from './backup-answers.ts'
import { answers, fails, installation, never, together } from './network.ts'
import type { State } from './state.ts'
import { button, inTurn, type Step, seen, there } from './steps.ts'

const PATH = '/api/admin/backups'
const panel = (...steps: Step[]) => inTurn(seen(/^Kept copies/), ...steps)
const [newest, ...older] = backups.copies
const withNewest = (change: object) => ({
  ...backups,
  copies: newest === undefined ? [] : [{ ...newest, ...change }, ...older],
})
const base = { who: 'admin', path: '/settings/backups', network: answers(PATH, backups) } as const
/** Where the banners are looked at. */
const home = { who: 'admin', path: '/' } as const
const none = { ...backups, copies: [], nights: [] }
const notices = (change: object) =>
  answers('/api/admin/notices', { quiet: null, awaitsStart: false, backup: null, ...change })
const failedNotice = (backup: object) => notices({ backup: { at: notProven.at, ...backup } })
const openLog: Step = (page) =>
  page
    .getByRole('button', { name: /^Log of/ })
    .first()
    .click()
const more = button(new RegExp(`^More: copy of ${lastDay}`))
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
    prepare: panel(seen(/Testing the latest backup/)),
  },
  {
    ...base,
    name: 'admin-backups-no-folder',
    network: answers(PATH, { ...none, place: null, database: { kind: 'server', bytes: 61_300_000 } }),
    prepare: seen('Catenary isn’t backing anything up'),
  },
  {
    ...base,
    name: 'admin-backups-unreadable',
    network: answers(PATH, {
      ...backups,
      copies: backups.copies.map((copy) => ({ ...copy, state: copy.state === 'kept' ? 'gone' : copy.state })),
      place: {
        ...backups.place,
        freeBytes: null,
        isOtherDisk: false,
        problem: "EACCES: permission denied, scandir '/backups'",
      },
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
    network: answers(PATH, { ...withNewest(commandFailed), toldByMail: longNames }),
    prepare: panel(seen(/BACKUP_COMMAND failed/)),
  },
  {
    ...base,
    name: 'admin-backups-log',
    network: answers(PATH, withNewest(commandFailed)),
    prepare: panel(openLog, seen(/^Hide log/)),
  },
  {
    ...base,
    name: 'admin-backups-both-failed',
    network: answers(PATH, withNewest({ ...commandFailed, drill: notProven })),
    prepare: panel(seen(/^Not restorable/), seen(/BACKUP_COMMAND failed/)),
  },
  {
    ...base,
    name: 'admin-backups-copy-failed',
    network: together(
      answers(PATH, { ...backups, copies: [copyFailed, ...older] }),
      failedNotice({ what: 'copy', problem: copyFailed.problem }),
    ),
    prepare: panel(seen(/^failed: The disk filled up/)),
  },
  {
    ...base,
    name: 'admin-backups-being-made',
    network: answers(PATH, { ...backups, underWay: 'copy' }),
    prepare: panel(seen('Backing up')),
  },
  {
    ...base,
    name: 'admin-backups-first-being-made',
    network: answers(PATH, { ...none, underWay: 'copy' }),
    prepare: panel(seen('Making a copy')),
  },
  { ...base, name: 'admin-backups-long', network: answers(PATH, longBackups), prepare: panel() },
  {
    ...base,
    name: 'admin-backups-quiet',
    network: together(answers(PATH, backups), notices({ quiet })),
    prepare: panel(seen(/makes no backups until/)),
  },
  {
    ...base,
    name: 'admin-backups-error',
    only: 'desk',
    network: fails(PATH),
    prepare: seen('Try again'),
  },
  { ...base, name: 'admin-backups-loading', only: 'desk', network: never(PATH) },
  { ...home, name: 'admin-quiet', network: notices({ quiet }), prepare: seen(/is quiet/) },
  {
    ...home,
    name: 'admin-awaits-start',
    network: notices({ awaitsStart: true }),
    prepare: seen(/will resume after the next restart/),
  },
  {
    ...home,
    name: 'admin-drill-failed',
    network: failedNotice({ what: 'drill', problem: notProven.problem }),
    prepare: seen('The last backup failed its test restore'),
  },
  {
    ...home,
    name: 'admin-copy-failed',
    network: failedNotice({ what: 'copy', problem: commandFailed.problem }),
    prepare: seen('The last backup failed'),
  },
  {
    ...home,
    name: 'admin-backup-late',
    network: failedNotice({
      what: 'late',
      problem: 'There is no proven backup. Check that a worker is running.',
    }),
    prepare: seen('No backup has been proven for two days'),
  },
  {
    ...{ name: 'read-only-moving', who: 'user', path: '/' },
    network: installation({ readOnly: 'moving' }),
    prepare: seen(/is being moved to another database/),
  },
  {
    ...{ name: 'read-only-moved', who: 'user', path: '/' },
    network: installation({ readOnly: 'moved' }),
    prepare: seen(/has moved to another database/),
  },
]
