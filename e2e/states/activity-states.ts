import type { ActivityRow } from '../../packages/contracts/src/index.ts'
import { answers, fails, never, together } from './network.ts'
import type { State } from './state.ts'
import { seen } from './steps.ts'

const ALL = '/api/admin/activity'
const OWN = '/api/activity'
const STATE = '/api/activity/state'
const LONG_NAME = 'a-person-whose-name-is-as-long-as-a-name-may-be-here'

const ROW: ActivityRow = {
  id: 48_213,
  at: '2026-11-22T11:52:00.000Z',
  person: { id: 1, username: 'maren' },
  kind: 'label.moved',
  object: { type: 'prompt', id: 12, name: 'Support answer' },
  door: 'page',
  address: '10.0.4.31',
  before: { label: 'production', version: 12 },
  after: { label: 'production', version: 11, moveId: 310 },
  reason: 'Answers of version 12 leave out the order number.',
  count: 1,
  link: { number: 48_190, hash: '5f2c'.repeat(16) },
}
const NONE = { before: null, after: null, reason: null }
const ROWS: ActivityRow[] = [
  { ...ROW, id: 48_214, at: '2026-11-22T11:53:00.000Z', kind: 'account.signed_in', ...NONE, link: null },
  ROW,
  {
    ...{ ...ROW, ...NONE, id: 48_212, person: { id: 2, username: LONG_NAME }, kind: 'prompt.changed' },
    ...{ door: 'token', object: { type: 'prompt', id: 13, name: null } },
  },
  {
    ...{
      ...ROW,
      id: 48_211,
      at: '2026-11-22T09:05:00.000Z',
      person: null,
      count: 12,
      before: null,
      reason: null,
    },
    ...{ kind: 'account.signed_in_refused', after: { typedName: 'ro… 5f2c8a31…' } },
    ...{ object: { type: 'account', id: null, name: null }, address: '203.0.113.77' },
  },
  {
    ...{ ...ROW, ...NONE, id: 48_210, at: '2026-11-22T08:51:00.000Z', kind: 'token.created' },
    object: { type: 'token', id: 4, name: 'Laptop' },
  },
  {
    ...{ ...ROW, id: 48_209, at: '2026-11-21T16:48:00.000Z', kind: 'account.role_changed' },
    ...{ person: { id: 9, username: null }, door: 'command line', address: null, reason: null },
    ...{
      object: { type: 'account', id: 3, name: 'ines' },
      before: { role: 'user' },
      after: { role: 'admin' },
    },
  },
  {
    ...{ ...ROW, ...NONE, id: 48_208, at: '2026-11-21T03:12:00.000Z', kind: 'backup.made', person: null },
    ...{ door: 'job', address: null, object: { type: 'backup', id: 1, name: 'catenary-2026-11-21' } },
  },
]
const chained = answers(STATE, { linkedUntil: ROW.at, keptDays: 400 })
const path = '/settings/activity'
const network = together(answers(ALL, ROWS), chained)

/** Who did what: everyone's for admins, one's own for others. */
export const activityStates: readonly State[] = [
  { name: 'activity', who: 'admin', path, network, prepare: seen(/^failed to sign in/) },
  {
    name: 'activity-open',
    who: 'admin',
    path: `${path}?open=${ROW.id}`,
    network,
    prepare: seen('Hash chain'),
  },
  {
    name: 'activity-own',
    who: 'user',
    path,
    network: together(answers(OWN, ROWS.slice(1, 3)), chained),
    prepare: seen(/^What you did/),
  },
  {
    name: 'activity-none-found',
    who: 'admin',
    path: `${path}?what=webhook&refused=only`,
    network: together(answers(ALL, []), chained),
    prepare: seen('Clear filters'),
  },
  {
    name: 'activity-quiet',
    who: 'user',
    path,
    network: together(answers(OWN, []), answers(STATE, { linkedUntil: null, keptDays: null })),
    prepare: seen('Nothing yet'),
  },
  { name: 'activity-error', who: 'admin', path, network: fails(ALL), prepare: seen('Try again') },
  { name: 'activity-loading', who: 'admin', path, network: never(ALL) },
]
